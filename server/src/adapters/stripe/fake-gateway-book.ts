import { DAY_MS } from '#shared/domain/durations.ts';
import type {
  CardGateway,
  ChargeRequest,
  DeclineCode,
  GatewayDispute,
  GatewayOutcome,
  ListRequest,
  RefundRequest,
} from './card-gateway.ts';
import type { FakeCard } from './fake-gateway-cards.ts';

export type GatewayFailure = Exclude<GatewayOutcome<never>, { kind: 'done' }>;

/** Everything that a fake gateway knows. */
export interface FakeState {
  calls: { call: keyof CardGateway; key: string }[];
  /** Answers by idempotency key, with what was asked. */
  answers: Map<string, { asked: string; outcome: object; atMs: number }>;
  charges: FakeCharge[];
  /** The same by the gateway's ids, and by ours: a long run has a hundred thousand. */
  chargesById: Map<string, FakeCharge>;
  chargesByOurs: Map<string, FakeCharge[]>;
  refunds: FakeRefund[];
  disputes: BookedDispute[];
  customers: Map<string, string>;
  /** Attached ones, and tokens of nobody yet. */
  cards: Map<string, FakeCard>;
  setUps: Map<string, FakeSetUp>;
  failures: GatewayFailure[];
  lostAnswers: number;
  nextId: number;
  now: () => number;
}

export function bookCharge(state: FakeState, charge: FakeCharge): void {
  const { chargeId } = charge.request;
  state.charges.push(charge);
  state.chargesById.set(charge.gatewayChargeId, charge);
  state.chargesByOurs.set(chargeId, [...(state.chargesByOurs.get(chargeId) ?? []), charge]);
}

/** Keys are forgotten after a day, as gateways do. */
export const KEY_KEPT_MS = DAY_MS;

/** Keeps the answer of a key, and forgets those of the day before. */
export function keepAnswer(
  { answers, now }: FakeState,
  key: string,
  answer: { asked: string; outcome: object },
): void {
  // Anew at the end: the oldest come first.
  answers.delete(key);
  answers.set(key, { ...answer, atMs: now() });
  for (const [old, { atMs }] of answers) {
    if (now() - atMs < KEY_KEPT_MS) return;
    answers.delete(old);
  }
}

/** Writes a question down. @returns the failure that is queued for it */
export function beginReading(
  state: Pick<FakeState, 'calls' | 'failures'>,
  call: keyof CardGateway,
  key = '',
): { kind: 'unknown'; reason: string } | undefined {
  state.calls.push({ call, key });
  const failure = state.failures.shift();
  return failure && { kind: 'unknown', reason: failure.kind };
}

/** The answer, unless it is to be lost. */
export function heard<Answer extends object>(
  state: Pick<FakeState, 'lostAnswers'>,
  answer: Answer,
): Answer | { kind: 'unknown'; reason: string } {
  if (state.lostAnswers === 0) return answer;
  state.lostAnswers -= 1;
  return { kind: 'unknown', reason: 'answer lost' };
}

export interface FakeCharge {
  gatewayChargeId: string;
  request: ChargeRequest;
  /** With that card instead. */
  paidWith?: string;
  /** The last card that its bank has refused; stays, whichever card comes next. */
  declinedWith?: string;
  state: 'succeeded' | 'declined' | 'needs_action';
  /** Why it is declined, or will be once the bank has been asked. */
  code: DeclineCode | undefined;
  /** Nobody can pay it any more. */
  isCanceled: boolean;
  refundedCents: number;
  atMs: number;
  fingerprint: string;
}

/** A card that is being set up, or a page on which one is entered. */
export interface FakeSetUp {
  customerId: string;
  /** Of the card; on a page undefined until one was entered. */
  paymentMethodId: string | undefined;
  state: 'succeeded' | 'declined' | 'needs_action';
  code: DeclineCode | undefined;
  isCanceled: boolean;
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

/** While one of these holds, the money is with the cardholder's bank. */
export const hasMoney = ({ state }: GatewayDispute): boolean =>
  state === 'open' || state === 'lost';

/** What may go back of a charge; undefined while its bank has called it back and nothing is decided. */
export function refundableCents(
  charge: FakeCharge,
  disputes: readonly BookedDispute[],
): number | undefined {
  const isOpen = disputes.some(
    ({ dispute }) => dispute.gatewayChargeId === charge.gatewayChargeId && dispute.state === 'open',
  );
  if (isOpen) return undefined;
  return charge.state === 'succeeded' ? disputableCents(charge, disputes) : 0;
}

/** What its bank may still call back of a charge. */
export function disputableCents(
  { gatewayChargeId, request, refundedCents }: FakeCharge,
  disputes: readonly BookedDispute[],
): number {
  const taken = disputes.filter(
    ({ dispute }) => dispute.gatewayChargeId === gatewayChargeId && hasMoney(dispute),
  );
  const takenCents = taken.reduce((sum, { dispute }) => sum + dispute.amountCents, 0);
  return request.amountCents - refundedCents - takenCents;
}

/** Once nothing is left of a charge, a bank that asked about it has the answer. */
export function giveBack(
  charge: FakeCharge,
  amountCents: number,
  disputes: readonly BookedDispute[],
): void {
  charge.refundedCents += amountCents;
  if (disputableCents(charge, disputes) > 0) return;
  for (const { dispute } of disputes) {
    if (dispute.gatewayChargeId !== charge.gatewayChargeId) continue;
    if (dispute.state === 'inquiry') dispute.state = 'won';
  }
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
