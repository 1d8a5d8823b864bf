import type { ChargeRequest, ListRequest, RefundRequest } from './card-gateway.ts';

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
