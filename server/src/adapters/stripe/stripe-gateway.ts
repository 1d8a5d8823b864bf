import { Stripe } from 'stripe';
import * as v from 'valibot';
import type {
  CardGateway,
  ChargeOutcome,
  ChargeRequest,
  FindChargeOutcome,
  ListChargesOutcome,
  ListRequest,
} from './card-gateway.ts';
import {
  BookPage,
  CURRENCY,
  Identified,
  Intent,
  IntentList,
  intentState,
  mismatchOf,
  pageOf,
  toGatewayCharge,
} from './stripe-answers.ts';
import { deleteCustomer, detachCards, saveCard } from './stripe-cards.ts';
import { declineCode, type GatewayFailure, toFailure } from './stripe-failure.ts';
import { createStripeHttp } from './stripe-http.ts';
import { listDisputes } from './stripe-disputes.ts';
import { findRefund, listRefunds, refund } from './stripe-refunds.ts';

export interface StripeGatewayOptions {
  /** Where Stripe's `/v1` hangs: its own address, or the sandbox's with a path. */
  stripeUrl: string;
  secretKey: string;
  timeoutMs?: number;
}

/** Stripe lists newest first; a look-up goes back this many pages of 100. */
const FIND_PAGES_MAX = 50;

/** The card gateway behind Stripe's API. Never throws, never repeats a call by itself. */
export function createStripeGateway(
  options: StripeGatewayOptions,
): CardGateway & { close(): Promise<void> } {
  const timeoutMs = options.timeoutMs ?? 20_000;
  const http = createStripeHttp(new URL(options.stripeUrl), timeoutMs);
  const stripe = new Stripe(options.secretKey, {
    httpClient: http.httpClient,
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  });
  return {
    createCustomer: ({ key, email, workspaceId }) =>
      settle(async () => {
        const params = { email, metadata: { workspaceId } };
        const answer = await stripe.customers.create(params, { idempotencyKey: key });
        return { kind: 'done', customerId: v.parse(Identified, answer).id };
      }),
    saveCard: (request) => settle(() => saveCard(stripe, request)),
    charge: (request) => settle(() => charge(stripe, request)),
    findCharge: (request) => read(() => findCharge(stripe, request)),
    listCharges: (request) => read(() => listCharges(stripe, request)),
    refund: (request) => settle(() => refund(stripe, request)),
    findRefund: (request) => read(() => findRefund(stripe, request)),
    listRefunds: (request) => read(() => listRefunds(stripe, request)),
    listDisputes: (request) => read(() => listDisputes(stripe, request)),
    detachCards: (request) => settle(() => detachCards(stripe, request)),
    deleteCustomer: (request) => settle(() => deleteCustomer(stripe, request)),
    close: () => http.close(),
  };
}

async function settle<Outcome>(call: () => Promise<Outcome>): Promise<Outcome | GatewayFailure> {
  try {
    return await call();
  } catch (error) {
    return toFailure(error);
  }
}

/** A question that got no answer says nothing, whatever the reason. */
async function read<Answer>(
  question: () => Promise<Answer>,
): Promise<Answer | { kind: 'unknown'; reason: string }> {
  try {
    return await question();
  } catch (error) {
    const failure = toFailure(error);
    return { kind: 'unknown', reason: 'reason' in failure ? failure.reason : failure.code };
  }
}

async function charge(stripe: Stripe, request: ChargeRequest): Promise<ChargeOutcome> {
  const answer = await stripe.paymentIntents.create(
    {
      amount: request.amountCents,
      currency: CURRENCY,
      customer: request.customerId,
      payment_method: request.paymentMethodId,
      allowed_payment_method_types: ['card'],
      confirm: true,
      off_session: true,
      description: request.description,
      metadata: { chargeId: request.chargeId },
    },
    { idempotencyKey: request.key },
  );
  const intent = v.parse(Intent, answer);
  const state = intentState(intent);
  if (state === 'succeeded') {
    return mismatchOf(intent, request) ?? { kind: 'done', gatewayChargeId: intent.id };
  }
  if (state === 'pending') return { kind: 'unknown', reason: `intent_${intent.status}` };
  const { code, decline_code: reason } = intent.last_payment_error ?? {};
  return { kind: 'declined', code: declineCode(code, reason) };
}

/** Not Stripe's search: that lags behind by up to a minute, and a look-up must not miss a charge. */
async function findCharge(
  stripe: Stripe,
  asked: Parameters<CardGateway['findCharge']>[0],
): Promise<FindChargeOutcome> {
  const { customerId, chargeId } = asked;
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

/** With the charge expanded: an intent doesn't say what was refunded of it. */
async function listCharges(stripe: Stripe, request: ListRequest): Promise<ListChargesOutcome> {
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

/** Money that moved, or may still move, outweighs a refused attempt. */
function toFound(
  attempts: Intent[],
  asked: Parameters<CardGateway['findCharge']>[0],
): FindChargeOutcome {
  for (const state of ['succeeded', 'pending', 'declined'] as const) {
    const intent = attempts.find((each) => intentState(each) === state);
    if (intent) {
      const mismatch = state === 'succeeded' ? mismatchOf(intent, asked) : undefined;
      if (mismatch) return mismatch;
      return { kind: 'found', gatewayChargeId: intent.id, state, amountCents: intent.amount };
    }
  }
  return { kind: 'absent' };
}
