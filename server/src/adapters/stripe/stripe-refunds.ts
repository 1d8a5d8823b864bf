import type { Stripe } from 'stripe';
import * as v from 'valibot';
import type {
  FindRefundOutcome,
  GatewayOutcome,
  ListRefundsOutcome,
  ListRequest,
  RefundRequest,
} from './card-gateway.ts';
import { pageOf, RefundAnswer, RefundPage } from './stripe-answers.ts';

export async function refund(
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
export async function findRefund(
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

export async function listRefunds(
  stripe: Stripe,
  request: ListRequest,
): Promise<ListRefundsOutcome> {
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
