import * as v from 'valibot';
import { ROLES } from '../../domain/people/may.ts';
import { LAST_SIGNUP_PLAN } from '../../domain/money/plans.ts';
import { Versions } from '../scope.ts';
import { defineCall } from '../call.ts';
import { ConnectedAccount } from '../accounts/connected-account.ts';
import {
  email,
  EMAIL_RULE,
  flag,
  igUsername,
  instant,
  newPassword,
  phone,
  text,
  timeZone,
  uuid,
  wholeNumber,
} from '../fields.ts';

/** The saved card; `ccNum` is always masked (D4). */
export const BillingInfo = v.object({
  ccNum: v.string(),
  ccName: v.string(),
  ccMonth: v.string(),
  ccYear: v.string(),
});
export type BillingInfo = v.InferOutput<typeof BillingInfo>;

export const CreditsTransaction = v.object({
  id: uuid,
  createdAt: instant,
  igUsername: v.optional(v.string()),
  description: v.string(),
  /** Dollars. */
  price: v.number(),
  billingInfoId: v.nullable(BillingInfo),
});
export type CreditsTransaction = v.InferOutput<typeof CreditsTransaction>;

/** A workspace somebody is in. */
const Workspace = v.object({
  id: uuid,
  /** Its owner's name. */
  name: v.string(),
  role: v.picklist(ROLES),
});
export type Workspace = v.InferOutput<typeof Workspace>;

/** Where somebody acts, and where else they could. */
export const Membership = v.object({
  workspaceId: uuid,
  role: v.picklist(ROLES),
  /** False: only accounts of granted clients are seen, and no money; missing: true. */
  allClients: v.optional(v.boolean()),
  grants: v.optional(v.array(v.object({ clientId: uuid, role: v.picklist(ROLES) }))),
  /** People in the workspace, this one included. */
  people: v.number(),
  /** All of the person's, oldest first; of whoever is in one alone it is that one. */
  workspaces: v.array(Workspace),
});
export type Membership = v.InferOutput<typeof Membership>;

export const User = v.object({
  /** The person in the workspace they act in; of whoever has not been invited by anybody, the person. */
  id: uuid,
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  /** IANA name. */
  timeZone: v.string(),
  /** When the customer signed up. */
  createdAt: instant,
  credits: v.number(),
  /** False while bonus credits among them wait for a first payment (D4). */
  canSpendCredits: v.boolean(),
  inSubscription: v.boolean(),
  defaultIgUsername: v.string(),
  defaultIgId: v.string(),
  profilePic: v.string(),
  /** Plan number chosen at sign-up, 1-based. */
  package: v.number(),
  connectedAccounts: v.array(ConnectedAccount),
  billingInfo: v.nullable(BillingInfo),
  creditsTransactions: v.array(CreditsTransaction),
  /** Missing in what was kept before there were others: the owner alone. */
  membership: v.optional(Membership),
  /** True while an outside system is the sandbox: figures are then labelled "demo data" (D1). */
  isDemoData: v.boolean(),
  /** A replica that has reached these holds all that is said here; the client waits for them. */
  versions: v.optional(Versions),
});
export type User = v.InferOutput<typeof User>;

const MOST_ACCOUNTS_RULE = 'Please name at least one account';
export const login = defineCall({
  method: 'POST',
  path: '/user/user/login',
  encoding: 'form',
  session: 'none',
  summary: 'Logs in and sets the session cookie.',
  input: v.object({
    email: v.optional(v.string(), ''),
    password: v.optional(v.string(), ''),
    /** "Keep Me Signed in": the session lasts 30 days instead of this browser session. */
    keepSignedIn: v.optional(flag, false),
    /**
     * So many of the connected accounts at most, the default one among them; all when left out. For
     * clients that read the accounts by sync: 5,000 of them take longer than the rest of a log-in.
     */
    mostAccounts: v.optional(
      v.pipe(wholeNumber(MOST_ACCOUNTS_RULE), v.minValue(1, MOST_ACCOUNTS_RULE)),
    ),
  }),
  data: User,
  errors: ['wrong_credentials', 'rate_limited', 'overloaded'],
});

const PLAN_RULE = `Please choose a plan from 1 to ${LAST_SIGNUP_PLAN}`;
export const register = defineCall({
  method: 'POST',
  path: '/user/user/register',
  encoding: 'form',
  session: 'none',
  summary: 'Creates a customer with one connected account and logs in.',
  input: v.object({
    name: text('Please enter your name', 100),
    email: email(EMAIL_RULE),
    password: newPassword,
    igUsername,
    package: v.pipe(
      wholeNumber(PLAN_RULE),
      v.minValue(1, PLAN_RULE),
      v.maxValue(LAST_SIGNUP_PLAN, PLAN_RULE),
    ),
    phone: phone(),
    timeZone: v.optional(timeZone, 'UTC'),
    /** As at log-in. */
    keepSignedIn: v.optional(flag, false),
  }),
  data: User,
  errors: ['email_taken', 'account_unreadable', 'rate_limited', 'overloaded'],
});

export const logout = defineCall({
  method: 'POST',
  path: '/user/user/logout',
  encoding: 'json',
  session: 'none',
  summary: 'Ends this browser’s session. Succeeds even without one.',
  input: v.object({}),
  data: v.null(),
  errors: [],
});

export const findUser = defineCall({
  method: 'POST',
  path: '/user/user/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: 'The logged-in customer.',
  input: v.object({ userId: uuid }),
  data: User,
  errors: ['not_yours'],
});
