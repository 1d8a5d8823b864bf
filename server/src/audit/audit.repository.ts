import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Role } from '#shared/domain/people/may.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { AuditEventTable, AuditHeadTable } from '#server/kit/db/tables/audit.table.ts';
import { currentOperation } from './operation.ts';

export type AuditRow = Selectable<AuditEventTable>;

/** What is written down: ids only, never an address, a name or a secret; what it became stands in `AuditDetail`. */
export type AuditAction =
  | 'registered'
  | 'logged_in'
  | 'login_failed'
  | 'logged_out'
  | 'session_ended'
  | 'sessions_ended'
  | 'password_changed'
  | 'password_check_failed'
  | 'recovery_requested'
  | 'recovery_code_refused'
  | 'password_recovered'
  | 'profile_changed'
  | 'account_connected'
  | 'account_removed'
  | 'account_proved'
  | 'subscription_displaced'
  | 'username_changed'
  | 'plan_moved'
  | 'accounts_tagged'
  | 'delivery_settings_changed'
  | 'subscription_paid'
  | 'credits_bought'
  | 'order_placed'
  | 'plan_changed'
  | 'plan_change_planned'
  | 'plan_kept'
  | 'subscription_paused'
  | 'subscription_resumed'
  | 'subscription_cancelled'
  | 'subscription_stopped'
  | 'fair_days_added'
  | 'money_back_requested'
  | 'money_back_approved'
  | 'refunded'
  | 'refund_rejected'
  | 'refund_sent_again'
  | 'refund_settled'
  | 'pack_returned'
  | 'credits_corrected'
  | 'payment_disputed'
  | 'dispute_lost'
  | 'dispute_won'
  | 'refunded_at_gateway'
  | 'amount_refused'
  | 'gateway_event_refused'
  | 'gateway_event_ignored'
  | 'card_replaced'
  | 'tax_id_changed'
  | 'card_token_refused'
  | 'other_card_returned'
  | 'disputed_card_returned'
  | 'unknown_payment_asked'
  | 'member_invited'
  | 'invitation_withdrawn'
  | 'member_joined'
  | 'role_changed'
  | 'spend_limit_changed'
  | 'budget_changed'
  | 'grants_changed'
  | 'client_added'
  | 'client_saved'
  | 'clients_merged'
  | 'client_archived'
  | 'client_unarchived'
  | 'client_of_account_changed'
  | 'report_brand_changed'
  | 'report_mail_changed'
  | 'report_address_added'
  | 'report_address_confirmed'
  | 'report_mail_stopped'
  | 'alert_mail_stopped'
  | 'member_removed'
  | 'member_left'
  | 'ownership_handed_over'
  | 'data_exported'
  | 'account_deleted'
  | 'cards_detached'
  | 'gateway_customer_deleted'
  | 'order_replayed'
  | 'account_looked_up'
  | 'bulk_started'
  | 'bulk_proposed'
  | 'bulk_approved'
  | 'bulk_refused'
  | 'bulk_withdrawn'
  | 'bulk_expired'
  | 'bulk_stopped'
  | 'approval_limit_changed'
  | 'limit_reached';

export interface AuditEntry {
  workspaceId: WorkspaceId;
  /** Who did it: a user's id, or a part of the product. */
  actor: string;
  action: AuditAction;
  /** Id of what it was done to, or a keyed hash of what has none. */
  subject?: string | undefined;
  /** What it was changed to, where the action doesn't say it. */
  detail?: AuditDetail;
  now: Date;
}

/** By ids and amounts: names aren't in the log. */
export interface AuditDetail {
  role?: Role;
  /** A limit or a budget; null: none. */
  cents?: number | null;
  /** Ids of clients; null: all. */
  clients?: readonly string[] | null;
}

const NO_HASH = Buffer.alloc(32);

/**
 * Writes down who did what, in the transaction that does it. The workspace's chain stays locked until
 * that ends: call it last.
 */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { workspaceId: workspace_id, actor, action, subject = null, detail, now: at } = entry;
  const head = await tx
    .insertInto('audit_head')
    .values({ workspace_id, seq: 0, hash: NO_HASH })
    // Changes nothing, but locks the row and returns it.
    .onConflict((conflict) =>
      conflict.column('workspace_id').doUpdateSet((eb) => ({ seq: eb.ref('audit_head.seq') })),
    )
    .returning([
      'seq',
      'hash',
      sql<AccountId | null>`audit_account(${workspace_id}, ${subject})`.as('account_id'),
    ])
    .executeTakeFirstOrThrow();
  const link = {
    workspace_id,
    seq: head.seq + 1,
    at,
    actor,
    action,
    subject,
    operation_id: currentOperation() ?? null,
    account_id: head.account_id,
    detail: detail ? JSON.stringify(detail) : null,
    previous_hash: Buffer.from(head.hash),
  };
  const hash = auditHash(link);
  await tx
    .insertInto('audit_event')
    .values({ ...link, hash })
    .execute();
  await tx
    .updateTable('audit_head')
    .set({ seq: link.seq, hash })
    .where('workspace_id', '=', workspace_id)
    .execute();
}

/**
 * SHA-256 over everything a row says and the hash before it. Rows that name neither an operation nor an account, or
 * have no detail, hash as they did before there were any.
 */
export function auditHash(row: Omit<AuditRow, 'hash'>): Buffer {
  const { workspace_id: workspace, seq, at, actor, action, subject, previous_hash: before } = row;
  const said = [workspace, seq, at.toISOString(), actor, action, subject];
  const detail = row.detail === null ? [] : [row.detail];
  const about = [row.operation_id, row.account_id, ...detail];
  const text = JSON.stringify(about.some((each) => each !== null) ? [...said, ...about] : said);
  return createHash('sha256').update(Buffer.from(before)).update(text).digest();
}

/** The end of a workspace's chain; undefined where nothing was written down. */
export function findHead(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Selectable<AuditHeadTable> | undefined> {
  return db
    .selectFrom('audit_head')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

/** The links of a chain behind one of them, in their order. */
export function listLinks(
  db: Db,
  workspaceId: WorkspaceId,
  { after, limit }: { after: number; limit: number },
): Promise<AuditRow[]> {
  return db
    .selectFrom('audit_event')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
