import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { createApp } from '#server/main/app.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import {
  newestMany,
  planMany,
  reasonsOf,
  runMany,
  type Shown,
  startMany,
  undoMany,
} from '#test/delivery/bulk-runs.ts';
import {
  BEGIN,
  BEGIN_PRICE as PRICE,
  BEGIN_ZONE,
  chargedPlans,
  newAgency,
  saveCard,
} from '#test/documents/agency-without-plans.ts';
import type { Customer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const agency = (name: string, count = 2, ccNum?: string | null) =>
  newAgency(app, deps, name, count, ccNum);

async function accountsOf({ client, user }: Customer) {
  const { body } = await client.call(CALLS.findConnectedAccounts, { userId: user.id });
  return new Map((body.data ?? []).map((account) => [account.igUsername, account]));
}

const plansOf = async (owner: Customer, names: readonly string[]) => {
  const accounts = await accountsOf(owner);
  return names.map((name) => accounts.get(name)?.accountPackageId);
};

const charged = () => chargedPlans(deps);
/** The one mail about an operation. */
async function mailOf({ operationId }: Shown) {
  const mails = await deps.database.db.selectFrom('owed_mail').selectAll().execute();
  const [mail, ...more] = mails.filter(
    ({ payload }) => payload.kind === 'bulk_done' && payload.operationId === operationId,
  );
  expect([mail?.payload.kind, more]).toEqual(['bulk_done', []]);
  return mail && composeMail(deps, mail);
}

const reasonOf = async (owner: Customer, { operationId }: Shown) =>
  (await reasonsOf(owner, operationId)).map(([, reason]) => reason);

test('accounts without a plan get one each, at the price and in the zone that were shown, once', async () => {
  const owner = await agency('ada', 3);
  await payPlan(deps, owner, 'ada');
  const before = charged();
  const shown = await planMany(deps, owner, ['ada', ...owner.names], BEGIN);
  expect(shown.items.map(({ change, today, month }) => [change.kind, today, month])).toEqual([
    ['plan', expect.any(Number), 31],
    ['begin', PRICE, PRICE],
    ['begin', PRICE, PRICE],
    ['begin', PRICE, PRICE],
  ]);
  expect(shown.items[1]?.change).toEqual({ kind: 'begin', packageIndex: 4, timeZone: BEGIN_ZONE });
  await startMany(owner, shown);
  await runMany(deps);
  const { today, month } = shown;
  expect(await newestMany(owner)).toMatchObject({ done: 4, failed: 0, today, month, undoable: 0 });
  expect(await plansOf(owner, ['ada', ...owner.names])).toEqual([4, 4, 4, 4]);
  expect((await accountsOf(owner)).get('ada.a')).toMatchObject({
    timeZone: BEGIN_ZONE,
    subscriptionState: 'Active',
    moneyBackState: null,
  });
  expect(charged() - before).toBe(3);
  const { body } = await owner.client.call(CALLS.findActivity, { userId: owner.user.id });
  expect(body.data?.entries[0]?.text).toContain('started the plan of 500 likes on 3 accounts');
  const told = await mailOf(shown);
  expect(told?.subject).toBe('Plans of many accounts were changed');
  expect(told?.text).toContain('made 4 changes. New plans that began: 3.');
  expect((await undoMany(owner, shown)).code).toBe('not_found');
  expect((await compareBooks(deps)).violations).toEqual([]);
});

test('the mail says of what somebody stopped that it was stopped, not that it couldn’t be made', async () => {
  const owner = await agency('stella', 2);
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  const asked = { userId: owner.user.id, operationId: shown.operationId };
  await owner.client.call(CALLS.stopBulk, asked);
  await runMany(deps);
  const text = (await mailOf(shown))?.text;
  expect(text).toContain('made 0 changes. 2 changes were stopped and not made.');
  expect(text).not.toContain('couldn’t');
});

test('a plan asked for without a zone begins none, as pages of before and files ask for it', async () => {
  const owner = await agency('bea');
  const shown = await planMany(deps, owner, owner.names, { kind: 'plan', packageIndex: 4 });
  expect(shown.planned).toBe(0);
  expect(shown.items[0]?.reason).toBe('@bea.a has no plan.');
});

test('what the checkout of one account would refuse is refused beforehand', async () => {
  const reasonFor = async (owner: Customer, names: readonly string[]) =>
    (await planMany(deps, owner, names, BEGIN)).items[0]?.reason;
  const poor = await agency('cal', 1, null);
  expect(await reasonFor(poor, poor.names)).toContain('There is no saved card yet.');

  const owner = await agency('cat', 3);
  const { db } = deps.database;
  await db
    .updateTable('account')
    .set({ problem: 'unreadable' })
    .where('ig_username', '=', 'cat.a')
    .execute();
  await db.updateTable('account').set({ ig_id: null }).where('ig_username', '=', 'cat.b').execute();
  expect(await reasonFor(owner, ['cat.a'])).toContain('We haven’t been able to read @cat.a');
  expect(await reasonFor(owner, ['cat.b'])).toContain('We haven’t been able to read @cat.b');

  // Another workspace has a plan for it.
  await owner.client.call(CALLS.addAccount, { userId: owner.user.id, igUsername: 'cal' });
  await payPlan(deps, poor, 'cal');
  expect(await reasonFor(owner, ['cal'])).toContain('until you prove that it’s yours');

  // Its payment is being decided.
  await startMany(owner, await planMany(deps, owner, ['cat.c'], BEGIN));
  deps.gateway.loseAnswers(1);
  await runMany(deps);
  expect(await reasonFor(owner, ['cat.c'])).toContain('is being checked');
});

test('a budget has room for those that come first, and each is asked again when it is charged', async () => {
  const owner = await agency('dan', 4);
  const budget = async (limit: number | null) =>
    owner.client.call(CALLS.saveBudget, { userId: owner.user.id, limit });
  await budget(2 * PRICE + 10);
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  expect(shown).toMatchObject({ planned: 2, today: 2 * PRICE });
  expect(shown.items.map(({ outcome }) => outcome)).toEqual([
    'planned',
    'planned',
    'refused',
    'refused',
  ]);
  // The next page knows of the first one's.
  const asked = { userId: owner.user.id, operationId: shown.operationId, from: 2 };
  const changes = owner.names.slice(2).map((igUsername) => ({ igUsername, change: BEGIN }));
  const { body } = await owner.client.call(CALLS.planBulk, { ...asked, changes });
  expect(body.data).toMatchObject({ planned: 2 });
  await budget(PRICE);
  await startMany(owner, shown);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 1, failed: 3, today: PRICE });
});

test('an account that can’t be read when its turn comes isn’t charged, and can be tried again', async () => {
  const owner = await agency('eve', 3);
  const before = charged();
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  deps.network.hideAccount('eve.a');
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 2, failed: 1 });
  expect((await reasonOf(owner, shown))[0]).toContain('We can’t read @eve.a');
  expect(charged() - before).toBe(2);
  deps.network.showAccount('eve.a');
  const again = await planMany(deps, owner, ['eve.a'], BEGIN);
  await startMany(owner, again);
  await runMany(deps);
  expect(await plansOf(owner, owner.names)).toEqual([4, 4, 4]);
});

test('a plan that somebody begins meanwhile wins, also one that has ended again, and nothing is paid twice', async () => {
  const owner = await agency('fay', 2);
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  for (const name of owner.names) await payPlan(deps, owner, name);
  await owner.client.call(CALLS.stopSubscription, { userId: owner.user.id, igUsername: 'fay.b' });
  const before = charged();
  await runMany(deps);
  expect(charged()).toBe(before);
  expect(await reasonOf(owner, shown)).toEqual(
    owner.names.map((name) => expect.stringContaining(`The plan of @${name} changed after`)),
  );
});

test('two tabs that begin the same plans begin each once', async () => {
  const owner = await agency('gus', 2);
  const manager = await joinAs(deps, app, owner, 'gus.manager', 'Manager');
  const first = await planMany(deps, owner, owner.names, BEGIN);
  const second = await planMany(deps, manager, owner.names, BEGIN);
  const before = charged();
  await startMany(owner, first);
  expect((await startMany(manager, second)).code).toBe('bulk_running');
  await runMany(deps);
  await startMany(manager, second);
  await runMany(deps);
  expect(await newestMany(owner)).toMatchObject({ done: 0, failed: 2, today: 0 });
  expect(charged() - before).toBe(2);
});

test('a card that was replaced since isn’t charged, nor the new one', async () => {
  const owner = await agency('hal', 1);
  const shown = await planMany(deps, owner, owner.names, BEGIN);
  await startMany(owner, shown);
  await saveCard(owner, '5555555555554444');
  const before = charged();
  await runMany(deps);
  expect(charged()).toBe(before);
  expect((await reasonOf(owner, shown))[0]).toContain('Your saved card was replaced');
});
