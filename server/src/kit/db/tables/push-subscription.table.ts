import type { Generated } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/** A browser that is told when likes are done, as long as its session lives. */
export interface PushSubscriptionTable {
  workspace_id: WorkspaceId;
  session_id: string;
  /** Address at the browser's push service, and the keys that messages are encrypted with. */
  endpoint: string;
  p256dh: string;
  auth: string;
  created_at: Date;
  /** Orders that it is yet to be told of. */
  pending_order_ids: Generated<string[]>;
  /** Null: nothing is to be told. */
  next_attempt_at: Generated<Date | null>;
  /** How often it was tried in vain since it was last told something. */
  attempts: Generated<number>;
}
