import type { Stripe } from 'stripe';
import * as v from 'valibot';
import type {
  CancelOutcome,
  CardGateway,
  FindSetUpOutcome,
  GatewayOutcome,
  SetUpOutcome,
  SetUpRequest,
} from './card-gateway.ts';
import { CardPage, CURRENCY, intentState, SetupIntent, toSavedCard } from './stripe-answers.ts';
import { isRefusedRequest } from './stripe-failure.ts';

/** Stripe's ids say what they are of; its pages are "checkout sessions". */
const isPage = (gatewaySetUpId: string): boolean => gatewaySetUpId.startsWith('cs_');

export async function setUpCard(
  stripe: Stripe,
  request: SetUpRequest & { paymentMethodId: string },
): Promise<SetUpOutcome> {
  const answer = await stripe.setupIntents.create(
    {
      customer: request.customerId,
      payment_method: request.paymentMethodId,
      allowed_payment_method_types: ['card'],
      confirm: true,
      usage: 'off_session',
      return_url: request.returnUrl,
      metadata: { setUpId: request.setUpId },
      expand: ['payment_method'],
    },
    { idempotencyKey: request.key },
  );
  const intent = v.parse(SetupIntent, answer);
  const gatewaySetUpId = intent.id;
  const found = toFound(intent);
  switch (found.state) {
    case 'succeeded':
      return { kind: 'done', gatewaySetUpId, card: found.card };
    case 'needs_action':
      return { kind: 'needs_action', gatewaySetUpId, url: found.url };
    case 'declined':
      return { kind: 'declined', code: found.code };
    case 'pending':
      break;
  }
  return { kind: 'unknown', reason: `intent_${intent.status}` };
}

type Found = Extract<FindSetUpOutcome, { kind: 'found' }>;

function toFound(intent: SetupIntent): Found {
  const status = intentState(intent);
  if (status.state !== 'succeeded') return { kind: 'found', ...status };
  const { payment_method: method } = intent;
  // The gateway's page offers wallets: the card in one may be anybody's who has the device.
  const isCard = method && typeof method === 'object' && !method.card.wallet;
  const card = isCard ? toSavedCard(method) : undefined;
  return card
    ? { kind: 'found', state: 'succeeded', card }
    : { kind: 'found', state: 'declined', code: 'card_invalid' };
}

export async function openCardPage(
  stripe: Stripe,
  request: Parameters<CardGateway['openCardPage']>[0],
): Promise<GatewayOutcome<{ gatewaySetUpId: string; url: string }>> {
  const answer = await stripe.checkout.sessions.create(
    {
      mode: 'setup',
      customer: request.customerId,
      currency: CURRENCY,
      allowed_payment_method_types: ['card'],
      billing_address_collection: 'required',
      success_url: request.returnUrl,
      cancel_url: request.returnUrl,
      custom_text: { submit: { message: request.note } },
      expires_at: Math.floor(request.closesAt.getTime() / 1000),
      metadata: { setUpId: request.setUpId },
      setup_intent_data: { metadata: { setUpId: request.setUpId } },
    },
    { idempotencyKey: request.key },
  );
  const { id: gatewaySetUpId, url } = v.parse(CardPage, answer);
  return url ? { kind: 'done', gatewaySetUpId, url } : { kind: 'unknown', reason: 'no_page' };
}

export async function findSetUp(
  stripe: Stripe,
  { gatewaySetUpId: id }: { gatewaySetUpId: string },
): Promise<FindSetUpOutcome> {
  if (!isPage(id)) {
    const params = { expand: ['payment_method'] };
    return toFound(v.parse(SetupIntent, await stripe.setupIntents.retrieve(id, params)));
  }
  const params = { expand: ['setup_intent.payment_method'] };
  const page = v.parse(CardPage, await stripe.checkout.sessions.retrieve(id, params));
  if (page.status === 'open' && page.url) {
    return { kind: 'found', state: 'needs_action', url: page.url };
  }
  if (page.status === 'expired') {
    return { kind: 'found', state: 'declined', code: 'not_confirmed' };
  }
  const { setup_intent: intent } = page;
  return intent && typeof intent === 'object'
    ? toFound(intent)
    : { kind: 'found', state: 'pending' };
}

export async function cancelSetUp(
  stripe: Stripe,
  { gatewaySetUpId: id }: { gatewaySetUpId: string },
): Promise<CancelOutcome> {
  try {
    await (isPage(id) ? stripe.checkout.sessions.expire(id) : stripe.setupIntents.cancel(id));
    return { kind: 'done' };
  } catch (error) {
    if (!isRefusedRequest(error)) throw error;
  }
  const found = await findSetUp(stripe, { gatewaySetUpId: id });
  if (found.kind === 'unknown') return found;
  if (found.state === 'declined') return { kind: 'done' };
  return found.state === 'succeeded'
    ? { kind: 'succeeded' }
    : { kind: 'unknown', reason: found.state };
}
