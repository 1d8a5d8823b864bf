import * as v from 'valibot';
import type {
  CancelOutcome,
  CardGateway,
  FindRefundOutcome,
  GatewayOutcome,
  ListRefundsOutcome,
  ListRequest,
  RefundRequest,
  GatewayDispute,
  ListDisputesOutcome,
} from './card-gateway.ts';
import { Identified, pageOf, RefundAnswer, RefundPage } from './stripe-answers.ts';
import { openStripe, type StripeOptions } from './stripe-client.ts';
import { deleteCustomer, detachCards, findCard, saveCard } from './stripe-cards.ts';
import { cancelCharge, charge, findCharge, listCharges } from './stripe-charges.ts';
import { failureReason, type GatewayFailure, toFailure } from './stripe-failure.ts';
import { cancelSetUp, findSetUp, openCardPage, setUpCard } from './stripe-set-ups.ts';
import type { Stripe } from 'stripe';

/** The card gateway behind Stripe's API. Never throws, never repeats a call by itself. */
export function createStripeGateway(
  options: StripeOptions,
): CardGateway & { close(): Promise<void> } {
  const { stripe, close } = openStripe(options);
  return {
    createCustomer: ({ key, email, workspaceId }) =>
      settle(async () => {
        const params = { email, metadata: { workspaceId } };
        const answer = await stripe.customers.create(params, { idempotencyKey: key });
        return { kind: 'done', customerId: v.parse(Identified, answer).id };
      }),
    saveCard: (request) => settle(() => saveCard(stripe, request)),
    findCard: (request) => read(() => findCard(stripe, request)),
    charge: (request) => settle(() => charge(stripe, request)),
    findCharge: (request) => read(() => findCharge(stripe, request)),
    cancelCharge: (request) => cancel(() => cancelCharge(stripe, request)),
    setUpCard: (request) => settle(() => setUpCard(stripe, request)),
    openCardPage: (request) => settle(() => openCardPage(stripe, request)),
    findSetUp: (request) => read(() => findSetUp(stripe, request)),
    cancelSetUp: (request) => cancel(() => cancelSetUp(stripe, request)),
    listCharges: (request) => read(() => listCharges(stripe, request)),
    refund: (request) => settle(() => refund(stripe, request)),
    findRefund: (request) => read(() => findRefund(stripe, request)),
    listRefunds: (request) => read(() => listRefunds(stripe, request)),
    listDisputes: (request) => read(() => listDisputes(stripe, request)),
    detachCards: (request) => settle(() => detachCards(stripe, request)),
    deleteCustomer: (request) => settle(() => deleteCustomer(stripe, request)),
    close,
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
    return { kind: 'unknown', reason: failureReason(error) };
  }
}

/** A refusal is no answer: what was to be cancelled may have been on its way. */
async function cancel(call: () => Promise<CancelOutcome>): Promise<CancelOutcome> {
  return read(call);
}

async function refund(
  stripe: Stripe,
  { key, refundId, gatewayChargeId, amountCents }: RefundRequest,
): Promise<GatewayOutcome<{ gatewayRefundId: string }>> {
  const params = { payment_intent: gatewayChargeId, amount: amountCents, metadata: { refundId } };
  const answer = await stripe.refunds.create(params, { idempotencyKey: key });
  const { id, status } = v.parse(RefundAnswer, answer);
  return isFailed(status)
    ? { kind: 'rejected', reason: `refund_${status}` }
    : { kind: 'done', gatewayRefundId: id };
}

/** Of several attempts under our id the one that pays counts. */
async function findRefund(
  stripe: Stripe,
  { gatewayChargeId, refundId }: { gatewayChargeId: string; refundId: string },
): Promise<FindRefundOutcome> {
  const answer = await stripe.refunds.list({ payment_intent: gatewayChargeId, limit: 100 });
  const { data, has_more: hasMore } = v.parse(RefundPage, answer);
  const attempts = data.filter(({ metadata }) => metadata?.['refundId'] === refundId);
  const found = attempts.find(({ status }) => !isFailed(status)) ?? attempts[0];
  if (found) {
    const state = isFailed(found.status) ? 'failed' : 'succeeded';
    return { kind: 'found', gatewayRefundId: found.id, state, amountCents: found.amount };
  }
  // A charge has few parts to give back; nobody makes a hundred of them.
  return hasMore ? { kind: 'unknown', reason: 'too_many_refunds' } : { kind: 'absent' };
}

async function listRefunds(stripe: Stripe, request: ListRequest): Promise<ListRefundsOutcome> {
  const answer = await stripe.refunds.list(pageOf(request));
  const { data, has_more: hasMore } = v.parse(RefundPage, answer);
  return {
    kind: 'listed',
    refunds: data.map((entry) => ({
      gatewayRefundId: entry.id,
      gatewayChargeId: entry.payment_intent ?? '',
      refundId: entry.metadata?.['refundId'],
      state: isFailed(entry.status) ? 'failed' : 'succeeded',
      amountCents: entry.amount,
      createdAt: new Date(entry.created * 1000),
    })),
    after: hasMore ? data.at(-1)?.id : undefined,
  };
}

/** What is pending is under way and arrives by itself. */
function isFailed(status: string | null | undefined): boolean {
  return status === 'failed' || status === 'canceled';
}

const DisputePage = v.object({
  data: v.array(
    v.object({
      ...Identified.entries,
      status: v.string(),
      amount: v.number(),
      created: v.number(),
      payment_intent: v.nullish(v.string()),
      charge: v.nullish(
        v.union([
          v.string(),
          v.object({
            payment_method_details: v.nullish(
              v.object({ card: v.nullish(v.object({ fingerprint: v.nullish(v.string()) })) }),
            ),
          }),
        ]),
      ),
    }),
  ),
  has_more: v.boolean(),
});
type Entry = v.InferOutput<typeof DisputePage>['data'][number];

/** With the charge expanded: only that one says which card it was. */
async function listDisputes(stripe: Stripe, request: ListRequest): Promise<ListDisputesOutcome> {
  const answer = await stripe.disputes.list({ ...pageOf(request), expand: ['data.charge'] });
  const { data, has_more: hasMore } = v.parse(DisputePage, answer);
  return {
    kind: 'listed',
    disputes: data.map((entry) => ({
      disputeId: entry.id,
      gatewayChargeId: entry.payment_intent ?? '',
      state: stateOf(entry.status),
      amountCents: entry.amount,
      openedAt: new Date(entry.created * 1000),
      fingerprint: fingerprintOf(entry),
    })),
    after: hasMore ? data.at(-1)?.id : undefined,
  };
}

function fingerprintOf({ charge }: Entry): string | undefined {
  if (!charge || typeof charge === 'string') return undefined;
  return charge.payment_method_details?.card?.fingerprint ?? undefined;
}

/** While an appeal runs the money stays away. A status this version doesn't know is one without an end. */
function stateOf(status: string): GatewayDispute['state'] {
  switch (status) {
    case 'warning_needs_response':
    case 'warning_under_review':
      return 'inquiry';
    case 'warning_closed':
    case 'won':
      return 'won';
    case 'lost':
    case 'prevented':
    case 'appeal_needs_response':
    case 'appeal_under_review':
      return 'lost';
    default:
      return 'open';
  }
}
