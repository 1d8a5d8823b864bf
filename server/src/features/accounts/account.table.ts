import type { Generated } from 'kysely';
import type { AccountProblem } from '#shared/contract/connected-account.ts';
import type { DeliverySpeed } from '#shared/domain/delivery-speed.ts';

/** A network account that a workspace has connected. */
export interface AccountTable {
  workspace_id: string;
  id: string;
  ig_username: string;
  /** null until the network has been asked for the first time. */
  ig_id: string | null;
  profile_picture_url: string | null;
  followers: number | null;
  problem: AccountProblem | null;
  /** Delivery settings (D6). */
  automatic_likes: Generated<boolean>;
  speed: Generated<DeliverySpeed>;
  /** Both set, or both null: the irregular range. */
  range_min: number | null;
  range_max: number | null;
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
 * When an account is looked at next. A row of its own because it changes with every look, the
 * account hardly ever. Claiming a look schedules the next one under a rising `fence`: whoever comes
 * back with an older fence has been overtaken and must not store anything.
 */
export interface AccountWatchTable {
  workspace_id: string;
  account_id: string;
  ig_username: string;
  /** Only active accounts are looked at: those with an unended subscription, and freshly added ones. */
  is_active: boolean;
  next_look_at: Date;
  fence: Generated<number>;
  /** Sum over what the last look saw; equal means nothing to store. */
  digest: string | null;
  /** Failed looks in a row. */
  failures: Generated<number>;
  /** When the full history is imported next (pushed on while it runs); null: nothing to import. */
  next_import_at: Date | null;
}
