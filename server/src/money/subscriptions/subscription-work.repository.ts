import { sql, type Updateable } from 'kysely';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { OPEN_STATES } from '#server/kit/db/tables/charge.table.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import type { SubscriptionTable } from '#server/kit/db/tables/subscription.table.ts';
import { nextActionAt } from './subscription-clock.ts';
import { appendAudit, type AuditAction } from '#server/audit/audit.repository.ts';
import type { Deps } from '#server/kit/deps.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import type { MailPayload } from '#server/kit/db/tables/owed-mail.table.ts';

export interface SubscriptionKey {
  workspaceId: WorkspaceId;
  subscriptionId: string;
}

/** The right to advance a subscription; an older fence has been overtaken. */
export interface SubscriptionClaim extends SubscriptionKey {
  fence: number;
}

/** Subscriptions with something to do. */
export function claimDueSubscriptions(db: Db, lease: Lease): Promise<SubscriptionClaim[]> {
  return claimDue(
    db,
    { ...lease, table: 'subscription', due: 'next_action_at', set: RAISE_FENCE },
    sql<SubscriptionClaim>`t.workspace_id as "workspaceId", t.id as "subscriptionId", t.fence`,
  );
}

/**
 * A subscription, held until the end of the transaction: whoever renews, changes or ends it does this
 * first. Not a full lock, so that detection can go on making orders that point to it.
 */
export function lockSubscription(
  tx: Tx,
  key: SubscriptionKey,
): Promise<SubscriptionRow | undefined> {
  return tx
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.subscriptionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** The subscriptions of an account, held until the end of the transaction. */
const lockOfAccount = (tx: Tx, workspaceId: WorkspaceId, accountId: AccountId) =>
  tx
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .forNoKeyUpdate();

/** The running subscription of an account, held until the end of the transaction. */
export function lockUnended(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountId: AccountId,
): Promise<SubscriptionRow | undefined> {
  return lockOfAccount(tx, workspaceId, accountId)
    .where('state', 'in', UNENDED_STATES)
    .executeTakeFirst();
}

/** The newest subscription of an account, ended or not, held until the end of the transaction. */
export function lockNewest(
  tx: Tx,
  workspaceId: WorkspaceId,
  accountId: AccountId,
): Promise<SubscriptionRow | undefined> {
  return lockOfAccount(tx, workspaceId, accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Those whose renewal isn't paid, the oldest first. */
export function listPastDue(db: Db, workspaceId: WorkspaceId): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'Past due')
    .orderBy('created_at')
    .execute();
}

/** Those that another one has displaced from a network account, whatever workspace they are in. */
export function listDisplaced(
  tx: Tx,
  { igId, exceptId }: { igId: IgId; exceptId: string },
): Promise<Array<Pick<SubscriptionRow, 'workspace_id' | 'id' | 'resumes_at'>>> {
  return tx
    .selectFrom('subscription')
    .select(['workspace_id', 'id', 'resumes_at'])
    .where('ig_id', '=', igId)
    .where('id', '<>', exceptId)
    .where('state', '=', 'Paused')
    .where('displaced_at', 'is not', null)
    .execute();
}

type SubscriptionChange = Omit<
  Updateable<SubscriptionTable>,
  'workspace_id' | 'id' | 'fence' | 'next_action_at'
>;

/**
 * Changes a locked subscription and schedules what is next for it (`actAt` instead, where given).
 * @returns the subscription as it is now
 */
export async function changeSubscription(
  tx: Tx,
  row: SubscriptionRow,
  change: SubscriptionChange,
  actAt?: Date,
): Promise<SubscriptionRow> {
  const changed = { ...row, ...(change as Partial<SubscriptionRow>) };
  const next = actAt ?? nextActionAt(changed);
  await tx
    .updateTable('subscription')
    .set({ ...change, next_action_at: next })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
  return { ...changed, next_action_at: next };
}

/** Whether a payment for this subscription is still being decided. */
export async function isBeingCharged(db: Db, key: SubscriptionKey): Promise<boolean> {
  const row = await db
    .selectFrom('invoice')
    .innerJoin('charge', (join) =>
      join
        .onRef('charge.workspace_id', '=', 'invoice.workspace_id')
        .onRef('charge.invoice_id', '=', 'invoice.id'),
    )
    .select('charge.id')
    .where('invoice.workspace_id', '=', key.workspaceId)
    .where('invoice.subscription_id', '=', key.subscriptionId)
    .where('charge.state', 'in', OPEN_STATES)
    .executeTakeFirst();
  return row !== undefined;
}

export const keyOf = (row: Pick<SubscriptionRow, 'workspace_id' | 'id'>): SubscriptionKey => ({
  workspaceId: row.workspace_id,
  subscriptionId: row.id,
});

/** Writes down what was done to a subscription; without an `actor` the product did it by itself. */
export function auditSubscription(
  tx: Tx,
  row: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
  { action, actor = 'system', now }: { action: AuditAction; actor?: string | undefined; now: Date },
): Promise<void> {
  return appendAudit(tx, { workspaceId: row.workspace_id, actor, action, subject: row.id, now });
}

/** Owes the customer a mail, as part of the transaction that is its reason. */
export function oweMail(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  workspaceId: WorkspaceId,
  payload: MailPayload,
  now: Date,
): Promise<void> {
  return insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
}
