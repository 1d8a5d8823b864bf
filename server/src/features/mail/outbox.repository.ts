import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { MailPayload, OutboxTable } from './outbox.table.ts';

export type OutboxRow = Selectable<OutboxTable>;

/** Owes a mail; part of the transaction that is its reason. */
export async function insertMail(
  tx: Tx,
  mail: { workspaceId: string; id: string; payload: MailPayload; now: Date },
): Promise<void> {
  await tx
    .insertInto('outbox')
    .values({
      workspace_id: mail.workspaceId,
      id: mail.id,
      payload: JSON.stringify(mail.payload),
      created_at: mail.now,
      next_attempt_at: mail.now,
      sent_at: null,
    })
    .execute();
}

/** Takes due mails until `leaseUntil`; a mail nobody settles by then is due again. */
export async function claimMails(
  db: Db,
  claim: { now: Date; leaseUntil: Date; most: number },
): Promise<OutboxRow[]> {
  return db
    .updateTable('outbox')
    .set({
      next_attempt_at: claim.leaseUntil,
      fence: sql`fence + 1`,
      attempts: sql`attempts + 1`,
    })
    .where(sql<boolean>`(workspace_id, id) in (
      select workspace_id, id from outbox where next_attempt_at <= ${claim.now}
      order by next_attempt_at limit ${claim.most} for update skip locked)`)
    .returningAll()
    .execute();
}

/** Settles or postpones a claimed mail; false when another worker has overtaken this one. */
export async function settleMail(
  db: Db,
  row: OutboxRow,
  outcome: { sentAt: Date | null; nextAttemptAt: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ sent_at: outcome.sentAt, next_attempt_at: outcome.nextAttemptAt })
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .where('fence', '=', row.fence)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Holds mails that belong to no customer (a visitor's question). It has no users, accounts or money.
 * Made when first needed.
 */
export const OPERATOR_WORKSPACE_ID = '00000000-0000-7000-8000-00000000000f';

/** Owes support a ticket, of whoever wrote it. */
export async function insertTicketMail(
  tx: Tx,
  ticket: { ticketId: string; name: string; email: string; message: string; now: Date },
): Promise<void> {
  const { now, ...words } = ticket;
  await tx
    .insertInto('workspace')
    .values({ id: OPERATOR_WORKSPACE_ID, created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await insertMail(tx, {
    workspaceId: OPERATOR_WORKSPACE_ID,
    id: ticket.ticketId,
    payload: { kind: 'support_ticket', ...words },
    now,
  });
}
