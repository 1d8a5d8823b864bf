import * as v from 'valibot';
import { ConnectedAccount } from '../contract/accounts/connected-account.ts';
import { LedgerEntry } from '../contract/money/credits.ts';
import { accountId, instant, uuid } from '../contract/fields.ts';
import { LikeOrder } from '../contract/accounts/like-order.ts';
import { Post } from '../contract/accounts/post.ts';
import { ALERT_KINDS } from '../domain/accounts/alert.ts';
import { ORDER_REASONS } from '../domain/delivery/order-reasons.ts';
import { BillingInfo, CreditsTransaction, Membership } from '../contract/people/user.ts';

/**
 * A connected account; id: `accountId`. `lastReadAt` is as of the row's last change: a poll that finds
 * nothing new doesn't write the row.
 */
export const AccountChange = v.object({
  ...ConnectedAccount.entries,
  accountId,
  connectedAt: instant,
});
export type AccountChange = v.InferOutput<typeof AccountChange>;

/** A post; id: `postKey(accountId, post id)`, because an old post may stay with a renamed account. */
export const PostChange = v.object({
  ...Post.entries,
  accountId,
  /** Posts of one second are told apart by it: the smaller, the newer. */
  listPosition: v.number(),
});
export type PostChange = v.InferOutput<typeof PostChange>;

/** An order with its receipt; id: the order's. */
export const OrderChange = v.object({
  ...LikeOrder.entries,
  accountId,
  /** Why it ended as it did; missing in replicas of before. */
  reasonCode: v.optional(v.nullable(v.picklist(ORDER_REASONS))),
});
export type OrderChange = v.InferOutput<typeof OrderChange>;

/** What the workspace can spend and pays with; id: the workspace's. */
export const WalletChange = v.object({
  credits: v.number(),
  /** Bonus credits among them that can be spent after a first payment only. */
  lockedBonus: v.number(),
  billingInfo: v.nullable(BillingInfo),
  /** Budgets of which all is spent, each until its month ends; missing in replicas of before. */
  reachedBudgets: v.optional(
    v.array(
      v.object({
        /** Null: a client's, or the workspace's. */
        accountId: v.nullable(accountId),
        /** Whose it is, if it is a client’s; missing in replicas of before. */
        client: v.optional(v.nullable(v.object({ id: uuid, name: v.string() }))),
        /** Dollars. */
        limit: v.number(),
        /** "2026-11" */
        month: v.string(),
        reachedAt: instant,
        until: instant,
      }),
    ),
  ),
});
export type WalletChange = v.InferOutput<typeof WalletChange>;

export const DENSITIES = ['comfortable', 'compact'] as const;

const AlertChoices = v.object({
  /** The newest alert they have read. */
  readUntil: v.nullable(instant),
  mutes: v.array(v.object({ kind: v.picklist(ALERT_KINDS), clientId: v.nullable(uuid) })),
  /** Of their own day; null: no mail. */
  mailHour: v.nullable(v.number()),
});
export type AlertChoices = v.InferOutput<typeof AlertChoices>;

const Preferences = v.object({
  density: v.picklist(DENSITIES),
  /** The account shown at the moment; null: the default account. */
  activeAccountId: v.nullable(accountId),
  /** Accounts whose pictures are kept for offline use. */
  pinnedAccountIds: v.array(accountId),
  /** Whether a mail tells when the likes of an order are done; missing in replicas of before: no. */
  likesDoneMail: v.optional(v.boolean()),
  /** Missing: nothing is read, muted or mailed. */
  alerts: v.optional(AlertChoices),
});
export type Preferences = v.InferOutput<typeof Preferences>;

/** The person in the workspace; id: as `User`'s. */
export const UserChange = v.object({
  id: uuid,
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  timeZone: v.string(),
  /** Plan number chosen at sign-up, 1-based. */
  package: v.number(),
  inSubscription: v.boolean(),
  defaultAccountId: v.nullable(accountId),
  /** Missing in replicas of before there were others: the owner alone. */
  membership: v.optional(Membership),
  /** True while an outside system is the sandbox (D1). */
  isDemoData: v.boolean(),
  preferences: Preferences,
  /** Their own views of the table of accounts, and the shared ones of who works for all clients; missing in replicas of before. */
  views: v.optional(
    v.array(v.object({ id: uuid, name: v.string(), search: v.string(), isShared: v.boolean() })),
  ),
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

/** Entities of earlier schemas, which older clients still ask for. They have no rows any more. */
export const FORMER_ENTITIES = ['deliverySettings'] as const;

export function isEntity(name: EntityName | (typeof FORMER_ENTITIES)[number]): name is EntityName {
  return Object.hasOwn(ENTITY_ROWS, name);
}
