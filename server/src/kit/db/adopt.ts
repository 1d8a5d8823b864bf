import { type Kysely, sql } from 'kysely';
import { StartError } from '../start-error.ts';
import type { Db } from './database.ts';
import * as syncTriggers from './migrations/0047-sync-triggers.ts';

/** The migrations that made the schema before it was written down as a whole. */
export const FORMER = `
  0001-first 0001-work 0002-rate-limit 0003-credits 0004-audit 0005-recovery 0006-subscriptions
  0007-operating 0008-sync 0009-fair-clock 0010-security 0011-refunds 0012-farewell 0013-served-accounts
  0014-ledger-words 0015-ended-money-back 0016-promo-grant 0017-customer-request 0018-sync-log-index
  0020-next-package 0020-plan-changes 0021-returned-value 0022-network-shares 0022-ownership
  0023-known-browsers 0025-left-behind 0026-subscription-days 0030-unlisted-shift 0030-whole-pauses
  0032-rights-of-others 0033-past-plans 0034-disputes 0036-unpaid-advance 0037-told-of-others
  0039-like-pair 0040-disputed-days 0043-in-advance 0044-likes-done 0045-push 0046-superseded-plans
`
  .trim()
  .split(/\s+/);
/** Was a migration for some hours, and is in the schema. */
const IN_SCHEMA = '0048-without-delivery-settings';

type Names = ReadonlyArray<readonly [former: string, present: string]>;
/** What had other names in the former schema. Names of constraints and indexes begin with their table's. */
export const TABLES: Names = [
  ['account_watch', 'poll_schedule'],
  ['outbox', 'owed_mail'],
  ['submit', 'attempt'],
  ['money_back_account', 'refund_request_account'],
  ['money_back_card', 'refund_request_card'],
  ['money_back', 'refund_request'],
];
/** By the present names of their tables. */
export const COLUMNS: Readonly<Record<string, Names>> = {
  poll_schedule: [
    ['next_look_at', 'next_poll_at'],
    ['digest', 'fingerprint'],
  ],
  post: [['missing_looks', 'missing_polls']],
  subscription: [
    ['era', 'subscription_version'],
    ['last_era', 'last_subscription_version'],
  ],
  subscription_day: [['era', 'subscription_version']],
  plan_quote: [['era', 'subscription_version']],
  invoice: [['era', 'subscription_version']],
};

/** What `sync_flush` said of them, and says now. */
export const DELIVERY_SETTINGS = [
  "('account', 'deliverySettings', 'post')",
  "('account', 'post')",
] as const;

/**
 * Takes a database that all former migrations have made for one that `present` have made, in one
 * transaction: names change, and delivery settings have no rows of their own. Does nothing to a new or a present one.
 * @throws StartError where some of them never ran
 */
export async function adopt(db: Db, present: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await hasTable(tx, 'kysely_migration'))) return;
    // Another node that starts waits here, and then finds nothing to do.
    await sql`lock table kysely_migration in exclusive mode`.execute(tx);
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(tx);
    const done = FORMER.filter((former) => rows.some(({ name }) => name === former));
    if (done.length > 0 && done.length < FORMER.length) {
      throw new StartError(
        `The database is too old for this version. Start the version of commit 11c9faf on it once, then this one.`,
      );
    }
    if (done.length > 0) await replaceHistory(tx, present);
    if (!(await hasTable(tx, 'account_watch'))) return;
    await sql`delete from kysely_migration where name = ${IN_SCHEMA}`.execute(tx);
    await takePresentNames(tx);
    await dropDeliverySettings(tx);
  });
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${name}) is not null as found`.execute(db);
  return rows[0]?.found === true;
}

async function replaceHistory(db: Db, present: readonly string[]): Promise<void> {
  await sql`delete from kysely_migration where name = any(${FORMER})`.execute(db);
  await sql`insert into kysely_migration (name, timestamp)
    select name, now()::text from unnest(${present}::text[]) name`.execute(db);
}

async function takePresentNames(db: Db): Promise<void> {
  // Functions of the log name tables and columns: they are made anew.
  const { rows: triggers } = await sql<{ name: string; owner: string }>`
    select tgname as name, relname as owner from pg_trigger join pg_class c on c.oid = tgrelid
    where not tgisinternal and starts_with(tgname, 'sync_')`.execute(db);
  for (const { name, owner } of triggers) {
    await sql`drop trigger ${sql.id(name)} on ${sql.table(owner)}`.execute(db);
  }
  const { rows: functions } = await sql<{ name: string }>`select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype
      and starts_with(proname, 'sync_') and proname <> 'sync_flush_late'`.execute(db);
  for (const { name } of functions) await sql`drop function ${sql.id(name)}()`.execute(db);
  for (const [former, present] of TABLES) await renameTable(db, former, present);
  for (const [table, names] of Object.entries(COLUMNS)) {
    for (const [former, present] of names) {
      await sql`alter table ${sql.table(table)}
        rename column ${sql.id(former)} to ${sql.id(present)}`.execute(db);
    }
  }
  await sql`update invoice set checkout = checkout - 'fromEra'
    || jsonb_build_object('fromVersion', checkout -> 'fromEra') where checkout ? 'fromEra'`.execute(
    db,
  );
  await syncTriggers.up(db as Kysely<unknown>);
}

/** They stand in the account's row of the replicas, no longer in rows of their own. */
async function dropDeliverySettings(db: Db): Promise<void> {
  const { rows } = await sql<{ text: string }>`
    select pg_get_functiondef('sync_flush'::regproc) as text`.execute(db);
  const text = rows[0]?.text.replace(...DELIVERY_SETTINGS);
  if (text !== undefined) await sql.raw(text).execute(db);
  await sql`delete from sync_row where entity = 'deliverySettings'`.execute(db);
}

/** With its constraints and indexes. */
export async function renameTable(db: Db, former: string, present: string): Promise<void> {
  await sql`alter table ${sql.table(former)} rename to ${sql.id(present)}`.execute(db);
  const { rows } = await sql<{ name: string; isConstraint: boolean }>`
    select conname as name, true as "isConstraint" from pg_constraint
      where conrelid = ${present}::regclass
    union all select i.relname, false from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = ${present}::regclass
        and not exists (select from pg_constraint c where c.conindid = i.oid and c.conrelid = x.indrelid)`.execute(
    db,
  );
  for (const { name, isConstraint } of rows) {
    if (!name.startsWith(`${former}_`)) continue;
    const renamed = sql.id(present + name.slice(former.length));
    await (
      isConstraint
        ? sql`alter table ${sql.table(present)} rename constraint ${sql.id(name)} to ${renamed}`
        : sql`alter index ${sql.id(name)} rename to ${renamed}`
    ).execute(db);
  }
}
