import { type Selectable, sql } from 'kysely';
import type { SubscriptionState } from '#shared/contract/connected-account.ts';
import type { Db } from '#server/db/database.ts';
import type { SubscriptionTable } from './subscription.table.ts';

export type SubscriptionRow = Selectable<SubscriptionTable>;

/** States in which a subscription occupies its account: no second one may begin (D5). */
export const UNENDED_STATES = [
  'Active',
  'Paused',
  'Past due',
] as const satisfies SubscriptionState[];

/** Every subscription of a workspace (or of these accounts), ended ones included, newest first. */
export function listSubscriptions(
  db: Db,
  workspaceId: string,
  accountIds?: readonly string[],
): Promise<SubscriptionRow[]> {
  let query = db.selectFrom('subscription').selectAll().where('workspace_id', '=', workspaceId);
  if (accountIds) query = query.where('account_id', '=', sql<string>`any(${accountIds}::uuid[])`);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

const SHOWN_COLUMNS = [
  'workspace_id',
  'id',
  'account_id',
  'ig_id',
  'time_zone',
  'past_account_hashes',
  'package',
  'next_package',
  'state',
  'anchor_at',
  'shift_days',
  'time_zone',
  'period',
  'period_started_at',
  'next_billing_at',
  'ends_at',
  'pauses_at',
  'resumes_at',
  'posts_wait_since',
  'created_at',
  'disputed_days',
] as const satisfies Array<keyof SubscriptionTable>;

/** What is shown of a subscription with its account. */
export type ShownSubscription = Pick<SubscriptionRow, (typeof SHOWN_COLUMNS)[number]>;

/** The same subscriptions, with only what is shown of them: of thousands the rest would take most of the time. */
export function listShownSubscriptions(
  db: Db,
  workspaceId: string,
  accountIds?: readonly string[],
): Promise<ShownSubscription[]> {
  let query = db
    .selectFrom('subscription')
    .select(SHOWN_COLUMNS)
    .where('workspace_id', '=', workspaceId);
  if (accountIds) query = query.where('account_id', '=', sql<string>`any(${accountIds}::uuid[])`);
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
}

export function findUnendedSubscription(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('state', 'in', UNENDED_STATES)
    .executeTakeFirst();
}

/** Whether any account of the workspace has a plan that hasn't ended. */
export async function hasUnendedSubscription(db: Db, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('subscription')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', UNENDED_STATES)
    .executeTakeFirst();
  return row !== undefined;
}

/** Subscriptions, each with its account. */
export const subscriptionsWithAccounts = (db: Db) =>
  db
    .selectFrom('subscription')
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'subscription.workspace_id')
        .onRef('account.id', '=', 'subscription.account_id'),
    );

const newestOfName = (db: Db, workspaceId: string, igUsername: string) =>
  subscriptionsWithAccounts(db)
    .select('subscription.id')
    .where('subscription.workspace_id', '=', workspaceId)
    .where('account.ig_username', '=', igUsername)
    .orderBy('subscription.created_at', 'desc')
    .orderBy('subscription.id', 'desc')
    .limit(1);

/** Id of the newest subscription of the account that has this name, ended or not. */
export async function findNewestId(
  db: Db,
  workspaceId: string,
  igUsername: string,
): Promise<string | undefined> {
  const row = await newestOfName(db, workspaceId, igUsername).executeTakeFirst();
  return row?.id;
}

/** Id of the newest ended subscription of the account that has this name. */
export async function findNewestEndedId(
  db: Db,
  workspaceId: string,
  igUsername: string,
): Promise<string | undefined> {
  const row = await newestOfName(db, workspaceId, igUsername)
    .where('subscription.state', 'not in', UNENDED_STATES)
    .executeTakeFirst();
  return row?.id;
}
