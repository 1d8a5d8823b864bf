import { cardDigits } from '#shared/domain/money/card.ts';
import type {
  CardGateway,
  ChargeOutcome,
  ChargeRequest,
  FindChargeOutcome,
  FindRefundOutcome,
  GatewayOutcome,
  ListChargesOutcome,
  ListRequest,
  RefundRequest,
} from './card-gateway.ts';
import { CHARGE_DISPUTED } from './card-gateway.ts';
import { bankUrl, type FakeBank, openFakeBank } from './fake-gateway-bank.ts';
import {
  asksBank,
  cardsOf,
  declineOf,
  findCard,
  detachCards,
  type EnteredCard,
  printOf,
  saveCard,
} from './fake-gateway-cards.ts';
import {
  beginReading,
  bookCharge,
  type FakeCharge,
  type FakeRefund,
  type FakeState,
  type GatewayFailure,
  giveBack,
  heard,
  KEY_KEPT_MS,
  keepAnswer,
  pageOfBook,
  refundableCents,
} from './fake-gateway-book.ts';
import { type FakeDashboard, openFakeDashboard } from './fake-gateway-dashboard.ts';

/**
 * A card gateway in memory. Numbers behave as the published test cards do: ...0002 is declined when
 * saved, ...9995 (funds) and ...0341 when charged, ...0119 loses the first answer of a charge after
 * charging; of ...3155 the bank asks until it is set up, of ...3184 and ...3220 always, of ...3178 too, to find
 * no funds then; every other number pays.
 */
export interface FakeCardGateway extends CardGateway, FakeBank, FakeDashboard {
  /** What the gateway's own fields make of a card. */
  tokenOf(card: EnteredCard): string;
  /** What a bank does when it renews a card: the token stays. */
  renewCard(paymentMethodId: string, renewed: Partial<Omit<EnteredCard, 'name'>>): void;
  /** Its book: one entry per charge key, declined attempts included. */
  readonly charges: readonly FakeCharge[];
  /** The same by their ids. */
  readonly chargesById: ReadonlyMap<string, FakeCharge>;
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

/** All but the CVV. */
function enteredOf({ number, name, month, year, address }: EnteredCard): EnteredCard {
  return { number: cardDigits(number), name, month, year, ...(address && { address }) };
}

type FindChargeRequest = Parameters<CardGateway['findCharge']>[0];

/** `now`: what its book is dated by; without one all is dated 1970, and no key is ever forgotten. */
export function createFakeCardGateway(now: () => number = () => 0): FakeCardGateway {
  const state: FakeState = {
    calls: [],
    answers: new Map(),
    charges: [],
    chargesById: new Map(),
    chargesByOurs: new Map(),
    refunds: [],
    disputes: [],
    customers: new Map(),
    cards: new Map(),
    setUps: new Map(),
    failures: [],
    lostAnswers: 0,
    nextId: 1,
    now,
  };
  const newId = (prefix: string): string => id(state, prefix);
  return {
    ...openFakeDashboard(state, newId),
    ...openFakeBank(state, newId, (call, request, effect) => once(state, call, request, effect)),
    charges: state.charges,
    chargesById: state.chargesById,
    refunds: state.refunds,
    calls: state.calls,
    customers: state.customers,
    createCustomer: (request) =>
      once(state, 'createCustomer', request, ({ email }) => createCustomer(state, email)),
    saveCard: ({ key, customerId, card }) => {
      const entered = 'token' in card ? card : enteredOf(card);
      return once(state, 'saveCard', { key, customerId, ...entered }, () =>
        saveCard(state, customerId, entered, newId),
      );
    },
    findCard: (request) => Promise.resolve(findCard(state, request)),
    renewCard(paymentMethodId, renewed) {
      const card = state.cards.get(paymentMethodId);
      if (card) state.cards.set(paymentMethodId, { ...card, ...renewed });
    },
    tokenOf(card) {
      const token = newId('pm_token');
      state.cards.set(token, { ...enteredOf(card), customerId: undefined });
      return token;
    },
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
function once<Request extends { key: string }, Outcome extends object>(
  state: FakeState,
  call: keyof CardGateway,
  request: Request,
  effect: (request: Request) => Outcome,
): Promise<Outcome | GatewayOutcome<never>> {
  state.calls.push({ call, key: request.key });
  const failure = state.failures.shift();
  if (failure) return Promise.resolve(failure);
  const asked = JSON.stringify([call, request]);
  const kept = state.answers.get(request.key);
  const known = kept && state.now() - kept.atMs < KEY_KEPT_MS ? kept : undefined;
  if (known && known.asked !== asked) {
    return Promise.resolve({ kind: 'rejected', reason: 'idempotency_error' });
  }
  const outcome = known ? (known.outcome as Outcome) : effect(request);
  if (!known) keepAnswer(state, request.key, { asked, outcome });
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

function charge(state: FakeState, request: ChargeRequest): ChargeOutcome {
  const { paymentMethodId, customerId, presence } = request;
  const card = state.cards.get(paymentMethodId);
  if (!card || card.customerId !== customerId) {
    return { kind: 'rejected', reason: 'resource_missing' };
  }
  const isPresent = presence.kind === 'present';
  const isAsked = asksBank(card, presence);
  const code = isAsked && !isPresent ? 'authentication_required' : declineOf(card);
  const gatewayChargeId = id(state, 'pi');
  const charged: FakeCharge = {
    gatewayChargeId,
    request,
    state: isAsked && isPresent ? 'needs_action' : code ? 'declined' : 'succeeded',
    code,
    isCanceled: false,
    refundedCents: 0,
    atMs: state.now(),
    fingerprint: printOf(card),
  };
  bookCharge(state, charged);
  if (charged.state === 'needs_action') {
    return { kind: 'needs_action', gatewayChargeId, url: bankUrl(gatewayChargeId) };
  }
  if (code) return { kind: 'declined', code };
  card.isSetUp ||= isPresent && presence.setsUpCard;
  return { kind: 'done', gatewayChargeId };
}

function findCharge(
  state: FakeState,
  { amountCents, customerId, chargeId, paymentMethodId, gatewayChargeId: known }: FindChargeRequest,
): FindChargeOutcome {
  const failure = beginReading(state, 'findCharge', chargeId);
  if (failure) return failure;
  const attempts =
    known === undefined
      ? (state.chargesByOurs.get(chargeId) ?? []).filter(
          ({ request }) => request.customerId === customerId,
        )
      : [state.chargesById.get(known)].filter((charge) => charge !== undefined);
  const found = attempts.find((each) => each.state !== 'declined') ?? attempts.at(-1);
  if (!found) return { kind: 'absent' };
  const { gatewayChargeId, request, paidWith = request.paymentMethodId } = found;
  const told = request.amountCents;
  if (found.state === 'succeeded' && told !== amountCents) {
    return { kind: 'mismatch', gatewayChargeId, reason: `amount ${amountCents}, ${told}` };
  }
  const outcome = { kind: 'found', gatewayChargeId, amountCents: told } as const;
  switch (found.state) {
    case 'succeeded': {
      const isOtherCard = paymentMethodId !== '' && paidWith !== paymentMethodId;
      return { ...outcome, state: 'succeeded', isOtherCard };
    }
    case 'needs_action':
      if ([paidWith, found.declinedWith ?? paidWith].some((id) => id !== request.paymentMethodId)) {
        return { ...outcome, state: 'declined', code: 'card_declined' };
      }
      return { ...outcome, state: 'needs_action', url: bankUrl(gatewayChargeId) };
    case 'declined':
      break;
  }
  return { ...outcome, state: 'declined', code: found.code ?? 'not_confirmed' };
}

function listCharges(state: FakeState, request: ListRequest): ListChargesOutcome {
  const failure = beginReading(state, 'listCharges', request.after);
  if (failure) return failure;
  const { page, after } = pageOfBook(state.charges, request, (each) => each.gatewayChargeId);
  return {
    kind: 'listed',
    charges: page.map(({ gatewayChargeId, request: asked, state: outcome, refundedCents }) => ({
      gatewayChargeId,
      chargeId: asked.chargeId,
      state: outcome === 'needs_action' ? 'pending' : outcome,
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
  const found = state.chargesById.get(gatewayChargeId);
  const left = found ? refundableCents(found, state.disputes) : 0;
  if (left === undefined) return { kind: 'rejected', reason: CHARGE_DISPUTED };
  if (!found || amountCents > left) return { kind: 'rejected', reason: 'charge_already_refunded' };
  giveBack(found, amountCents, state.disputes);
  const gatewayRefundId = id(state, 're');
  state.refunds.push({ gatewayRefundId, request, state: 'succeeded', atMs: state.now() });
  return { kind: 'done', gatewayRefundId };
}

function findRefund(
  state: FakeState,
  { gatewayChargeId, refundId }: { gatewayChargeId: string; refundId: string },
): FindRefundOutcome {
  const failure = beginReading(state, 'findRefund', refundId);
  if (failure) return failure;
  const attempts = state.refunds.filter(
    ({ request }) => request.gatewayChargeId === gatewayChargeId && request.refundId === refundId,
  );
  const found = attempts.find((each) => each.state === 'succeeded') ?? attempts[0];
  if (!found) return { kind: 'absent' };
  const { gatewayRefundId, request, state: outcome } = found;
  return { kind: 'found', gatewayRefundId, state: outcome, amountCents: request.amountCents };
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

const id = (state: FakeState, prefix: string): string => `${prefix}_${(state.nextId += 1)}`;
