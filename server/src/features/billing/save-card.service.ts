import type { DeclineCode, SavedCard } from '../../adapters/stripe/card-gateway.ts';
import type { Deps } from '../../deps.ts';
import { findUser } from '../users/user.repository.ts';
import { customerGone } from '../users/workspace-lock.ts';
import { LOOK_AGAIN_MS } from './card-detachment.repository.ts';
import type { CardForm } from './checkout-checks.ts';
import { findGatewayCustomer } from './checkout.repository.ts';
import {
  adoptCustomer,
  type CustomerRequestKey,
  endCustomerRequest,
  openCustomerRequest,
} from './customer-request.repository.ts';
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
 * @throws ApiError `payment_unavailable`: nothing was charged; `session_ended`
 */
export async function saveCard(
  deps: SaveCardDeps,
  owner: CardOwner,
  form: Omit<CardForm, 'forAllPlans'>,
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
      const { kind: _, ...card } = answer;
      return { kind: 'saved', card };
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
  if (!user) throw customerGone();
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
  return keepCustomer(deps, request, answer.customerId);
}

/** Keeps a customer just made; the gateway is told to forget one that is not wanted after all. */
async function keepCustomer(
  { database, gateway, log }: SaveCardDeps,
  request: CustomerRequestKey,
  customerId: string,
): Promise<string> {
  const { workspace_id: workspaceId } = request;
  const isKept = await database.transaction((tx) => adoptCustomer(tx, workspaceId, customerId));
  const isTold = isKept || (await gateway.deleteCustomer({ customerId })).kind === 'done';
  if (isTold) await endCustomerRequest(database.db, request);
  // With the request, which stays, it is found and deleted later.
  else log.warn('second gateway customer not deleted', { workspaceId });
  const kept = await findGatewayCustomer(database.db, workspaceId);
  if (kept === undefined) throw customerGone();
  return kept;
}
