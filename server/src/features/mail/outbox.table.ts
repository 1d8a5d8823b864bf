import type { Generated, JSONColumnType } from 'kysely';

/** A mail owed by a committed transaction. Sent under lease and fence, like every other work. */
export interface OutboxTable {
  workspace_id: string;
  id: string;
  payload: JSONColumnType<MailPayload>;
  created_at: Date;
  /** null once sent or given up. */
  next_attempt_at: Date | null;
  fence: Generated<number>;
  attempts: Generated<number>;
  sent_at: Date | null;
}

/** What a mail says is decided when it is sent; the row keeps only what it is about. */
export type MailPayload = { kind: 'welcome'; userId: string };
