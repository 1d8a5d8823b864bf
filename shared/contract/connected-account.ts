import * as v from 'valibot';
import { defineCall } from './call.ts';
import { instant, uuid } from './fields.ts';

export const SUBSCRIPTION_STATES = ['Active', 'Paused', 'Past due', 'Canceled', 'Expired'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** Why an account can't be read at the moment; null when it can (D6). */
export const ACCOUNT_PROBLEMS = ['unreadable', 'throttled', 'unreachable'] as const;
export type AccountProblem = (typeof ACCOUNT_PROBLEMS)[number];

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
  subscriptionState: v.nullable(v.picklist(SUBSCRIPTION_STATES)),
  problem: v.nullable(v.picklist(ACCOUNT_PROBLEMS)),
  followers: v.nullable(v.number()),
  /** When the network was last read, or null. */
  lastReadAt: v.nullable(instant),
});
export type ConnectedAccount = v.InferOutput<typeof ConnectedAccount>;

export const findConnectedAccounts = defineCall({
  method: 'POST',
  path: '/user/connectedAccount/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: 'The connected accounts of the signed-in customer.',
  input: v.object({ userId: uuid }),
  data: v.array(ConnectedAccount),
  errors: ['not_yours'],
});
