import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { plantCustomer, plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { readNetworkAccount } from '#server/network/allowance/network-reader.ts';
import { requestRefund } from '#server/money/refunds/refund-request.service.ts';
import { runCommand } from './command-line.ts';
import { createMetrics } from './metrics.ts';
import { createOperatorApp } from './operator.routes.ts';
import { timed } from './operator.ts';

let deps: TestDeps;
let shopper: Shopper;
let orderId: string;

beforeAll(async () => {
  deps = await createTestDeps();
  shopper = await newShopper(deps, 'operated.ada');
  await createNode(deps)(shopper, 'once');
});
afterAll(() => deps.database.close());

const said = async (...command: string[]) => {
  const { isDone, lines } = await runCommand(deps, command);
  return `${isDone ? 'done' : 'not done'}: ${lines.join('\n')}`;
};

test('metrics tell detection delays, queues, charges, credits and findings', async () => {
  const metrics = createMetrics(deps);
  deps.clock.advance(60_000);
  const account = { igId: '17840000000000001', igUsername: 'operated.bo' };
  const customer = await plantCustomer(deps, account);
  await plantPost(deps, customer, { id: '1' });
  const detectedAt = new Date(deps.clock.now());
  const postedAt = new Date(deps.clock.now() - 12_000);
  orderId = await plantOrder(deps, customer, {
    post_id: '1',
    slot: 1,
    detected_at: detectedAt,
    posted_at: postedAt,
  });
  metrics.invariantsChecked([{ invariant: 'I5', subject: 'charge 1', problem: 'differs' }]);
  deps.clock.advance(90_000);
  const text = await metrics.read();
  expect(text).toContain('ovation_detection_delay_seconds_bucket{le="10"} 0');
  expect(text).toContain('ovation_detection_delay_seconds_bucket{le="15"} 1');
  expect(text).toContain('ovation_queue_age_seconds{queue="placing"} 90');
  expect(text).toContain('ovation_charges{state="succeeded"} 1');
  expect(text).toContain('ovation_ledger_sum 0');
  expect(text).toContain('ovation_invariant_violations{invariant="I5"} 1');
  expect(text).toContain('ovation_invariant_violations{invariant="I4"} 0');
  expect(await metrics.read()).toContain('ovation_detection_delay_seconds_count 1');
});

test('requests are told by call, however many addresses are tried', async () => {
  const metrics = createMetrics(deps);
  const app = timed(deps, { fetch: () => new Response('', { status: 404 }) }, metrics);
  await app.fetch(new Request('http://localhost/user/user/login', { method: 'POST' }));
  await app.fetch(new Request('http://localhost/a'));
  await app.fetch(new Request('http://localhost/b'));
  const text = await metrics.read();
  expect(text).toMatch(/seconds_count\{method="POST",path="\/user\/user\/login",status="404"\} 1/);
  expect(text).toMatch(/seconds_count\{method="GET",path="other",status="404"\} 2/);
});

test('a process is alive while it stops, but no longer ready', async () => {
  const stop = new AbortController();
  const app = createOperatorApp(deps, createMetrics(deps), stop.signal);
  expect((await app.request('/readyz')).status).toBe(200);
  stop.abort();
  expect((await app.request('/readyz')).status).toBe(503);
  expect((await app.request('/healthz')).status).toBe(200);
  expect((await app.request('/metrics')).status).toBe(200);
});

test('an account is found by address and by username, and the look leaves a trace', async () => {
  const { workspaceId, userId } = shopper.session;
  expect(await said('account', '@operated.ada')).toContain(workspaceId);
  const sheet = await said('account', ` ${userId}@EXAMPLE.test `);
  expect(sheet).toContain('"state": "succeeded"');
  expect(sheet).not.toMatch(/password|pm_|4242/);
  expect(await said('account', 'nobody')).toBe('not done: No customer found.');
  const trace = await deps.database.db
    .selectFrom('audit_event')
    .select(['actor', 'action'])
    .where('workspace_id', '=', workspaceId)
    .where('actor', '=', 'operator')
    .execute();
  expect(trace).toEqual([
    { actor: 'operator', action: 'account_looked_up' },
    { actor: 'operator', action: 'account_looked_up' },
  ]);
});

test('a late order is listed and made due, and whoever had it is overtaken', async () => {
  expect(await said('orders')).toBe('done: No orders are late.');
  deps.clock.advance(DAY_MS);
  expect(await said('orders')).toContain(orderId);
  const read = () =>
    deps.database.db
      .selectFrom('like_order')
      .select(['fence', 'next_attempt_at'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow();
  const before = await read();
  expect(await said('replay', orderId)).toBe('done: The order is due now.');
  expect(await read()).toEqual({
    fence: before.fence + 1,
    next_attempt_at: new Date(deps.clock.now()),
  });
  expect(await said('replay', deps.ids.uuid())).toContain('not done');
  expect(await said('replay', 'rubbish')).toContain('npm run operator');
});

test('a money-back request is reviewed and approved once', async () => {
  const { workspaceId } = shopper.session;
  expect(await said('refunds')).toBe('done: No open requests.');
  await requestRefund(deps, { workspaceId, igUsername: shopper.igUsername });
  const shown = await said('refunds');
  const { subscriptionId } = JSON.parse(shown.replace('done: ', '')) as { subscriptionId: string };
  expect(shown).toContain('"amountCents":1700');
  expect(await said('approve', subscriptionId)).toBe('done: Approved. The money is going back.');
  expect(await said('approve', subscriptionId)).toBe('not done: No such open request.');
  const kept = await deps.database.db.selectFrom('refund_request').select('state').execute();
  expect(kept).toEqual([{ state: 'Approved' }]);
});

test('health names what fails', async () => {
  expect(await said('health')).toMatch(/^done: [\s\S]*gateway\s+ok/);
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
  expect(await said('health')).toMatch(/^not done: [\s\S]*gateway\s+FAILS/);
});

test('a token that the network refuses is named by health, readiness and metrics', async () => {
  const [bucketId = ''] = deps.network.bucketIds;
  const app = createOperatorApp(deps, createMetrics(deps), new AbortController().signal);
  expect(await said('health')).toMatch(new RegExp(`network\\s+ok\\s+token ${bucketId} serves`));
  deps.network.queueRead({ kind: 'refused', cause: 'token', code: 190, usage: undefined });
  await readNetworkAccount(deps, { username: 'anybody', limit: 1 });
  expect(await said('health')).toMatch(
    /^not done: [\s\S]*network\s+FAILS[^\n]+refused \(code 190\)/,
  );
  const ready = await app.request('/readyz');
  expect([ready.status, await ready.text()]).toEqual([
    200,
    expect.stringMatching(`^ready\ntoken ${bucketId} is refused \\(code 190\\), tried again at 20`),
  ]);
  const metrics = await (await app.request('/metrics')).text();
  expect(metrics).toContain('ovation_graph_tokens{state="refused"} 1');
});

test('no command and a wrong one show what there is', async () => {
  expect(await said()).toContain('npm run operator -- health');
  expect(await said('rubbish')).toContain('npm run operator -- health');
});
