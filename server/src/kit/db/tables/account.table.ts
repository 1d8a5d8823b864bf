import type { Generated } from 'kysely';
import type { AccountProblem } from '#shared/contract/accounts/connected-account.ts';
import type { DeliverySpeed } from '#shared/domain/delivery/delivery-speed.ts';
import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';

/** A network account that a workspace has connected. */
export interface AccountTable {
  workspace_id: WorkspaceId;
  id: AccountId;
  ig_username: string;
  /** null until the network has been asked for the first time. */
  ig_id: IgId | null;
  profile_picture_url: string | null;
  followers: number | null;
  problem: AccountProblem | null;
  /** When it became unreadable and has not been read since; null: it is readable, or nobody knows. */
  unreadable_since: Generated<Date | null>;
  /** Delivery settings (D6). */
  automatic_likes: Generated<boolean>;
  speed: Generated<DeliverySpeed>;
  /** Both set, or both null: the irregular range. */
  range_min: number | null;
  range_max: number | null;
  /** The customer's words for it, in their order (`shared/domain/accounts/account-tags.ts`). */
  tags: Generated<string[]>;
  /** Whose it is among the workspace's clients; null: nobody's, which only members with all clients see. */
  client_id: Generated<string | null>;
  /** When the full history was imported; null while it isn't. */
  imported_at: Date | null;
  last_read_at: Date | null;
  /** When the customer last changed the username; null: never. At most once in 48 hours (D6). */
  username_changed_at: Date | null;
  /** When the customer removed it; its rows stay for the books. null: connected. */
  removed_at: Date | null;
  created_at: Date;
}

/**
 * When an account is polled next. A row of its own because it changes with every poll, the
 * account hardly ever. Claiming a poll schedules the next one under a rising `fence`: whoever comes
 * back with an older fence has been overtaken and must not store anything.
 */
export interface PollScheduleTable {
  workspace_id: WorkspaceId;
  account_id: AccountId;
  ig_username: string;
  /** Only active accounts are polled: those with an unended subscription, and freshly added ones. */
  is_active: boolean;
  next_poll_at: Date;
  fence: Generated<number>;
  /** Sum over what the last poll saw; equal means nothing to store. */
  fingerprint: string | null;
  /** Failed polls in a row. */
  failures: Generated<number>;
  /** When the full history is imported next (pushed on while it runs); null: nothing to import. */
  next_import_at: Date | null;
}
