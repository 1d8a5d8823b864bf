import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { checkAuditChain, checkInvariants, checkOnce } from './check-all.ts';
import { scanDatabase, scanDirectory, scanTexts } from '#test/processes/canaries.ts';
import { checkCharges } from './charges.ts';
import { checkDueDates } from './due-dates.ts';
import { checkOverdue } from './overdue.ts';

const EVER = new Date(0);
let deps: TestDeps;
let shopper: Shopper;

beforeAll(async () => {
  deps = await createTestDeps();
  shopper = await newShopper(deps, 'books.of.ada');
  const told = await createNode(deps)(shopper, 'first-try');
  if (told.kind !== 'paid') throw told.error;
});
afterAll(() => deps.database.close());

const run = (statement: string) => sql.raw(statement).execute(deps.database.db);
const now = () => new Date(deps.clock.now());
const chargesNow = () => checkCharges(deps.database.db, deps.gateway, EVER);

/** Does damage, looks, and mends it again. */
async function planted<T>(damage: string, look: () => Promise<T>, mend: string): Promise<T> {
  await run(damage);
  try {
    return await look();
  } finally {
    await run(mend);
  }
}

test('an honest checkout violates nothing', async () => {
  expect(await checkOnce(deps, EVER)).toEqual([]);
});

test('I5 catches an amount, a state and a refund that differ from the gateway’s book', async () => {
  const found = async (damage: string, mend: string) =>
    (await planted(`update charge set ${damage}`, chargesNow, `update charge set ${mend}`)).map(
      ({ problem }) => problem,
    );
  expect(await found('amount_cents = 1701', 'amount_cents = 1700')).toEqual([
    '1701 here, 1700 in the book',
  ]);
  expect(await found(`state = 'declined'`, `state = 'succeeded'`)).toEqual([
    'is declined here and paid in the book',
  ]);
  const refunded = await planted(
    plantRefund(`'refunded', now(), null, null, null`, 1700),
    chargesNow,
    'delete from refund',
  );
  expect(refunded.map(({ problem }) => problem)).toEqual([
    'refunded 1700 to 1700 here, 0 in the book',
  ]);
});

test.each(['created', 'sent', 'needs_action', 'unknown'])(
  'I5 catches what was given for a charge that is %s',
  async (state) => {
    const mend = `update charge set state = 'succeeded'`;
    const found = await planted(`update charge set state = '${state}'`, chargesNow, mend);
    expect(found.map(({ problem }) => problem)).toContain('is open and has bought something');
  },
);

/** A refund of the only charge: state, date of the refund, of the rejection, its reason, next attempt. */
const plantRefund = (state: string, cents: number): string => `
  insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
    state, refunded_at, rejected_at, rejected_reason, next_attempt_at)
  select workspace_id, gen_random_uuid(), id, 'returned', 'planted', ${cents}, created_at, ${state}
  from charge`;

test('I5 knows a rejected refund and one settled by hand, and catches one of too much', async () => {
  const found = async (state: string, cents: number) =>
    (await planted(plantRefund(state, cents), chargesNow, 'delete from refund')).map(
      ({ problem }) => problem,
    );
  const rejected = `'rejected', null, now(), 'no_money', null`;
  expect(await found(rejected, 1700)).toEqual([]);
  expect(await found(`'settled', now(), null, null, null`, 1700)).toEqual([]);
  expect(await found(`'owed', null, null, null, now()`, 1700)).toEqual([]);
  expect(await found(rejected, 1701)).toEqual(['returns 1701 of 1700']);
  // The money of a rejected refund must not be gone: an operator would give it back a second time.
  const [charge] = deps.gateway.charges;
  if (!charge) throw new Error('no charge');
  charge.refundedCents = 1700;
  expect(await found(rejected, 1700)).toEqual(['refunded 0 to 0 here, 1700 in the book']);
  expect(await found(`'settled', now(), null, null, null`, 1700)).toEqual([]);
  charge.refundedCents = 0;
});

test('I7 catches refunds owed too long, and rejected ones that nobody decides', async () => {
  const look = (days: number) => () =>
    checkOverdue(deps.database.db, new Date(deps.clock.now() + days * DAY_MS));
  const found = async (state: string, days: number) =>
    (await planted(plantRefund(state, 1700), look(days), 'delete from refund')).filter(
      ({ problem }) => problem.startsWith('refund'),
    );
  const at = `'${now().toISOString()}'::timestamptz`;
  expect(await found(`'owed', null, null, null, ${at}`, 1)).toEqual([]);
  expect(await found(`'owed', null, null, null, ${at}`, 2)).toHaveLength(1);
  expect(await found(`'rejected', null, ${at}, 'no_money', null`, 1)).toEqual([]);
  expect(await found(`'rejected', null, ${at}, 'no_money', null`, 3)).toHaveLength(1);
  expect(await found(`'settled', ${at}, null, null, null`, 9)).toEqual([]);
});

test('I5 catches a charge that the gateway has never heard of, and one that we have not', async () => {
  const silent = { listCharges: () => Promise.resolve(LISTED_NONE) };
  const missing = await checkCharges(deps.database.db, silent, EVER);
  expect(missing).toMatchObject([{ problem: 'succeeded and is not in the book' }]);
  const stranger = {
    kind: 'listed' as const,
    charges: [
      {
        gatewayChargeId: 'pi_stranger',
        chargeId: undefined,
        state: 'succeeded' as const,
        amountCents: 5,
        refundedCents: 0,
      },
    ],
    after: undefined,
  };
  const both = { listCharges: () => Promise.resolve(stranger) };
  const found = await checkCharges(deps.database.db, both, new Date('2100-01-01'));
  expect(found).toMatchObject([{ subject: 'gateway charge pi_stranger' }]);
});
const LISTED_NONE = { kind: 'listed' as const, charges: [], after: undefined };

test('I5 catches a charge kept after the end of its subscription, and a book that is closed', async () => {
  const after = await planted(
    `update subscription set state = 'Canceled', ends_at = created_at - interval '1 day'`,
    chargesNow,
    `update subscription set state = 'Active', ends_at = null`,
  );
  expect(after.map(({ problem }) => problem)).toEqual([expect.stringContaining('after the end')]);
  deps.gateway.queueFailure({ kind: 'unknown', reason: 'down' });
  expect(await chargesNow()).toMatchObject([{ invariant: 'I5', subject: 'book' }]);
});

test('I7 catches what is unfinished beyond its bound, and nothing before', async () => {
  const { db } = deps.database;
  const later = (days: number) => new Date(deps.clock.now() + days * DAY_MS);
  const before = await planted(
    `update charge set state = 'unknown'`,
    () => checkOverdue(db, later(1)),
    `update charge set state = 'succeeded'`,
  );
  expect(before.filter(({ problem }) => problem.includes('charge'))).toEqual([]);
  const after = await planted(
    `update charge set state = 'unknown'`,
    () => checkOverdue(db, later(2)),
    `update charge set state = 'succeeded'`,
  );
  expect(after.map(({ problem }) => problem)).toContainEqual(
    expect.stringContaining('charge unsettled since'),
  );
  const unrenewed = await checkOverdue(db, later(40));
  expect(unrenewed.map(({ problem }) => problem)).toContainEqual(
    expect.stringContaining('period over and not renewed since'),
  );
});

test('I8 catches a next charge that isn’t anchor plus months plus shift', async () => {
  const look = () => checkDueDates(deps.database.db);
  expect(await look()).toEqual([]);
  const moved = await planted(
    `update subscription set next_billing_at = next_billing_at + interval '1 day'`,
    look,
    `update subscription set next_billing_at = next_billing_at - interval '1 day'`,
  );
  expect(moved.map(({ problem }) => problem)).toEqual([expect.stringContaining('is charged next')]);
});

test('I8 catches a shift that isn’t the days given back', async () => {
  const found = async (damage: string, mend: string) =>
    (await planted(damage, () => checkDueDates(deps.database.db), mend)).map(
      ({ problem }) => problem,
    );
  const shift = (days: number): string => `update subscription
    set shift_days = shift_days + ${days}, next_billing_at = next_billing_at + interval '${days} days'`;
  expect(await found(shift(1), shift(-1))).toEqual(['is shifted by 1 days, and 0 were given back']);
  const give = `insert into subscription_day
    (workspace_id, subscription_id, local_day, state, cause, found_at, subscription_version, period)
    select workspace_id, id, '2026-11-25', 'given', 'paused', now(), subscription_version, period from subscription`;
  expect(await found(give, 'delete from subscription_day')).toEqual([
    'is shifted by 0 days, and 1 were given back',
  ]);
  // Of an earlier plan: its days are behind.
  const earlier = give.replace('now(), subscription_version', 'now(), subscription_version + 1');
  expect(await found(earlier, 'delete from subscription_day')).toEqual([]);
});

test('I9 finds a canary in a file, a table, a job and a line, and names it without telling it', async () => {
  const canaries = { cvv: 'canary-7391', code: 'canary-0042' };
  const directory = await mkdtemp(join(tmpdir(), 'canaries-'));
  try {
    await writeFile(join(directory, 'clean'), 'nothing here');
    expect(await scanDirectory(directory, canaries)).toEqual([]);
    await writeFile(join(directory, 'wal'), Buffer.from('\0\0canary-7391\0'));
    const found = await scanDirectory(directory, canaries);
    expect(found).toMatchObject([{ invariant: 'I9', problem: 'holds the cvv' }]);
    expect(JSON.stringify(found)).not.toContain(canaries.cvv);
  } finally {
    await rm(directory, { recursive: true });
  }
  expect(await scanDatabase(deps.database.db, canaries)).toEqual([]);
  const inTable = await planted(
    `update app_user set phone = 'call canary-0042'`,
    () => scanDatabase(deps.database.db, canaries),
    `update app_user set phone = '5550100000'`,
  );
  expect(inTable).toMatchObject([{ subject: 'public.app_user', problem: 'holds the code' }]);
  // Whichever card's it is; phones and ids are none.
  for (const [typed, last] of [
    ['4242 4242 4242 4242', 4242],
    ['6759649826438453', 8453],
    ['4222-2222-2222-2', 2222],
  ]) {
    const everyHour = await planted(
      `update app_user set name = 'card ${typed}', phone = '4915112345678'`,
      () => checkOnce(deps, EVER),
      `update app_user set name = 'Ada Example', phone = '5550100000'`,
    );
    expect(everyHour).toMatchObject([
      {
        invariant: 'I9',
        subject: 'public.app_user',
        problem: `holds a card number ending ${last}`,
      },
    ]);
  }
  expect(scanTexts('log', ['fine', 'x canary-7391'], canaries)).toHaveLength(1);
});

test('the audit log refuses change, and I10 catches one made around the refusal', async () => {
  const { workspaceId, userId: actor } = shopper.session;
  await deps.database.transaction((tx) =>
    appendAudit(tx, { workspaceId, actor, action: 'logged_in', now: now() }),
  );
  await expect(run(`update audit_event set actor = 'x'`)).rejects.toThrow('append-only');
  await expect(run('delete from audit_event')).rejects.toThrow('append-only');
  await expect(run('truncate audit_event')).rejects.toThrow('append-only');
  const look = () => checkAuditChain(deps.database.db);
  expect(await look()).toEqual([]);
  const around = async (damage: string) => {
    await run('create table kept as select * from audit_event');
    await run('alter table audit_event disable trigger user');
    await run(damage);
    const found = await look();
    await run('delete from audit_event');
    await run('insert into audit_event select * from kept');
    await run('alter table audit_event enable trigger user');
    await run('drop table kept');
    return found.map(({ problem }) => problem);
  };
  expect(await around(`update audit_event set actor = 'somebody else' where seq = 1`)).toEqual([
    'entry 1 was changed',
  ]);
  expect(await around('delete from audit_event where seq = 1')).toEqual(['misses entry 1']);
  expect(await around('delete from audit_event where seq = 2')).toEqual([
    'ends at 1, its head at 2',
  ]);
  expect(await around('delete from audit_event')).toEqual(['ends at 0, its head at 2']);
  expect(await look()).toEqual([]);
});

test('100 entries at once make one chain without a gap', async () => {
  const workspaceId = deps.ids.uuid();
  await Promise.all(
    Array.from({ length: 100 }, () =>
      deps.database.transaction((tx) =>
        appendAudit(tx, { workspaceId, actor: 'system', action: 'registered', now: now() }),
      ),
    ),
  );
  expect(await checkAuditChain(deps.database.db)).toEqual([]);
});

test('what a second look doesn’t find again was only being changed', async () => {
  const clock = {
    now: () => deps.clock.now(),
    sleep: () => run('update charge set amount_cents = 1700').then(() => undefined),
  };
  await run('update charge set amount_cents = 1701');
  expect(await checkInvariants({ ...deps, clock }, EVER)).toEqual([]);
});
