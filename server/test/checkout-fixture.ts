import type { User } from '#shared/contract/people/user.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { insertAccount } from '#server/network/accounts/account.repository.ts';
import { replaceBillingInfo } from '#server/money/payments/billing-info.service.ts';
import {
  addSubscription,
  type SubscriptionForm,
} from '#server/money/checkout/add-subscription.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { insertUser } from '#server/identity/users/user.repository.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { TestDeps } from './test-deps.ts';
import { ownerSession } from './people/owner-session.ts';
import { paymentBeingChecked } from '#server/money/charges/payment-error.ts';

/** A signed-in customer with one connected account and a filled-in checkout form. */
export interface Shopper {
  session: Session;
  igUsername: string;
  accountId: string;
  form: TypedForm;
}

/** With a card as it is typed into the product's own form. */
export type TypedForm = Extract<SubscriptionForm, { ccNum: string }>;

/** What must never be found outside the gateway. */
export const CANARIES = { cvv: '739', address: '1 Canary Wharf', phone: '15550107399' };

export function filledForm(
  shopper: { userId: string; igUsername: string },
  changes: Partial<TypedForm> = {},
): TypedForm {
  return {
    userId: shopper.userId,
    igUsername: shopper.igUsername,
    packageIndex: 2,
    timeZone: 'America/New_York',
    ccName: 'Ada Example',
    ccNum: '4242424242424242',
    ccMonth: 12,
    ccYear: 2030,
    cvv: CANARIES.cvv,
    address: CANARIES.address,
    apartment: '',
    zip: '10115',
    city: 'New York',
    state: 'NY',
    country: 'US',
    phone: CANARIES.phone,
    forAllPlans: false,
    ...changes,
  };
}

/** Makes a customer in a workspace of their own. `onNetwork: false`: the network account exists. */
export async function newShopper(
  deps: TestDeps,
  igUsername: string,
  options: { onNetwork?: boolean } = {},
): Promise<Shopper> {
  if (options.onNetwork !== false) deps.network.addAccount(igUsername);
  return deps.database.transaction((tx) => insertShopper(tx, deps, igUsername));
}

/** The same, the network account existing, in a transaction that goes on. */
export async function insertShopper(
  tx: Tx,
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  igUsername: string,
): Promise<Shopper> {
  const now = new Date(clock.now());
  const [workspaceId, userId, accountId, sessionId] = Array.from({ length: 4 }, () =>
    ids.uuid(),
  ) as [string, string, string, string];
  await insertUser(tx, {
    workspace_id: workspaceId,
    id: userId,
    name: 'Ada Example',
    email: `${userId}@example.test`,
    phone: '5550100000',
    password_hash: 'none',
    package: 2,
    time_zone: 'UTC',
    created_at: now,
  });
  await insertAccount(tx, { workspaceId, id: accountId, igUsername, now });
  return {
    session: ownerSession({ sessionId, userId, workspaceId }),
    igUsername,
    accountId,
    form: filledForm({ userId, igUsername }),
  };
}

/** What a customer is told: "paid", or the error's code. */
export type Told = { kind: 'paid'; user: User } | { kind: 'error'; error: ApiError };

/** What a checkout answers where nobody looks at it: reading a customer takes twenty statements. */
const UNSEEN: User = {
  id: '',
  name: '',
  email: '',
  phone: '',
  timeZone: 'UTC',
  createdAt: '',
  credits: 0,
  canSpendCredits: false,
  inSubscription: false,
  defaultIgUsername: '',
  defaultIgId: '',
  profilePic: '',
  package: 1,
  connectedAccounts: [],
  billingInfo: null,
  creditsTransactions: [],
  isDemoData: true,
};

/** How whoever pays is answered; the product's is `viewUser`. */
export type View = (deps: Deps, session: Session) => Promise<User>;

const seeNothing: View = () => Promise.resolve(UNSEEN);

/** Who pays, as a route hands it to a checkout. */
export const payerOf = (deps: Deps, session: Session, view = seeNothing) => ({
  session,
  viewUser: () => view(deps, session),
  address: session.workspaceId,
});

export async function tell(pay: () => Promise<{ data: User }>): Promise<Told> {
  try {
    return { kind: 'paid', user: (await pay()).data };
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'error', error };
    throw error;
  }
}

/** Sends the checkout form to a node; each `deps` given is a node of its own. */
export function createNode(deps: Deps, view?: View) {
  const attempts = createAttempts(deps, paymentBeingChecked);
  return async (
    shopper: Shopper,
    idempotencyKey: string | undefined,
    changes: Partial<TypedForm> = {},
  ): Promise<Told> => {
    const form = { ...shopper.form, ...changes };
    const submit = { ...payerOf(deps, shopper.session, view), form, idempotencyKey };
    return tell(() => addSubscription(deps, attempts, submit));
  };
}

/** Sends the form that replaces the saved card to a node. */
export function createCardReplacer(deps: Deps) {
  const attempts = createAttempts(deps, paymentBeingChecked);
  return (
    { session, form }: Shopper,
    changes: Partial<TypedForm>,
    idempotencyKey = 'card',
  ): Promise<Told> => {
    const submit = { ...payerOf(deps, session), form: { ...form, ...changes }, idempotencyKey };
    return tell(() => replaceBillingInfo(deps, attempts, submit));
  };
}

export const wordOf = (told: Told): string => (told.kind === 'paid' ? 'paid' : told.error.code);

/** Somebody else gets a plan for the account while the shopper pays for theirs. */
export async function loseAccount(deps: TestDeps, shopper: Shopper): Promise<void> {
  await deps.database.db
    .deleteFrom('network_subscription')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  const other = await newShopper(deps, shopper.igUsername, { onNetwork: false });
  const told = wordOf(await createNode(deps)(other, 'form'));
  if (told !== 'paid') throw new Error(`The other one has no plan: ${told}`);
}
