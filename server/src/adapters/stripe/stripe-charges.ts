import type { Stripe } from 'stripe';
import * as v from 'valibot';
import type {
  CancelOutcome,
  CardGateway,
  ChargeOutcome,
  ChargeRequest,
  FindChargeOutcome,
  ListChargesOutcome,
  ListRequest,
  Presence,
} from './card-gateway.ts';
import {
  BookPage,
  CURRENCY,
  Intent,
  IntentList,
  intentState,
  isOtherCard,
  mismatchOf,
  pageOf,
  toGatewayCharge,
  wasTriedOtherwise,
} from './stripe-answers.ts';
import { isRefusedRequest } from './stripe-failure.ts';

/** Stripe lists newest first; a look-up goes back this many pages of 100. */
const FIND_PAGES_MAX = 50;

export async function charge(stripe: Stripe, request: ChargeRequest): Promise<ChargeOutcome> {
  const answer = await stripe.paymentIntents.create(
    {
      amount: request.amountCents,
      currency: CURRENCY,
      customer: request.customerId,
      payment_method: request.paymentMethodId,
      allowed_payment_method_types: ['card'],
      confirm: true,
      ...presenceParams(request.presence),
      description: request.description,
      metadata: { chargeId: request.chargeId },
    },
    { idempotencyKey: request.key },
  );
  const intent = v.parse(Intent, answer);
  const gatewayChargeId = intent.id;
  const status = intentState(intent);
  switch (status.state) {
    case 'succeeded':
      return mismatchOf(intent, request) ?? { kind: 'done', gatewayChargeId };
    case 'needs_action':
      return { kind: 'needs_action', gatewayChargeId, url: status.url };
    case 'declined':
      return { kind: 'declined', code: status.code };
    case 'pending':
      break;
  }
  return { kind: 'unknown', reason: `intent_${intent.status}` };
}

/** Without Stripe's script on the page the bank's question comes as an address to go to. */
function presenceParams(presence: Presence): Partial<Stripe.PaymentIntentCreateParams> {
  if (presence.kind === 'absent') return { off_session: true };
  return {
    return_url: presence.returnUrl,
    ...(presence.setsUpCard && { setup_future_usage: 'off_session' }),
  };
}

type Asked = Parameters<CardGateway['findCharge']>[0];

/** Not Stripe's search: that lags behind by up to a minute, and a look-up must not miss a charge. */
export async function findCharge(stripe: Stripe, asked: Asked): Promise<FindChargeOutcome> {
  const { customerId, chargeId, gatewayChargeId } = asked;
  if (gatewayChargeId !== undefined) {
    const params = { expand: ['latest_charge'] };
    const intent = await stripe.paymentIntents.retrieve(gatewayChargeId, params);
    return toFound([v.parse(Intent, intent)], asked);
  }
  const attempts: Intent[] = [];
  let startingAfter: string | undefined;
  for (let page = 0; page < FIND_PAGES_MAX; page += 1) {
    const answer = await stripe.paymentIntents.list({
      customer: customerId,
      limit: 100,
      ...(startingAfter && { starting_after: startingAfter }),
    });
    const { data, has_more: hasMore } = v.parse(IntentList, answer);
    attempts.push(...data.filter(({ metadata }) => metadata?.['chargeId'] === chargeId));
    startingAfter = data.at(-1)?.id;
    if (!hasMore || !startingAfter) return toFound(attempts, asked);
  }
  return attempts.length > 0
    ? toFound(attempts, asked)
    : { kind: 'unknown', reason: 'too_many_charges' };
}

/** Money that moved, or may still move, outweighs a refused attempt. */
function toFound(attempts: Intent[], asked: Asked): FindChargeOutcome {
  for (const state of ['succeeded', 'pending', 'needs_action', 'declined'] as const) {
    const intent = attempts.find((each) => intentState(each).state === state);
    if (intent) {
      const mismatch = state === 'succeeded' ? mismatchOf(intent, asked) : undefined;
      if (mismatch) return mismatch;
      const { id: gatewayChargeId, amount: amountCents } = intent;
      const found = { kind: 'found', gatewayChargeId, amountCents } as const;
      const status = intentState(intent);
      if (status.state === 'needs_action' && wasTriedOtherwise(intent, asked)) {
        return { ...found, state: 'declined', code: 'card_declined' };
      }
      return status.state === 'succeeded'
        ? { ...found, ...status, isOtherCard: isOtherCard(intent, asked) }
        : { ...found, ...status };
    }
  }
  return { kind: 'absent' };
}

export async function cancelCharge(
  stripe: Stripe,
  { gatewayChargeId }: { gatewayChargeId: string },
): Promise<CancelOutcome> {
  try {
    v.parse(Intent, await stripe.paymentIntents.cancel(gatewayChargeId));
    return { kind: 'done' };
  } catch (error) {
    if (!isRefusedRequest(error)) throw error;
  }
  // It has ended before; how, it says itself.
  const { status } = v.parse(Intent, await stripe.paymentIntents.retrieve(gatewayChargeId));
  if (status === 'canceled') return { kind: 'done' };
  return status === 'succeeded' ? { kind: 'succeeded' } : { kind: 'unknown', reason: status };
}

/** With the charge expanded: an intent doesn't say what was refunded of it. */
export async function listCharges(
  stripe: Stripe,
  request: ListRequest,
): Promise<ListChargesOutcome> {
  const answer = await stripe.paymentIntents.list({
    ...pageOf(request),
    expand: ['data.latest_charge'],
  });
  const { data, has_more: hasMore } = v.parse(BookPage, answer);
  return {
    kind: 'listed',
    charges: data.map(toGatewayCharge),
    after: hasMore ? data.at(-1)?.id : undefined,
  };
}
