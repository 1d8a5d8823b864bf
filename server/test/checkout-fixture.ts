import type { User } from '#shared/contract/user.ts';
import { createSubmits } from '#server/http/submit.service.ts';
import type { Deps } from '#server/deps.ts';
import { insertAccount } from '#server/features/accounts/account.repository.ts';
import { addSubscription } from '#server/features/billing/add-subscription.service.ts';
import type { SubscriptionForm } from '#server/features/billing/checkout-checks.ts';
import type { Session } from '#server/features/users/session.service.ts';
import { insertUser } from '#server/features/users/user.repository.ts';
import { ApiError } from '#server/api-error.ts';
import type { TestDeps } from './test-deps.ts';

/** A signed-in customer with one connected account and a filled-in checkout form. */
export interface Shopper {
  session: Session;
  igUsername: string;
  accountId: string;
  form: SubscriptionForm;
}

/** What must never be found outside the gateway. */
export const CANARIES = { cvv: '739', address: '1 Canary Wharf', phone: '15550107399' };

export function filledForm(
  shopper: { userId: string; igUsername: string },
  changes: Partial<SubscriptionForm> = {},
): SubscriptionForm {
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
  const now = new Date(deps.clock.now());
  const [workspaceId, userId, accountId, sessionId] = Array.from({ length: 4 }, () =>
    deps.ids.uuid(),
  ) as [string, string, string, string];
  if (options.onNetwork !== false) deps.network.addAccount(igUsername);
  await deps.database.transaction(async (tx) => {
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
  });
  return {
    session: { sessionId, userId, workspaceId },
    igUsername,
    accountId,
    form: filledForm({ userId, igUsername }),
  };
}

/** What a customer is told: "paid", or the error's code. */
export type Told = { kind: 'paid'; user: User } | { kind: 'error'; error: ApiError };

/** Sends the checkout form to a node; each `deps` given is a node of its own. */
export function createNode(deps: Deps) {
  const submits = createSubmits(deps);
  return async (
    shopper: Shopper,
    idempotencyKey: string | undefined,
    changes: Partial<SubscriptionForm> = {},
  ): Promise<Told> => {
    const form = { ...shopper.form, ...changes };
    const { session } = shopper;
    const submit = { session, form, idempotencyKey, address: session.workspaceId };
    try {
      return { kind: 'paid', user: (await addSubscription(deps, submits, submit)).data };
    } catch (error) {
      if (error instanceof ApiError) return { kind: 'error', error };
      throw error;
    }
  };
}

export const wordOf = (told: Told): string => (told.kind === 'paid' ? 'paid' : told.error.code);
