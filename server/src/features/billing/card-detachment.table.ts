import type { Generated } from 'kysely';

/** A deleted workspace whose cards are to be taken off its customer at the gateway. */
export interface CardDetachmentTable {
  workspace_id: string;
  gateway_customer_id: string;
  asked_at: Date;
  /** When the gateway first said that there are none left. */
  detached_at: Date | null;
  next_attempt_at: Date;
  fence: Generated<number>;
}
