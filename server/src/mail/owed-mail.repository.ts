import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type {
  DisputeNotice,
  MailPayload,
  OwedMailTable,
} from '#server/kit/db/tables/owed-mail.table.ts';

export type OwedMailRow = Selectable<OwedMailTable>;

/** Owes a mail, at once unless told; part of the transaction that is its reason. */
export async function insertMail(
  tx: Tx,
  mail: { workspaceId: WorkspaceId; id: string; payload: MailPayload; now: Date; dueAt?: Date },
): Promise<void> {
  await tx
    .insertInto('owed_mail')
    .values({
      workspace_id: mail.workspaceId,
      id: mail.id,
      payload: JSON.stringify(mail.payload),
      created_at: mail.now,
      next_attempt_at: mail.dueAt ?? mail.now,
      sent_at: null,
    })
    .execute();
}

type UnforwardedMail = Pick<OwedMailRow, 'workspace_id' | 'id'> & { isReport: boolean };

/** Many at once, and none of them is waited for. */
const IS_REPORT = sql<boolean>`(t.payload ->> 'kind' = 'client_report')`;

/** Whether there are any to take: an idle worker asks this and begins no transaction. */
export async function isAnyUnforwarded(db: Db, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('owed_mail')
    .select('id')
    .where('next_attempt_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes due mails that no queue has yet, reports last; whoever else is taking some gets others. */
export function takeUnforwarded(
  tx: Tx,
  due: { now: Date; limit: number },
): Promise<UnforwardedMail[]> {
  const priority = { join: sql``, order: sql`${IS_REPORT}, t.next_attempt_at` };
  return claimDue(
    tx,
    { ...due, table: 'owed_mail', due: 'next_attempt_at', leaseUntil: null, priority },
    sql<UnforwardedMail>`t.workspace_id, t.id, ${IS_REPORT} as "isReport"`,
  );
}

export function findMail(
  db: Db,
  workspaceId: WorkspaceId,
  id: string,
): Promise<OwedMailRow | undefined> {
  return db
    .selectFrom('owed_mail')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function markSent(
  db: Db,
  row: Pick<OwedMailRow, 'workspace_id' | 'id'>,
  sentAt: Date,
): Promise<void> {
  await db
    .updateTable('owed_mail')
    .set({ sent_at: sentAt })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
}

export async function deleteMail(
  db: Db,
  row: Pick<OwedMailRow, 'workspace_id' | 'id'>,
): Promise<void> {
  await db
    .deleteFrom('owed_mail')
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute();
}

/** Sweeps up mails, of one kind or of all, made before then that are in the queue's hands or behind it. */
export async function deleteOldMails(
  db: Db,
  before: Date,
  kind?: MailPayload['kind'],
): Promise<void> {
  const old = db
    .deleteFrom('owed_mail')
    .where('created_at', '<', before)
    .where('next_attempt_at', 'is', null);
  await (kind ? old.where(sql<boolean>`payload ->> 'kind' = ${kind}`) : old).execute();
}

/**
 * Holds mails that belong to no customer (a visitor's question). It has no users, accounts or money.
 * Made when first needed.
 */
export const OPERATOR_WORKSPACE_ID = '00000000-0000-7000-8000-00000000000f';

export async function openOperatorWorkspace(tx: Tx, now: Date): Promise<void> {
  await tx
    .insertInto('workspace')
    .values({ id: OPERATOR_WORKSPACE_ID, created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** The ticket with exactly these words that was written since then, if there is one. */
export async function findTicketMail(
  tx: Tx,
  ticket: { name: string; email: string; message: string; since: Date },
): Promise<string | undefined> {
  const { since, ...words } = ticket;
  const row = await tx
    .selectFrom('owed_mail')
    .select('id')
    .where('workspace_id', '=', OPERATOR_WORKSPACE_ID)
    .where('created_at', '>=', since)
    .where(sql<boolean>`payload @> ${JSON.stringify({ kind: 'support_ticket', ...words })}::jsonb`)
    .executeTakeFirst();
  return row?.id;
}

/** Owes a mail that belongs to no customer, or to none any more. */
export async function insertOperatorMail(
  tx: Tx,
  mail: { id: string; payload: MailPayload; now: Date },
): Promise<void> {
  await openOperatorWorkspace(tx, mail.now);
  await insertMail(tx, { workspaceId: OPERATOR_WORKSPACE_ID, ...mail });
}

/** Owes the operator a word about a dispute, which stays true whatever becomes of its customer. */
export async function insertDisputeNotice(
  tx: Tx,
  { id, notice, now }: { id: string; notice: DisputeNotice; now: Date },
): Promise<void> {
  await insertOperatorMail(tx, { id, payload: { kind: 'dispute_notice', ...notice }, now });
}

/** Owes support a ticket, of whoever wrote it. */
export async function insertTicketMail(
  tx: Tx,
  ticket: { ticketId: string; name: string; email: string; message: string; now: Date },
): Promise<void> {
  const { now, ...words } = ticket;
  const payload = { kind: 'support_ticket', ...words } as const;
  await insertOperatorMail(tx, { id: ticket.ticketId, payload, now });
}

/**
 * Forgets the questions under this address that support has. One still on its way is an answer owed: it
 * goes out first, and is swept up as the mails are.
 */
export async function deleteSentTickets(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom('owed_mail')
    .where('workspace_id', '=', OPERATOR_WORKSPACE_ID)
    .where('sent_at', 'is not', null)
    .where(sql<boolean>`payload @> ${JSON.stringify({ kind: 'support_ticket' })}::jsonb`)
    .where(sql<boolean>`lower(payload ->> 'email') = lower(${email})`)
    .execute();
}
