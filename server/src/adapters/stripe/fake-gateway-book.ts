import type { ChargeRequest, GatewayDispute, ListRequest, RefundRequest } from './card-gateway.ts';

export interface FakeCharge {
  gatewayChargeId: string;
  request: ChargeRequest;
  state: 'succeeded' | 'declined';
  refundedCents: number;
  atMs: number;
  fingerprint: string;
}

export interface FakeRefund {
  gatewayRefundId: string;
  request: RefundRequest;
  state: 'succeeded' | 'failed';
  atMs: number;
}

export interface BookedDispute {
  dispute: GatewayDispute;
  atMs: number;
}

/** What may go back of a charge; undefined while its bank has called it back and nothing is decided. */
export function refundableCents(
  { gatewayChargeId, request, state, refundedCents }: FakeCharge,
  disputes: readonly BookedDispute[],
): number | undefined {
  const own = disputes
    .map(({ dispute }) => dispute)
    .filter((dispute) => dispute.gatewayChargeId === gatewayChargeId);
  if (own.some((dispute) => dispute.state === 'open')) return undefined;
  const lost = own.filter((dispute) => dispute.state === 'lost');
  const lostCents = lost.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return state === 'succeeded' ? request.amountCents - refundedCents - lostCents : 0;
}

const PAGE = 100;

/** One page of what was written down in order, newest first. */
export function pageOfBook<Entry extends { atMs: number }>(
  entries: readonly Entry[],
  { since, after }: ListRequest,
  idOf: (entry: Entry) => string,
): { page: Entry[]; after: string | undefined } {
  const book = entries.filter(({ atMs }) => atMs >= since.getTime()).toReversed();
  const from = book.findIndex((entry) => idOf(entry) === after) + 1;
  const page = book.slice(from, from + PAGE);
  const last = page.at(-1);
  return { page, after: last && book.length > from + PAGE ? idOf(last) : undefined };
}
