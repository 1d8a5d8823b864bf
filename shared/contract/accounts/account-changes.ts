import * as v from 'valibot';
import {
  cleanTag,
  problemOfTag,
  TAG_LIMITS,
  TAGGED_AT_ONCE,
} from '../../domain/accounts/account-tags.ts';
import { DELIVERY_SPEEDS } from '../../domain/delivery/delivery-speed.ts';
import { LIKES_RANGE } from '../../domain/delivery/automatic-likes.ts';
import { defineCall } from '../call.ts';
import { accountId, igId, igUsername, instant, uuid, wholeNumber } from '../fields.ts';
import { ConnectedAccount } from './connected-account.ts';
import { User } from '../people/user.ts';

export const addAccount = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/addRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Connects an account without a plan. A removed account comes back with its history.',
  input: v.object({ userId: uuid, igUsername }),
  data: v.object({ igUsername: v.string(), igId: v.string() }),
  errors: [
    'not_yours',
    'account_unreadable',
    'too_many_accounts',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});

/** What stands in the way of a plan for a network account, until it is shown whose it is (D6). */
const OWNERSHIP_STATUSES = ['free', 'proof_needed', 'money_back_used'] as const;

export const lookUpAccount = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/lookUp',
  encoding: 'json',
  session: 'required',
  summary: 'Looks up an account by its username without connecting it.',
  input: v.object({ userId: uuid, igUsername }),
  data: v.object({
    igUsername: v.string(),
    igId: v.string(),
    followers: v.number(),
    /** The customer has it already. */
    isConnected: v.boolean(),
    standing: v.picklist(OWNERSHIP_STATUSES),
  }),
  errors: [
    'not_yours',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});

export const removeAccount = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/removeRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Removes an account that has no running plan. Its payments stay on record.',
  input: v.object({ userId: uuid, igUsername }),
  data: User,
  errors: ['not_yours', 'not_found', 'account_in_use'],
});

/** How it stands with showing whose an account is. */
const Ownership = v.object({
  /**
   * `proof_needed`: a plan waits for the proof. `money_back_used`: the account's one money back was taken by
   * somebody else, and a proof makes it free again. `free`: there is nothing to show.
   */
  standing: v.picklist(OWNERSHIP_STATUSES),
  /** To be written into the profile's text; null when there is nothing to show. */
  code: v.nullable(v.string()),
  expiresAt: v.nullable(instant),
  isProved: v.boolean(),
});
export type Ownership = v.InferOutput<typeof Ownership>;

export const findOwnership = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/findOwnership',
  encoding: 'json',
  session: 'required',
  summary:
    'Whether the customer must prove that a connected account is theirs, and the code that proves it.',
  input: v.object({ userId: uuid, igUsername }),
  data: Ownership,
  errors: ['not_yours', 'not_found'],
});

export const proveOwnership = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/proveOwnership',
  encoding: 'json',
  session: 'required',
  summary: 'Reads the profile’s bio. If the code is in it, the account counts as the customer’s.',
  input: v.object({ userId: uuid, igUsername }),
  data: Ownership,
  errors: [
    'not_yours',
    'not_found',
    'wrong_code',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});

export const updateUsername = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/updateUsername',
  encoding: 'json',
  session: 'required',
  summary:
    'Changes the username of a connected account, at most once every 48 hours. Never charges.',
  input: v.object({ userId: uuid, oldIgUsername: igUsername, igUsername }),
  data: User,
  errors: [
    'not_yours',
    'not_found',
    'too_many_accounts',
    'username_changed_recently',
    'account_already_subscribed',
    'budget_reached',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});

const RANGE_RULE = `Please enter a number from ${LIKES_RANGE.min} to ${LIKES_RANGE.max}`;
const rangeEnd = v.pipe(
  wholeNumber(RANGE_RULE),
  v.minValue(LIKES_RANGE.min, RANGE_RULE),
  v.maxValue(LIKES_RANGE.max, RANGE_RULE),
);

/** Delivery settings of one connected account (D6); `range` null: no irregular amounts. */
export const DeliverySettings = v.object({
  automaticLikes: v.boolean(),
  speed: v.picklist(DELIVERY_SPEEDS),
  range: v.nullable(
    v.pipe(
      v.object({ min: rangeEnd, max: rangeEnd }),
      v.forward(
        v.check(({ min, max }) => min <= max, 'The minimum can’t be higher than the maximum'),
        ['min'],
      ),
    ),
  ),
});
export type DeliverySettings = v.InferOutput<typeof DeliverySettings>;

/** The settings with what the customer must know beside them. */
const SettingsAnswer = v.object({
  settings: DeliverySettings,
  /** Set while the provider reports a backlog: likes may take up to 24 hours. */
  backlogMinutes: v.number(),
  /** Likes of the account's plan, to warn when the range lies below; null without a plan. */
  planLikes: v.nullable(v.number()),
});

export const findDeliverySettings = defineCall({
  method: 'POST',
  path: '/user/deliverySettings/findByIgId',
  encoding: 'json',
  session: 'required',
  summary: 'The delivery settings of a connected account.',
  input: v.object({ userId: uuid, igId }),
  data: SettingsAnswer,
  errors: ['not_yours'],
});

export const saveDeliverySettings = defineCall({
  method: 'POST',
  path: '/user/deliverySettings/saveRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Saves the delivery settings. They apply to posts detected from now on.',
  input: v.object({ userId: uuid, igId, settings: DeliverySettings }),
  data: SettingsAnswer,
  errors: [
    'not_yours',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});

const tag = v.pipe(
  v.string('Please type a tag.'),
  v.check(
    (typed) => problemOfTag(typed) === undefined,
    ({ input }) => problemOfTag(input) ?? '',
  ),
  v.transform(cleanTag),
);
export const tags = v.pipe(
  v.array(tag),
  v.maxLength(TAG_LIMITS.ofAccount, `An account has at most ${TAG_LIMITS.ofAccount} tags.`),
);

const someAccounts = <Item extends v.GenericSchema<string, string>>(item: Item) =>
  v.pipe(
    v.array(item),
    v.minLength(1, 'Please choose an account.'),
    v.maxLength(TAGGED_AT_ONCE, `Please choose at most ${TAGGED_AT_ONCE} accounts at once.`),
  );

/** Tags that these accounts get and lose; what they have besides stays. */
export const TagAccounts = v.object({
  accountIds: someAccounts(accountId),
  add: tags,
  remove: tags,
});

export const tagAccounts = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/tagRecords',
  encoding: 'json',
  session: 'required',
  summary: 'Gives connected accounts tags, and takes tags from them. Other tags stay.',
  input: v.object({ userId: uuid, igUsernames: someAccounts(igUsername), add: tags, remove: tags }),
  data: v.array(ConnectedAccount),
  errors: ['not_yours', 'not_found', 'too_many_tags', 'rate_limited'],
});
