import { cardBrand, cardDigits } from '#shared/domain/card.ts';
import type {
  CardGateway,
  ChargeRequest,
  DeclineCode,
  FindChargeOutcome,
  FindRefundOutcome,
  GatewayOutcome,
  ListChargesOutcome,
  ListRequest,
  RefundRequest,
  SavedCard,
} from './card-gateway.ts';
import { CHARGE_DISPUTED } from './card-gateway.ts';
import {
  type BookedDispute,
  type FakeCharge,
  type FakeRefund,
  pageOfBook,
  refundableCents,
} from './fake-gateway-book.ts';
import { type FakeDesk, openFakeDesk } from './fake-gateway-desk.ts';

export type GatewayFailure = Exclude<GatewayOutcome<never>, { kind: 'done' }>;

/**
 * A card gateway in memory. Numbers behave as the published test cards do: ...0002 is declined when
 * saved, ...9995 (funds) and ...0341 when charged, ...0119 loses the first answer of a charge after
 * charging; every other number pays.
 */
export interface FakeCardGateway extends CardGateway, FakeDesk {
  /** Its book: one entry per charge key, declined attempts included. */
  readonly charges: readonly FakeCharge[];
  /** What was given back, one entry per refund key. */
  readonly refunds: readonly FakeRefund[];
  /** Names of the calls so far, with their keys. Never card data. */
  readonly calls: readonly { call: keyof CardGateway; key: string }[];
  /** Addresses of the customers it has, by their ids. */
  readonly customers: ReadonlyMap<string, string>;
  /** How many cards a customer has saved. */
  countCards(customerId: string): number;
  /** The next calls fail with these, one each, and have no effect. */
  queueFailure(...failures: GatewayFailure[]): void;
  /** The next `count` calls take effect, but their answer is lost. */
  loseAnswers(count: number): void;
}

interface FakeState {
  calls: { call: keyof CardGateway; key: string }[];
  /** Answers by idempotency key, with what was asked. */
  answers: Map<string, { asked: string; outcome: GatewayOutcome<object>; atMs: number }>;
  charges: FakeCharge[];
  refunds: FakeRefund[];
  disputes: BookedDispute[];
  customers: Map<string, string>;
  cards: Map<string, { customerId: string; number: string }>;
  failures: GatewayFailure[];
  lostAnswers: number;
  nextId: number;
  now: () => number;
}

/** Keys are forgotten after a day, as gateways do. */
const KEY_KEPT_MS = 24 * 3_600_000;

/** `now`: what its book is dated by; without one all is dated 1970, and no key is ever forgotten. */
export function createFakeCardGateway(now: () => number = () => 0): FakeCardGateway {
  const state: FakeState = {
    calls: [],
    answers: new Map(),
    charges: [],
    refunds: [],
    disputes: [],
    customers: new Map(),
    cards: new Map(),
    failures: [],
    lostAnswers: 0,
    nextId: 1,
    now,
  };
  return {
    ...openFakeDesk(state, (prefix) => id(state, prefix)),
    charges: state.charges,
    refunds: state.refunds,
    calls: state.calls,
    customers: state.customers,
    createCustomer: (request) =>
      once(state, 'createCustomer', request, ({ email }) => createCustomer(state, email)),
    saveCard: ({ key, customerId, card }) =>
      once(state, 'saveCard', { key, customerId, number: cardDigits(card.number) }, (asked) =>
        saveCard(state, asked),
      ),
    charge: (request) => once(state, 'charge', request, () => charge(state, request)),
    findCharge: (request) => Promise.resolve(findCharge(state, request)),
    listCharges: (request) => Promise.resolve(listCharges(state, request)),
    refund: (request) => once(state, 'refund', request, () => refund(state, request)),
    findRefund: (request) => Promise.resolve(findRefund(state, request)),
    detachCards: (request) => Promise.resolve(detachCards(state, request)),
    deleteCustomer: (request) => Promise.resolve(deleteCustomer(state, request)),
    countCards: (customerId) => cardsOf(state, customerId).length,
    queueFailure: (...failures) => void state.failures.push(...failures),
    loseAnswers(count) {
      state.lostAnswers += count;
    },
  };
}

/** Runs the effect once per key; the same key with another request is refused, as gateways do. */
function once<Request extends { key: string }, Answer extends object>(
  state: FakeState,
  call: keyof CardGateway,
  request: Request,
  effect: (request: Request) => GatewayOutcome<Answer>,
): Promise<GatewayOutcome<Answer>> {
  state.calls.push({ call, key: request.key });
  const failure = state.failures.shift();
  if (failure) return Promise.resolve(failure);
  const asked = JSON.stringify([call, request]);
  const kept = state.answers.get(request.key);
  const known = kept && state.now() - kept.atMs < KEY_KEPT_MS ? kept : undefined;
  if (known && known.asked !== asked) {
    return Promise.resolve({ kind: 'rejected', reason: 'idempotency_error' });
  }
  const outcome = known ? (known.outcome as GatewayOutcome<Answer>) : effect(request);
  if (!known) state.answers.set(request.key, { asked, outcome, atMs: state.now() });
  const isFirstOfSlowCard = !known && call === 'charge' && isSlow(state);
  if (state.lostAnswers > 0) state.lostAnswers -= 1;
  else if (!isFirstOfSlowCard) return Promise.resolve(outcome);
  return Promise.resolve({ kind: 'unknown', reason: 'answer lost' });
}

/** Whether the newest charge went to the card that times out after charging. */
function isSlow(state: FakeState): boolean {
  const paymentMethodId = state.charges.at(-1)?.request.paymentMethodId ?? '';
  return state.cards.get(paymentMethodId)?.number.endsWith('0119') ?? false;
}

function createCustomer(state: FakeState, email: string): GatewayOutcome<{ customerId: string }> {
  const customerId = id(state, 'cus');
  state.customers.set(customerId, email);
  return { kind: 'done', customerId };
}

function saveCard(
  state: FakeState,
  { customerId, number }: { customerId: string; number: string },
): GatewayOutcome<SavedCard> {
  if (!state.customers.has(customerId)) return { kind: 'rejected', reason: 'resource_missing' };
  const brand = cardBrand(number);
  if (!brand) return { kind: 'declined', code: 'card_invalid' };
  if (number.endsWith('0002')) return { kind: 'declined', code: 'card_declined' };
  const paymentMethodId = id(state, 'pm');
  state.cards.set(paymentMethodId, { customerId, number });
  const lastDigits = number.slice(-4);
  return { kind: 'done', paymentMethodId, brand, lastDigits, fingerprint: printOf(number) };
}

const printOf = (number: string): string => `print ${number.slice(-4)}`;

function charge(
  state: FakeState,
  request: ChargeRequest,
): GatewayOutcome<{ gatewayChargeId: string }> {
  const card = state.cards.get(request.paymentMethodId);
  if (!card || card.customerId !== request.customerId) {
    return { kind: 'rejected', reason: 'resource_missing' };
  }
  const code = declineOf(card.number);
  const gatewayChargeId = id(state, 'pi');
  state.charges.push({
    gatewayChargeId,
    request,
    state: code ? 'declined' : 'succeeded',
    refundedCents: 0,
    atMs: state.now(),
    fingerprint: printOf(card.number),
  });
  return code ? { kind: 'declined', code } : { kind: 'done', gatewayChargeId };
}

function declineOf(number: string): DeclineCode | undefined {
  if (number.endsWith('9995')) return 'insufficient_funds';
  return number.endsWith('0341') ? 'card_declined' : undefined;
}

function findCharge(
  state: FakeState,
  { amountCents, customerId, chargeId }: Parameters<CardGateway['findCharge']>[0],
): FindChargeOutcome {
  state.calls.push({ call: 'findCharge', key: chargeId });
  const failure = state.failures.shift();
  if (failure) return { kind: 'unknown', reason: failure.kind };
  const attempts = state.charges.filter(
    ({ request }) => request.customerId === customerId && request.chargeId === chargeId,
  );
  const found = attempts.find((each) => each.state === 'succeeded') ?? attempts.at(-1);
  if (!found) return { kind: 'absent' };
  const { gatewayChargeId, state: chargeState, request } = found;
  const told = request.amountCents;
  return chargeState === 'succeeded' && told !== amountCents
    ? { kind: 'mismatch', gatewayChargeId, reason: `amount ${amountCents}, ${told}` }
    : { kind: 'found', gatewayChargeId, state: chargeState, amountCents: told };
}

function listCharges(state: FakeState, request: ListRequest): ListChargesOutcome {
  state.calls.push({ call: 'listCharges', key: request.after ?? '' });
  const failure = state.failures.shift();
  if (failure) return { kind: 'unknown', reason: failure.kind };
  const { page, after } = pageOfBook(state.charges, request, (each) => each.gatewayChargeId);
  return {
    kind: 'listed',
    charges: page.map(({ gatewayChargeId, request: asked, state: outcome, refundedCents }) => ({
      gatewayChargeId,
      chargeId: asked.chargeId,
      state: outcome,
      amountCents: asked.amountCents,
      refundedCents,
    })),
    after,
  };
}

function refund(
  state: FakeState,
  request: RefundRequest,
): GatewayOutcome<{ gatewayRefundId: string }> {
  const { gatewayChargeId, amountCents } = request;
  const found = state.charges.find((one) => one.gatewayChargeId === gatewayChargeId);
  const left = found ? refundableCents(found, state.disputes) : 0;
  if (left === undefined) return { kind: 'rejected', reason: CHARGE_DISPUTED };
  if (!found || amountCents > left) return { kind: 'rejected', reason: 'charge_already_refunded' };
  found.refundedCents += amountCents;
  const gatewayRefundId = id(state, 're');
  state.refunds.push({ gatewayRefundId, request, state: 'succeeded', atMs: state.now() });
  return { kind: 'done', gatewayRefundId };
}

function findRefund(
  state: FakeState,
  { gatewayChargeId, refundId }: { gatewayChargeId: string; refundId: string },
): FindRefundOutcome {
  state.calls.push({ call: 'findRefund', key: refundId });
  const failure = state.failures.shift();
  if (failure) return { kind: 'unknown', reason: failure.kind };
  const attempts = state.refunds.filter(
    ({ request }) => request.gatewayChargeId === gatewayChargeId && request.refundId === refundId,
  );
  const found = attempts.find((each) => each.state === 'succeeded') ?? attempts[0];
  if (!found) return { kind: 'absent' };
  const { gatewayRefundId, request, state: outcome } = found;
  return { kind: 'found', gatewayRefundId, state: outcome, amountCents: request.amountCents };
}

function detachCards(
  state: FakeState,
  { customerId }: { customerId: string },
): GatewayOutcome<{ detached: number }> {
  state.calls.push({ call: 'detachCards', key: customerId });
  const failure = state.failures.shift();
  if (failure) return failure;
  const cards = cardsOf(state, customerId);
  for (const paymentMethodId of cards) state.cards.delete(paymentMethodId);
  return heard(state, { kind: 'done', detached: cards.length });
}

function deleteCustomer(
  state: FakeState,
  { customerId }: { customerId: string },
): GatewayOutcome<object> {
  state.calls.push({ call: 'deleteCustomer', key: customerId });
  const failure = state.failures.shift();
  if (failure) return failure;
  for (const paymentMethodId of cardsOf(state, customerId)) state.cards.delete(paymentMethodId);
  state.customers.delete(customerId);
  return heard(state, { kind: 'done' });
}

/** The answer, unless it is to be lost. */
function heard<Answer extends object>(
  state: FakeState,
  answer: GatewayOutcome<Answer>,
): GatewayOutcome<Answer> {
  if (state.lostAnswers === 0) return answer;
  state.lostAnswers -= 1;
  return { kind: 'unknown', reason: 'answer lost' };
}

function cardsOf(state: FakeState, customerId: string): string[] {
  return Array.from(state.cards).flatMap(([paymentMethodId, card]) =>
    card.customerId === customerId ? [paymentMethodId] : [],
  );
}

const id = (state: FakeState, prefix: string): string => `${prefix}_${(state.nextId += 1)}`;
