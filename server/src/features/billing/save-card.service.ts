import type { DeclineCode, SavedCard } from '../../adapters/stripe/card-gateway.ts';
import type { Deps } from '../../deps.ts';
import { findUser } from '../users/user.repository.ts';
import { detachLateCustomer, LOOK_AGAIN_MS } from './card-detachment.repository.ts';
import type { CardForm } from './checkout-checks.ts';
import { findGatewayCustomer, keepGatewayCustomer } from './checkout.repository.ts';
import { endCustomerRequest, openCustomerRequest } from './customer-request.repository.ts';
import { paymentUnavailable } from './payment-error.ts';

type SaveCardDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'log'>;

export type SaveCardOutcome =
  | { kind: 'saved'; card: SavedCard }
  | { kind: 'declined'; code: DeclineCode };

/** Who saves a card; the attempt's id makes the gateway keys, so that a repeat saves the same one. */
export interface CardOwner {
  workspaceId: string;
  userId: string;
  attemptId: string;
}

/**
 * Hands the card to the gateway. Number and CVV go no further than this call.
 * @throws ApiError `payment_unavailable`: nothing was charged
 */
export async function saveCard(
  deps: SaveCardDeps,
  owner: CardOwner,
  form: CardForm,
): Promise<SaveCardOutcome> {
  const customerId = await ensureCustomer(deps, owner);
  const answer = await deps.gateway.saveCard({
    key: `${owner.attemptId}:card`,
    customerId,
    card: {
      number: form.ccNum,
      month: form.ccMonth,
      year: form.ccYear,
      cvv: form.cvv,
      name: form.ccName,
      phone: form.phone,
      address: {
        line1: form.address,
        line2: form.apartment,
        city: form.city,
        state: form.state,
        zip: form.zip,
        country: form.country,
      },
    },
  });
  switch (answer.kind) {
    case 'done': {
      const { paymentMethodId, brand, lastDigits } = answer;
      return { kind: 'saved', card: { paymentMethodId, brand, lastDigits } };
    }
    case 'declined':
      return answer;
    case 'unknown':
    case 'rejected':
      break;
  }
  deps.log.error('card not saved', { workspaceId: owner.workspaceId, reason: answer.reason });
  throw paymentUnavailable();
}

async function ensureCustomer(
  deps: SaveCardDeps,
  { workspaceId, userId, attemptId }: CardOwner,
): Promise<string> {
  const { clock, database, gateway, log } = deps;
  const known = await findGatewayCustomer(database.db, workspaceId);
  if (known !== undefined) return known;
  const user = await findUser(database.db, { workspaceId, userId });
  if (!user) throw new Error(`No user ${userId}`);
  const { email } = user;
  const request = { workspace_id: workspaceId, key: `${attemptId}:customer` };
  const now = new Date(clock.now());
  const next_attempt_at = new Date(now.getTime() + LOOK_AGAIN_MS);
  await openCustomerRequest(database.db, { ...request, email, asked_at: now, next_attempt_at });
  const answer = await gateway.createCustomer({ key: request.key, email, workspaceId });
  if (answer.kind !== 'done') {
    // Without an answer there may be one, which is looked for later.
    if (answer.kind !== 'unknown') await endCustomerRequest(database.db, request);
    log.error('gateway customer not made', {
      workspaceId,
      reason: answer.kind === 'declined' ? answer.code : answer.reason,
    });
    throw paymentUnavailable();
  }
  return keepCustomer(deps, { workspaceId, userId }, request, answer.customerId);
}

/** Keeps a customer just made; the gateway is told to forget one that is not wanted after all. */
async function keepCustomer(
  { clock, database, gateway, log }: SaveCardDeps,
  { workspaceId, userId }: Omit<CardOwner, 'attemptId'>,
  request: { workspace_id: string; key: string },
  customerId: string,
): Promise<string> {
  await keepGatewayCustomer(database.db, workspaceId, customerId);
  if (!(await findUser(database.db, { workspaceId, userId }))) {
    // Deleted meanwhile, and who deleted has not heard of this customer.
    const now = new Date(clock.now());
    await database.transaction(async (tx) => {
      await detachLateCustomer(tx, workspaceId, now);
      await endCustomerRequest(tx, request);
    });
    throw paymentUnavailable();
  }
  const kept = (await findGatewayCustomer(database.db, workspaceId)) ?? customerId;
  if (kept !== customerId) {
    const { kind } = await gateway.deleteCustomer({ customerId });
    if (kind !== 'done') {
      log.warn('second gateway customer not deleted', { workspaceId });
      return kept;
    }
  }
  await endCustomerRequest(database.db, request);
  return kept;
}
