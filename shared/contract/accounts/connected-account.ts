import * as v from 'valibot';
import { DELIVERY_SPEEDS } from '../../domain/delivery/delivery-speed.ts';
import { SUBSCRIPTION_STATES } from '../../domain/money/subscription-state.ts';
import { defineCall } from '../call.ts';
import { instant, uuid } from '../fields.ts';

/** Why an account can't be read at the moment; null when it can (D6). */
const ACCOUNT_PROBLEMS = ['unreadable', 'throttled', 'unreachable'] as const;
export type AccountProblem = (typeof ACCOUNT_PROBLEMS)[number];

export const MONEY_BACK_STATES = ['Requested', 'Approved', 'Paid'] as const;

/** A connected account (S§3; wire spellings as there). */
export const ConnectedAccount = v.object({
  igUsername: v.string(),
  /** Empty until the network has been asked for the first time. */
  igId: v.string(),
  /** `/proxy/...`, or empty. */
  profilePic: v.string(),
  accountPackageId: v.nullable(v.number()),
  /** Start of the current period. */
  accountPackageSubsriptionDate: v.nullable(instant),
  nextBillingDate: v.nullable(instant),
  /** The plan that follows at a due date, when that is another one than now; null: it stays (D5). */
  nextPackageId: v.nullable(v.number()),
  /** From when it holds; null with `nextPackageId`. */
  nextPackageFrom: v.nullable(instant),
  subscriptionState: v.nullable(v.picklist(SUBSCRIPTION_STATES)),
  problem: v.nullable(v.picklist(ACCOUNT_PROBLEMS)),
  /** Since when it can't be read; null or missing: it can, or nobody knows. */
  unreadableSince: v.optional(v.nullable(instant)),
  followers: v.nullable(v.number()),
  /** The last reading that was stored, or null: polls that find nothing new store none, so no screen shows it. */
  lastReadAt: v.nullable(instant),
  /** When the plan stops because the customer asked for it (at a period's end); null: it goes on. */
  endsAt: v.nullable(instant),
  /** When the pause that is planned or runs begins, and when the plan goes on by itself; else both null. */
  pausesAt: v.nullable(instant),
  resumesAt: v.nullable(instant),
  /** While a payment is past due: posts from then on wait for it. */
  postsWaitSince: v.nullable(instant),
  /** Since when a payment is past due; null or missing: none is. */
  pastDueSince: v.optional(v.nullable(instant)),
  /** Whether posts wait for a payment, for members who don't see payments. Missing for the others: they see `postsWaitSince`. */
  postsWait: v.optional(v.boolean()),
  /** The plan's zone: its days begin at midnight there, and its dates stand in it. */
  timeZone: v.nullable(v.string()),
  /** The last moment all money can be asked back (D5); null: not, or no longer, possible. */
  moneyBackUntil: v.nullable(instant),
  /**
   * The most that money back can return, in dollars: what was charged and hasn't gone back. The quote says what it
   * returns. Null with `moneyBackUntil`.
   */
  moneyBackAmount: v.nullable(v.number()),
  /** How the money back of its newest plan stands; null: not asked for. */
  moneyBackState: v.nullable(v.picklist(MONEY_BACK_STATES)),
  /** Service credit (D5): days added to the current period because the account couldn't be served. */
  shiftDays: v.number(),
  /** Why days were added, in one sentence for the customer; null when none were. */
  shiftReason: v.nullable(v.string()),
  /** The delivery settings that hold now; `range` null: no irregular amounts. */
  delivery: v.object({
    automaticLikes: v.boolean(),
    speed: v.picklist(DELIVERY_SPEEDS),
    range: v.nullable(v.object({ min: v.number(), max: v.number() })),
  }),
  /** The customer's own words for it, each once, in their order. */
  tags: v.array(v.string()),
  /** Whose it is among the workspace's clients; null or missing: nobody's. */
  client: v.optional(v.nullable(v.object({ id: uuid, name: v.string() }))),
});
export type ConnectedAccount = v.InferOutput<typeof ConnectedAccount>;

/**
 * As who may not `readMoney` sees it: when something was or will be charged, that a card was declined and what goes back
 * is nothing they are told. A plan that is past due is to them what it delivers: active, until new posts wait.
 */
export const withoutMoney = <A extends ConnectedAccount>(account: A, nowMs: number): A => ({
  ...account,
  subscriptionState:
    account.subscriptionState === 'Past due' ? 'Active' : account.subscriptionState,
  postsWait: account.postsWait === true || isOver(account.postsWaitSince, nowMs),
  postsWaitSince: null,
  accountPackageSubsriptionDate: null,
  nextBillingDate: null,
  pastDueSince: null,
  moneyBackUntil: null,
  moneyBackAmount: null,
  moneyBackState: null,
  shiftDays: 0,
  shiftReason: null,
});

const isOver = (at: string | null, nowMs: number): boolean =>
  at !== null && Date.parse(at) <= nowMs;

export const findConnectedAccounts = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: 'The connected accounts of the logged-in customer.',
  input: v.object({ userId: uuid }),
  data: v.array(ConnectedAccount),
  errors: ['not_yours'],
});
