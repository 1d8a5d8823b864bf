import * as v from 'valibot';
import { DeliverySettings, TagAccounts } from '../contract/accounts/account-changes.ts';
import { addLikeOrder } from '../contract/money/credits.ts';
import { accountId, askedInstant, igId, text, uuid } from '../contract/fields.ts';
import { VIEW_NAME_LENGTH, VIEW_SEARCH_LENGTH } from '../domain/accounts/account-view.ts';
import { ALERT_KINDS } from '../domain/accounts/alert.ts';
import { DENSITIES } from './entities.ts';
import type { Action } from '../domain/people/may.ts';
import type { OrderId } from '../domain/ids.ts';
import { SYNC_LIMITS } from './limits.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Made by the client; sorts by time and is the order's id ever after. */
const orderId = v.pipe(
  v.string(),
  v.regex(UUID_V7, 'This isn’t a version 7 UUID'),
) as v.GenericSchema<string, OrderId>;

const { postId, shortCode, likes } = addLikeOrder.input.entries;

/** Everything that can be done offline, with its arguments. Payments can't. */
export const MUTATION_ARGS = {
  /** Extra likes for a post; refused: `not_yours`, `not_found`, `credits_too_low`. */
  orderLikes: v.object({ orderId, igId, postId, shortCode, likes }),
  /**
   * Delivery settings of one account, `seen` as they were before; refused: `not_yours`, `account_unreadable`,
   * `subscription_state` when somebody else has changed them since.
   */
  saveDeliverySettings: v.object({
    igId,
    settings: DeliverySettings,
    seen: v.optional(DeliverySettings),
  }),
  /** Tags of accounts; refused: `not_yours`, `too_many_tags`. */
  tagAccounts: TagAccounts,
  /** The account that is shown; refused: `not_yours`. */
  switchAccount: v.object({ accountId: v.nullable(accountId) }),
  /** What is left out stays; refused: `not_yours` for an account that isn't the workspace's. */
  setPreferences: v.object({
    density: v.optional(v.picklist(DENSITIES)),
    pinnedAccountIds: v.optional(
      v.pipe(v.array(uuid), v.maxLength(SYNC_LIMITS.pinnedAccounts, 'Too many pinned accounts')),
    ),
    likesDoneMail: v.optional(v.boolean()),
  }),
  /** What is left out stays; what is read is never unread again. */
  setAlerts: v.object({
    readUntil: v.optional(askedInstant),
    mailHour: v.optional(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(23))),
    ),
    /** One kind, of one client or of all; both are sent as they are to be. */
    mute: v.optional(
      v.object({ kind: v.picklist(ALERT_KINDS), clientId: v.nullable(uuid), isOn: v.boolean() }),
    ),
  }),
  /**
   * A view of the table of accounts: made, renamed, changed, shared or kept to oneself. What is shared takes a
   * manager; refused: `not_allowed`, `view_exists`, `too_many_views`.
   */
  saveView: v.object({
    viewId: uuid,
    name: text('Please give the view a name.', VIEW_NAME_LENGTH),
    search: v.pipe(
      v.string(),
      v.maxLength(VIEW_SEARCH_LENGTH, 'This view has too many filters to be saved.'),
    ),
    isShared: v.boolean(),
  }),
  /** One that is gone already is gone; refused: `not_allowed`. */
  removeView: v.object({ viewId: uuid }),
} as const;

export type MutationName = keyof typeof MUTATION_ARGS;

/** What each mutation does, for `may`; refused: `not_allowed`. */
export const MUTATION_ACTIONS: Readonly<Record<MutationName, Action>> = {
  orderLikes: 'spend',
  saveDeliverySettings: 'edit',
  tagAccounts: 'edit',
  switchAccount: 'self',
  setPreferences: 'self',
  setAlerts: 'self',
  // What is shared takes more, which its service asks.
  saveView: 'self',
  removeView: 'self',
};

export type ParsedMutationArgs<N extends MutationName> = v.InferOutput<(typeof MUTATION_ARGS)[N]>;
export const MUTATION_NAMES = Object.keys(MUTATION_ARGS) as MutationName[];
