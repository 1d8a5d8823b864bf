import { type Insertable, type Selectable, sql } from 'kysely';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type {
  NetworkSubscriptionTable,
  SubscriptionTable,
} from '#server/kit/db/tables/subscription.table.ts';
import { showOrganic } from '#server/network/posts/organic-right.repository.ts';

export type SubscriptionRow = Selectable<SubscriptionTable>;

/** Begins one. The caller holds its charge and its network account. */
export async function insertSubscription(
  tx: Tx,
  subscription: Insertable<SubscriptionTable>,
): Promise<void> {
  await tx.insertInto('subscription').values(subscription).execute();
}

/** Every subscription of a workspace (or of these accounts), ended ones included, newest first. */
export function listSubscriptions(
  db: Db,
  workspaceId: WorkspaceId,
  accountIds?: readonly AccountId[],
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
  'period',
  'period_started_at',
  'next_billing_at',
  'ends_at',
  'pauses_at',
  'resumes_at',
  'posts_wait_since',
  'past_due_since',
  'created_at',
  'disputed_days',
] as const satisfies Array<keyof SubscriptionTable>;

/** What is shown of a subscription with its account. */
export type ShownSubscription = Pick<SubscriptionRow, (typeof SHOWN_COLUMNS)[number]>;

/** The same subscriptions, with only what is shown of them: of thousands the rest would take most of the time. */
export function listShownSubscriptions(
  db: Db,
  workspaceId: WorkspaceId,
  accountIds?: readonly AccountId[],
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
  workspaceId: WorkspaceId,
  accountId: AccountId,
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
export async function hasUnendedSubscription(db: Db, workspaceId: WorkspaceId): Promise<boolean> {
  const row = await db
    .selectFrom('subscription')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', UNENDED_STATES)
    .executeTakeFirst();
  return row !== undefined;
}

/** Subscriptions, each with its account. */
const subscriptionsWithAccounts = (db: Db) =>
  db
    .selectFrom('subscription')
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'subscription.workspace_id')
        .onRef('account.id', '=', 'subscription.account_id'),
    );

const newestOfName = (db: Db, workspaceId: WorkspaceId, igUsername: string) =>
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
  workspaceId: WorkspaceId,
  igUsername: string,
): Promise<string | undefined> {
  const row = await newestOfName(db, workspaceId, igUsername).executeTakeFirst();
  return row?.id;
}

/** Id of the newest ended subscription of the account that has this name. */
export async function findNewestEndedId(
  db: Db,
  workspaceId: WorkspaceId,
  igUsername: string,
): Promise<string | undefined> {
  const row = await newestOfName(db, workspaceId, igUsername)
    .where('subscription.state', 'not in', UNENDED_STATES)
    .executeTakeFirst();
  return row?.id;
}

export type ReservationRow = Selectable<NetworkSubscriptionTable>;

/** Takes a network account for a subscription to come; false when somebody has it. */
export async function reserveNetworkAccount(tx: Tx, reservation: ReservationRow): Promise<boolean> {
  const row = await tx
    .insertInto('network_subscription')
    .values(reservation)
    .onConflict((conflict) => conflict.doNothing())
    .returning('ig_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** The subscription that a reservation is for, once it has begun. */
export function findSubscription(
  db: Db,
  { workspace_id, subscription_id }: ReservationRow,
): Promise<Pick<SubscriptionRow, 'id'> | undefined> {
  return db
    .selectFrom('subscription')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', subscription_id)
    .executeTakeFirst();
}

export function findReservation(db: Db, igId: IgId): Promise<ReservationRow | undefined> {
  return db
    .selectFrom('network_subscription')
    .selectAll()
    .where('ig_id', '=', igId)
    .executeTakeFirst();
}

/** The reservation, held until the end of the transaction. */
export function lockReservation(tx: Tx, igId: IgId): Promise<ReservationRow | undefined> {
  return tx
    .selectFrom('network_subscription')
    .selectAll()
    .where('ig_id', '=', igId)
    .forUpdate()
    .executeTakeFirst();
}

/** Frees a network account, if it is still this subscription's. */
export async function releaseReservation(
  tx: Tx,
  reservation: { igId: IgId; subscriptionId: string },
): Promise<void> {
  await tx
    .deleteFrom('network_subscription')
    .where('ig_id', '=', reservation.igId)
    .where('subscription_id', '=', reservation.subscriptionId)
    .execute();
}

/** Gives a locked reservation to another subscription. */
export async function moveReservation(tx: Tx, reservation: ReservationRow): Promise<void> {
  await tx
    .updateTable('network_subscription')
    .set({
      workspace_id: reservation.workspace_id,
      subscription_id: reservation.subscription_id,
    })
    .where('ig_id', '=', reservation.ig_id)
    .execute();
}

/** What new posts are told apart by (D7): the ids a reading showed, and when it was made. */
interface BaselineReading {
  readAt: Date;
  posts: ReadonlyArray<{ id: string }>;
}

/** From now on new posts are those this reading hasn't shown. The account's poll schedule must be locked. */
export async function retakeBaseline(
  tx: Tx,
  subscription: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
  reading: BaselineReading,
): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({
      baseline_read_at: reading.readAt,
      baseline_post_ids: reading.posts.map(({ id }) => id),
    })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .execute();
}

/** Has the subscription deliver to another account; its dates, price and payments stay. */
export async function moveSubscription(
  tx: Tx,
  subscription: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
  target: { accountId: AccountId; igId: IgId; pastAccountHashes: string[]; now: Date },
): Promise<void> {
  await showOrganic(tx, { workspaceId: subscription.workspace_id, igId: target.igId });
  await tx
    .updateTable('subscription')
    .set({
      account_id: target.accountId,
      ig_id: target.igId,
      past_account_hashes: target.pastAccountHashes,
      moved_at: target.now,
      displaced_at: null,
    })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .execute();
}
