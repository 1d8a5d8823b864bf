import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { PROPOSAL } from '#shared/domain/accounts/bulk.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { createApp } from '#server/main/app.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';

const DEARER: AskedChange = { kind: 'plan', packageIndex: 4 };

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** An owner with accounts `<name>` and `<name>.b` on plan 2, who lets managers decide up to these dollars alone. */
async function agency(name: string, approvalAbove: number | null) {
  const owner = await registerCustomer(app, deps, name);
  const names = [name, `${name}.b`];
  deps.network.addAccount(`${name}.b`);
  await owner.client.call(CALLS.addAccount, { userId: owner.user.id, igUsername: `${name}.b` });
  for (const igUsername of names) await payPlan(deps, owner, igUsername);
  const manager = await joinAs(deps, app, owner, `${name}.manager`, 'Manager');
  await owner.client.call(CALLS.saveApproval, { userId: owner.user.id, approvalAbove });
  return { owner, manager, names };
}

async function plan({ client, user }: Customer, names: readonly string[], change = DEARER) {
  const operationId = deps.ids.uuid();
  const changes = names.map((igUsername) => ({ igUsername, change }));
  const asked = { userId: user.id, operationId, from: 0, changes };
  return shown(operationId, (await client.call(CALLS.planBulk, asked)).body);
}

async function review({ client, user }: Customer, proposalId: string) {
  const operationId = deps.ids.uuid();
  const asked = { userId: user.id, operationId, proposalId, from: 0 };
  return shown(operationId, (await client.call(CALLS.reviewBulk, asked)).body);
}

interface Planned {
  code?: string | undefined;
  data?: { planned: number; today: number; needsApproval?: boolean | undefined } | undefined;
}
const shown = (operationId: string, body: Planned) => ({
  ...body,
  operationId,
  planned: body.data?.planned ?? 0,
  today: body.data?.today ?? 0,
});

interface Shown {
  operationId: string;
  planned: number;
  today: number;
}
const start = async ({ client, user }: Customer, { operationId, planned, today }: Shown) =>
  (await client.call(CALLS.startBulk, { userId: user.id, operationId, planned, today })).body;
const propose = async ({ client, user }: Customer, { operationId, planned, today }: Shown) =>
  (await client.call(CALLS.proposeBulk, { userId: user.id, operationId, planned, today })).body;
const close = async ({ client, user }: Customer, { operationId }: Shown, reason = '') =>
  (await client.call(CALLS.closeProposal, { userId: user.id, operationId, reason })).body;
const proposals = async ({ client, user }: Customer) =>
  (await client.call(CALLS.findProposals, { userId: user.id })).body.data ?? [];

const activity = async ({ client, user }: Customer): Promise<string[]> => {
  const { body } = await client.call(CALLS.findActivity, { userId: user.id });
  return body.data?.entries.map(({ text }) => text) ?? [];
};

/** Sessions end within days. */
const signIn = ({ client, user }: Customer) =>
  client.call(CALLS.login, { email: user.email, password: PASSWORD });

/** The mails about an operation as they would be sent now. */
async function mailsAbout({ operationId }: Shown) {
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .selectAll()
    .orderBy('created_at')
    .execute();
  const about = rows.filter(
    ({ payload }) => 'operationId' in payload && payload.operationId === operationId,
  );
  const mails = await Promise.all(about.map((row) => composeMail(deps, row)));
  return mails.filter((mail) => mail !== undefined);
}

const told = async (shown: Shown): Promise<string[]> =>
  (await mailsAbout(shown)).map(({ to, subject }) => `${to}: ${subject}`);

test('what costs more than a manager may decide alone waits for another person, who is charged what they are shown', async () => {
  const { owner, manager, names } = await agency('ada', 50);
  const poor = await joinAs(deps, app, owner, 'ada.poor', 'Manager');
  await owner.client.call(CALLS.changeMember, {
    userId: owner.user.id,
    memberId: poor.user.id,
    role: 'Manager',
    spendLimit: 10,
  });
  expect((await plan(manager, ['ada'])).data?.needsApproval).toBe(false);
  expect((await plan(owner, names)).data?.needsApproval).toBe(false);
  const wanted = await plan(manager, names);
  expect(wanted.data?.needsApproval).toBe(true);
  expect((await start(manager, wanted)).code).toBe('needs_approval');
  expect((await propose(manager, { ...wanted, today: 1 })).code).toBe('price_changed');
  expect((await propose(manager, wanted)).data).toMatchObject({ state: 'proposed', planned: 2 });
  expect((await propose(manager, wanted)).data).toMatchObject({ state: 'proposed', isOwn: true });
  const price = formatCents(Math.round(wanted.today * 100));
  expect((await activity(owner))[0]).toBe(
    `${manager.user.name} proposed changing 2 plans, ${price}.`,
  );
  expect(await told(wanted)).toEqual([
    `${owner.user.email}: Changes are waiting for your approval`,
  ]);
  expect((await start(manager, wanted)).data).toBeUndefined();
  expect((await review(manager, wanted.operationId)).code).toBe('not_found');
  const tooPoor = await review(poor, wanted.operationId);
  expect((await start(poor, tooPoor)).code).toBe('spend_limit');

  deps.clock.advance(2 * DAY_MS);
  await signIn(owner);
  await signIn(manager);
  const [listed] = await proposals(owner);
  expect(listed).toMatchObject({ state: 'proposed', isOwn: false, today: wanted.today });
  const now = await review(owner, wanted.operationId);
  expect(now.today).not.toBe(wanted.today);
  expect((await start(owner, { ...now, today: wanted.today })).code).toBe('price_changed');
  const more = { userId: owner.user.id, operationId: now.operationId, from: 2 };
  const tags: AskedChange = { kind: 'tags', add: ['x'], remove: [] };
  const changes = [{ igUsername: 'ada', change: tags }];
  expect((await owner.client.call(CALLS.planBulk, { ...more, changes })).body.code).toBe(
    'not_found',
  );
  expect((await start(owner, now)).data).toMatchObject({ state: 'running', waiting: 2 });
  expect((await start(owner, now)).data).toMatchObject({ state: 'running', waiting: 2 });
  while ((await runBulk(deps)) === 'again') continue;
  const { body } = await manager.client.call(CALLS.findBulk, { userId: manager.user.id });
  expect(body.data).toMatchObject([{ state: 'done', done: 2, today: now.today }]);
  expect(await proposals(manager)).toMatchObject([
    { state: 'approved', isOwn: true, decidedBy: owner.user.name },
  ]);
  // The first has nothing to say any more.
  expect(await told(wanted)).toEqual([`${manager.user.email}: Your changes were approved`]);
  expect(await activity(owner)).toContain(`${owner.user.name} approved changing 2 plans.`);
  expect((await compareBooks(deps)).violations).toEqual([]);
});

test('a proposal is decided about once: refused, withdrawn, or over after three days', async () => {
  const { owner, manager, names } = await agency('bea', 0);
  const charged = deps.gateway.charges.length;
  const refused = await plan(manager, names);
  await propose(manager, refused);
  const late = await review(owner, refused.operationId);
  expect((await close(owner, refused)).data).toMatchObject({ state: 'refused' });
  expect((await start(owner, late)).code).toBe('not_found');
  expect((await close(manager, refused)).code).toBe('not_found');
  const withdrawn = await plan(manager, names);
  await propose(manager, withdrawn);
  expect((await close(manager, withdrawn)).data).toMatchObject({ state: 'withdrawn' });
  expect((await review(owner, withdrawn.operationId)).code).toBe('not_found');
  const expired = await plan(manager, names);
  await propose(manager, expired);
  deps.clock.advance(PROPOSAL.openMs);
  await signIn(owner);
  expect((await review(owner, expired.operationId)).code).toBe('not_found');
  await runBulk(deps);
  expect((await proposals(owner)).map(({ state }) => state).toSorted()).toEqual([
    'expired',
    'refused',
    'withdrawn',
  ]);
  expect(await told(expired)).toEqual([
    `${manager.user.email}: Your changes were not approved in time`,
  ]);
  expect(deps.gateway.charges).toHaveLength(charged);
});

test('whoever refuses says why, and whoever proposed it reads that in the app, in the activity and by mail', async () => {
  const { owner, manager, names } = await agency('fay', 0);
  const wanted = await plan(manager, names);
  await propose(manager, wanted);
  const tooLong = await close(owner, wanted, 'x'.repeat(PROPOSAL.reasonLength + 1));
  expect(tooLong.message).toContain('at most 200 characters');
  expect((await proposals(manager))[0]?.state).toBe('proposed');
  expect((await close(owner, wanted, ' Too dear this month. ')).data).toMatchObject({
    state: 'refused',
  });
  expect((await proposals(manager))[0]).toMatchObject({ reason: 'Too dear this month.' });
  expect((await activity(manager))[0]).toMatch(/ refused .*, \$[\d.]+: “Too dear this month”\.$/);
  const editor = await joinAs(deps, app, owner, 'fay.editor', 'Editor');
  expect((await activity(editor)).join(' ')).not.toContain('Too dear');
  const [mail, ...others] = await mailsAbout(wanted);
  expect([mail?.text, others.length]).toEqual([expect.stringContaining('Too dear this month.'), 0]);
});

test('what a manager may still spend is what they may decide alone', async () => {
  const { owner, manager, names } = await agency('cal', null);
  const change = { userId: owner.user.id, memberId: manager.user.id, role: 'Manager' } as const;
  await owner.client.call(CALLS.changeMember, { ...change, spendLimit: 40 });
  expect((await plan(manager, names)).data?.needsApproval).toBe(true);
  await start(manager, await plan(manager, ['cal']));
  while ((await runBulk(deps)) === 'again') continue;
  const rest = await plan(manager, ['cal.b']);
  expect(rest.data?.needsApproval).toBe(true);
  expect((await start(manager, rest)).code).toBe('needs_approval');
});

test('what goes on is counted whole, whatever else is stopped beside it', async () => {
  const { owner, manager, names } = await agency('ned', 10);
  const [going = '', stopping = ''] = names;
  const { client, user } = owner;
  await client.call(CALLS.cancelSubscription, { userId: user.id, igUsername: going });
  const operationId = deps.ids.uuid();
  const changes: { igUsername: string; change: AskedChange }[] = [
    { igUsername: going, change: { kind: 'resume' } },
    { igUsername: stopping, change: { kind: 'cancel' } },
  ];
  const asked = { userId: manager.user.id, operationId, from: 0, changes };
  const mixed = shown(operationId, (await manager.client.call(CALLS.planBulk, asked)).body);
  expect(mixed.data).toMatchObject({ month: 0, needsApproval: true });
  expect((await start(manager, mixed)).code).toBe('needs_approval');
});

test('whose role no longer lets them approve isn’t told of it', async () => {
  const { owner, manager, names } = await agency('ola', 10);
  const other = await joinAs(deps, app, owner, 'ola.other', 'Manager');
  const wanted = await plan(manager, names);
  await propose(manager, wanted);
  const emails = async () => (await told(wanted)).map((mail) => mail.split(':')[0]);
  expect(new Set(await emails())).toEqual(new Set([owner.user.email, other.user.email]));
  const { client, user } = owner;
  const change = { userId: user.id, memberId: other.user.id, spendLimit: null };
  await client.call(CALLS.changeMember, { ...change, role: 'Viewer' });
  expect(await emails()).toEqual([owner.user.email]);
});

test('proposals are bounded, and only an owner says above which amount they are needed', async () => {
  const { owner, manager } = await agency('dan', 0);
  const amount = { userId: manager.user.id, approvalAbove: 1000 };
  expect((await manager.client.call(CALLS.saveApproval, amount)).body.code).toBe('not_allowed');
  const full = { code: 'proposals_full' };
  const others = [];
  for (let nr = 0; nr < PROPOSAL.limit / PROPOSAL.limitOfPerson; nr += 1) {
    others.push(await joinAs(deps, app, owner, `dan.${nr}`, 'Manager'));
  }
  const last = others.pop();
  if (!last) throw new Error('nobody is left');
  for (const proposer of [manager, ...others]) {
    for (let nr = 0; nr < PROPOSAL.limitOfPerson; nr += 1) {
      expect((await propose(proposer, await plan(proposer, ['dan']))).data?.state).toBe('proposed');
    }
    const sentence =
      '5 of your changes are already waiting for approval. Please wait until some are decided, or withdraw one.';
    expect(await propose(proposer, await plan(proposer, ['dan']))).toMatchObject({
      ...full,
      message: sentence,
    });
  }
  const more = await plan(last, ['dan']);
  expect(await propose(last, more)).toMatchObject({
    ...full,
    message: '20 changes are already waiting for approval. Please wait until some are decided.',
  });
  expect(await proposals(owner)).toHaveLength(PROPOSAL.limit);
  const key = owner.user.membership?.workspaceId ?? '';
  for (let nr = 0; nr < LIMITS.bulk.uses; nr += 1) {
    await limit(deps, { ...LIMITS.bulk, key }).catch(() => undefined);
  }
  expect((await review(owner, more.operationId)).code).toBe('rate_limited');
});

test('plans that somebody else stopped go on again by an undo only as far as one may decide alone', async () => {
  const { owner, manager, names } = await agency('una', 10);
  const undo = async ({ client, user }: Customer, { operationId }: Shown) =>
    (await client.call(CALLS.undoBulk, { userId: user.id, operationId })).body.code;
  const paused = await plan(owner, names, { kind: 'cancel' });
  await start(owner, paused);
  while ((await runBulk(deps)) === 'again') continue;
  expect(await undo(manager, paused)).toBe('needs_approval');
  expect(await undo(owner, paused)).toBeUndefined();
  while ((await runBulk(deps)) === 'again') continue;
  const own = await plan(manager, names, { kind: 'cancel' });
  await start(manager, own);
  while ((await runBulk(deps)) === 'again') continue;
  expect(await undo(manager, own)).toBeUndefined();
});
