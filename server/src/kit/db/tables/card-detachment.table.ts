import type { Generated } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/**
 * A deleted workspace whose cards, and then whose customer, are to go from the gateway.
 *
 *   asked ──> detached ──> detached when no checkout can be under way ──> (no money on its way) deleted: no row
 */
export interface CardDetachmentTable {
  workspace_id: WorkspaceId;
  gateway_customer_id: string;
  asked_at: Date;
  /** When the gateway last said that there are none left. */
  detached_at: Date | null;
  next_attempt_at: Date;
  fence: Generated<number>;
}
