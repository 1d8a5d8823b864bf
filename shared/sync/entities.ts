import * as v from 'valibot';
import { DeliverySettings } from '../contract/account-changes.ts';
import { ConnectedAccount } from '../contract/connected-account.ts';
import { LedgerEntry } from '../contract/credits.ts';
import { instant, uuid } from '../contract/fields.ts';
import { LikeOrder } from '../contract/like-order.ts';
import { Post } from '../contract/post.ts';
import { BillingInfo, CreditsTransaction } from '../contract/user.ts';
import type { ScopeKind } from './scope.ts';

/**
 * A connected account; id: `accountId`. `lastReadAt` is as of the row's last change: a look that finds
 * nothing new doesn't write the row.
 */
export const AccountChange = v.object({
  ...ConnectedAccount.entries,
  accountId: uuid,
  connectedAt: instant,
});
export type AccountChange = v.InferOutput<typeof AccountChange>;

/** Delivery settings of one account; id: `accountId`. */
export const DeliverySettingsChange = v.object({
  accountId: uuid,
  igId: v.string(),
  settings: DeliverySettings,
  /** Likes of the account's plan; null without a plan. */
  planLikes: v.nullable(v.number()),
});
export type DeliverySettingsChange = v.InferOutput<typeof DeliverySettingsChange>;

/** A post; id: `postKey(accountId, post id)`, because an old post may stay with a renamed account. */
export const PostChange = v.object({
  ...Post.entries,
  accountId: uuid,
  /** Posts of one second are told apart by it: the smaller, the newer. */
  listPosition: v.number(),
});
export type PostChange = v.InferOutput<typeof PostChange>;

/** An order with its receipt; id: the order's. */
export const OrderChange = v.object({ ...LikeOrder.entries, accountId: uuid });
export type OrderChange = v.InferOutput<typeof OrderChange>;

/** What the workspace can spend and pays with; id: the workspace's. */
export const WalletChange = v.object({
  credits: v.number(),
  /** Bonus credits among them that can be spent after a first payment only. */
  lockedBonus: v.number(),
  billingInfo: v.nullable(BillingInfo),
});
export type WalletChange = v.InferOutput<typeof WalletChange>;

export const DENSITIES = ['comfortable', 'compact'] as const;

export const Preferences = v.object({
  density: v.picklist(DENSITIES),
  /** The account shown at the moment; null: the default account. */
  activeAccountId: v.nullable(uuid),
  /** Accounts whose pictures are kept for offline use. */
  pinnedAccountIds: v.array(uuid),
  /** Whether a mail tells when the likes of an order are done; missing in copies of before: no. */
  likesDoneMail: v.optional(v.boolean()),
});
export type Preferences = v.InferOutput<typeof Preferences>;

/** The person; id: the user's. */
export const UserChange = v.object({
  id: uuid,
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  timeZone: v.string(),
  /** Plan number chosen at sign-up, 1-based. */
  package: v.number(),
  inSubscription: v.boolean(),
  defaultAccountId: v.nullable(uuid),
  /** True while an outside system is the sandbox (D1). */
  isDemoData: v.boolean(),
  preferences: Preferences,
});
export type UserChange = v.InferOutput<typeof UserChange>;

/** A signed-in browser; id: the session's. Over once `expiresAt` has passed, with no further word. */
export const DeviceChange = v.object({
  id: uuid,
  userAgent: v.string(),
  createdAt: instant,
  /** As of the row's last change. */
  lastSeenAt: instant,
  expiresAt: instant,
});
export type DeviceChange = v.InferOutput<typeof DeviceChange>;

/** Every entity with the schema of its rows. */
export const ENTITY_ROWS = {
  account: AccountChange,
  deliverySettings: DeliverySettingsChange,
  post: PostChange,
  order: OrderChange,
  wallet: WalletChange,
  transaction: CreditsTransaction,
  ledger: LedgerEntry,
  user: UserChange,
  device: DeviceChange,
} as const;

export type EntityName = keyof typeof ENTITY_ROWS;
export type EntityRow<E extends EntityName> = v.InferOutput<(typeof ENTITY_ROWS)[E]>;
export const ENTITY_NAMES = Object.keys(ENTITY_ROWS) as EntityName[];

/** The entities of each kind of scope, in the order in which a snapshot brings them. */
export const SCOPE_ENTITIES = {
  w: ['account', 'deliverySettings', 'post', 'order'],
  b: ['wallet', 'transaction', 'ledger'],
  u: ['user', 'device'],
} as const satisfies Record<ScopeKind, readonly EntityName[]>;

/** The id of a post among the rows of its scope. */
export function postKey(accountId: string, postId: string): string {
  return `${accountId}/${postId}`;
}
