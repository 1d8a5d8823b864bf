import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { createNode, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import {
  forgetCards,
  hearGateway,
  moneyProblems,
  newTopCustomer,
} from '#test/money/gateway-fixture.ts';
import {
  endAll,
  gatewayBook,
  live,
  mailsOf,
  nameOf,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { runCommand } from '#server/ops/operator/command-line.ts';
import { checkDueDates } from '#server/ops/invariants/due-dates.ts';
import { pauseSubscription, resume } from '../cancellation/pause.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';

let deps: TestDeps;
let made = 0;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(() => endAll(deps));
beforeEach(() => forgetCards(deps));

const OTHER_CARD = { ccNum: '5555555555554444' };
const newCustomer = () => newTopCustomer(deps, `again${(made += 1)}`);

async function dispute(charge: string): Promise<string> {
  const id = deps.gateway.openDispute(charge);
  await hearGateway(deps);
  return id;
}

async function decide(id: string, state: 'lost' | 'won'): Promise<void> {
  deps.gateway.changeDispute(id, state);
  await hearGateway(deps);
}

const planOf = async (shopper: Shopper) => {
  const { state, ends_at: endsAt, next_billing_at: dueAt } = await subscriptionOf(deps, shopper);
  return { state, endsAt, dueAt };
};

const isPolled = async ({ accountId }: Shopper): Promise<boolean> => {
  const row = await deps.database.db
    .selectFrom('poll_schedule')
    .select('is_active')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.is_active;
};

/** The words of the newest mail. */
async function newestMail(workspaceId: string): Promise<string> {
  const row = await deps.database.db
    .selectFrom('owed_mail')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return (await composeMail(deps, row))?.text ?? '';
}

async function problems(): Promise<string[]> {
  const dates = await checkDueDates(deps.database.db);
  return [...(await moneyProblems(deps)), ...dates.map(({ problem }) => problem)];
}

test('a dispute that is won gives the plan the days it had left, and it ends with them', async () => {
  const { shopper, charge } = await newCustomer();
  const before = await planOf(shopper);
  await live(deps, 5 * DAY_MS);
  const id = await dispute(charge);
  expect([(await planOf(shopper)).state, await isPolled(shopper)]).toEqual(['Canceled', false]);
  await live(deps, 40 * DAY_MS);
  await decide(id, 'won');
  // The day it stopped and the day it goes on are used.
  const until = new Date(before.dueAt.getTime() + 39 * DAY_MS);
  expect(await planOf(shopper)).toEqual({ state: 'Active', endsAt: until, dueAt: until });
  expect(await isPolled(shopper)).toBe(true);
  expect((await mailsOf(deps, shopper)).at(-1)).toBe('dispute_decided');
  expect(await newestMail(shopper.session.workspaceId)).toContain('The plan that was stopped is');
  expect(await problems()).toEqual([]);
  await live(deps, until.getTime() - deps.clock.now() + DAY_MS);
  expect((await planOf(shopper)).state).toBe('Canceled');
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([45_000]);
  expect(await problems()).toEqual([]);
});

test('it is charged again only once its customer takes that end back', async () => {
  const { shopper, charge } = await newCustomer();
  const id = await dispute(charge);
  await live(deps, 2 * DAY_MS);
  await decide(id, 'won');
  await resume(deps, { ...nameOf(shopper), actor: shopper.session.userId });
  expect((await planOf(shopper)).endsAt).toBeNull();
  await live(deps, 40 * DAY_MS);
  expect((await gatewayBook(deps, shopper)).chargedCents).toEqual([45_000, 45_000]);
  expect(await problems()).toEqual([]);
});

test('a plan that was paused when it was stopped has the same days left, and is paused no more', async () => {
  const { shopper, charge } = await newCustomer();
  const before = await planOf(shopper);
  await pauseSubscription(
    deps,
    { ...nameOf(shopper), actor: shopper.session.userId },
    new Date(deps.clock.now() + 60 * DAY_MS),
  );
  await live(deps, 10 * DAY_MS);
  const id = await dispute(charge);
  await live(deps, 10 * DAY_MS);
  await decide(id, 'won');
  const { state, endsAt } = await planOf(shopper);
  expect([state, endsAt]).toEqual(['Active', new Date(before.dueAt.getTime() + 19 * DAY_MS)]);
  expect(await problems()).toEqual([]);
});

test('heard of as lost and won by an appeal, it goes on too', async () => {
  const { shopper, charge } = await newCustomer();
  const id = deps.gateway.openDispute(charge);
  await decide(id, 'lost');
  expect((await planOf(shopper)).state).toBe('Canceled');
  await live(deps, 20 * DAY_MS);
  await decide(id, 'won');
  expect((await planOf(shopper)).state).toBe('Active');
  expect(await problems()).toEqual([]);
});

test('two disputes of one payment: the plan waits for the end of both', async () => {
  const { shopper, charge } = await newCustomer();
  const first = deps.gateway.openDispute(charge, { amountCents: 20_000 });
  const second = deps.gateway.openDispute(charge, { amountCents: 20_000 });
  await hearGateway(deps);
  await decide(second, 'won');
  expect((await planOf(shopper)).state).toBe('Canceled');
  await decide(first, 'won');
  expect((await planOf(shopper)).state).toBe('Active');
  expect(await problems()).toEqual([]);
});

test('it stays stopped where its account has another plan, or was removed, or its money goes back', async () => {
  const stays = async (
    between: (shopper: Shopper, charge: string) => Promise<unknown>,
    before: (shopper: Shopper) => Promise<unknown> = async () => undefined,
  ): Promise<void> => {
    await forgetCards(deps);
    const { shopper, charge } = await newCustomer();
    await before(shopper);
    const id = await dispute(charge);
    const plan = await subscriptionOf(deps, shopper);
    await between(shopper, charge);
    await decide(id, 'won');
    const row = await deps.database.db
      .selectFrom('subscription')
      .select('state')
      .where('id', '=', plan.id)
      .executeTakeFirstOrThrow();
    expect(row.state).toBe('Canceled');
    expect(await newestMail(shopper.session.workspaceId)).toContain('stays stopped');
  };
  await stays(async (shopper) => {
    expect(wordOf(await createNode(deps)(shopper, `b${made}`, OTHER_CARD))).toBe('paid');
  });
  await stays(({ accountId }) =>
    deps.database.db
      .updateTable('account')
      .set({ removed_at: new Date(deps.clock.now()) })
      .where('id', '=', accountId)
      .execute(),
  );
  await stays(
    async () => undefined,
    (shopper) => requestRefund(deps, nameOf(shopper)),
  );
  expect(await problems()).toEqual([]);
});

test('the operator is told of each step of a dispute, without a word about the customer', async () => {
  const { shopper, charge } = await newCustomer();
  const told = () => newestMail(OPERATOR_WORKSPACE_ID);
  const id = deps.gateway.openDispute(charge, { state: 'inquiry' });
  await hearGateway(deps);
  expect(await told()).toContain('A bank asks about a payment: $450.00');
  await decide(id, 'open' as 'won');
  const text = await told();
  expect(text).toContain('A payment is disputed: $450.00');
  expect(text).toContain(`Dispute ${id} of payment ${charge} at the gateway`);
  for (const word of ['Ada', shopper.igUsername, shopper.session.userId]) {
    expect(text).not.toContain(word);
  }
  const listed = await runCommand(deps, ['disputes']);
  expect(listed.lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { disputeId: id, gatewayChargeId: charge, state: 'open', amountCents: 45_000 },
  ]);
  await decide(id, 'lost');
  expect((await runCommand(deps, ['disputes'])).lines).toEqual(['No open disputes.']);
  expect(await told()).toContain('A dispute is lost: $450.00');
  await decide(id, 'won');
  expect(await told()).toContain('A dispute is over, and the payment stands: $450.00');
  const row = await deps.database.db
    .selectFrom('owed_mail')
    .selectAll()
    .where('workspace_id', '=', OPERATOR_WORKSPACE_ID)
    .limit(1)
    .executeTakeFirstOrThrow();
  expect((await composeMail(deps, row))?.to).toBe(deps.settings.supportEmail);
});

test('who only waits at their bank for its account doesn’t keep a plan stopped', async () => {
  const { shopper, charge } = await newCustomer();
  const id = await dispute(charge);
  const squatter = await newShopper(deps, shopper.igUsername, { onNetwork: false });
  const told = await createNode(deps)(squatter, 'form', ASKING_CARD);
  expect(wordOf(told)).toBe('payment_needs_action');
  await decide(id, 'won');
  expect(await planOf(shopper)).toMatchObject({ state: 'Active' });
});
