import type { Generated } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/**
 * A customer the gateway was asked to make, written before the call and gone with its answer. One that
 * stays had no answer: asking again with the same key tells which customer it is.
 */
export interface CustomerRequestTable {
  workspace_id: WorkspaceId;
  /** The gateway's idempotency key. */
  key: string;
  /** As it was told to the gateway, which refuses the same key with another. */
  email: string;
  asked_at: Date;
  next_attempt_at: Date;
  fence: Generated<number>;
}
