import { MINUTE_MS } from '#shared/domain/durations.ts';
import type {
  CancelOutcome,
  CardGateway,
  FindSetUpOutcome,
  GatewayOutcome,
  SetUpOutcome,
} from './card-gateway.ts';
import {
  beginReading,
  type FakeCharge,
  type FakeSetUp,
  type FakeState,
} from './fake-gateway-book.ts';
import {
  asksBank,
  declineOf,
  type EnteredCard,
  type FakeCard,
  printOf,
  viewCard,
} from './fake-gateway-cards.ts';

/** What customers do at their banks and on the gateway's own pages. */
export interface FakeBank {
  /** @param id of a charge or a set-up. @returns false: it was over */
  confirmAtBank(id: string): boolean;
  refuseAtBank(id: string): boolean;
  /** A browser pays what waits with a card of nobody, or tries to. @returns false: it was over */
  payWithToken(gatewayChargeId: string, token: string): boolean;
  /** A card is entered on a page of the gateway's. */
  enterCard(gatewaySetUpId: string, card: EnteredCard): void;
}

export const bankUrl = (id: string): string => `https://bank.test/${id}`;

type Calls = Pick<
  CardGateway,
  'cancelCharge' | 'setUpCard' | 'openCardPage' | 'findSetUp' | 'cancelSetUp'
>;

/** Runs the effect once per key. */
type Once = <Request extends { key: string }, Outcome extends object>(
  call: keyof CardGateway,
  request: Request,
  effect: (request: Request) => Outcome,
) => Promise<Outcome | GatewayOutcome<never>>;

/** No page may close sooner. */
const PAGE_OPEN_MS = 30 * MINUTE_MS;

const PRESENT = { kind: 'present', returnUrl: '', setsUpCard: true } as const;

export function openFakeBank(
  state: FakeState,
  newId: (prefix: string) => string,
  once: Once,
): FakeBank & Calls {
  return {
    ...openBank(state, newId),
    async cancelCharge({ gatewayChargeId: id }) {
      return beginReading(state, 'cancelCharge', id) ?? cancel(state.chargesById.get(id));
    },
    setUpCard: (request) => once('setUpCard', request, (asked) => setUp(state, asked, newId)),
    openCardPage: (request) =>
      once('openCardPage', request, ({ customerId, closesAt }) => {
        if (closesAt.getTime() - state.now() < PAGE_OPEN_MS) {
          return { kind: 'rejected' as const, reason: 'expires_at' };
        }
        const gatewaySetUpId = newId('cs');
        state.setUps.set(gatewaySetUpId, waitingSetUp(customerId, undefined));
        return { kind: 'done' as const, gatewaySetUpId, url: bankUrl(gatewaySetUpId) };
      }),
    async findSetUp({ gatewaySetUpId: id }) {
      return beginReading(state, 'findSetUp', id) ?? viewSetUp(state, id);
    },
    async cancelSetUp({ gatewaySetUpId: id }) {
      return beginReading(state, 'cancelSetUp', id) ?? cancel(state.setUps.get(id));
    },
  };
}

function cancel(waiting: FakeCharge | FakeSetUp | undefined): CancelOutcome {
  if (!waiting) return { kind: 'unknown', reason: 'resource_missing' };
  if (waiting.state === 'succeeded') return { kind: 'succeeded' };
  waiting.state = 'declined';
  waiting.isCanceled = true;
  return { kind: 'done' };
}

const waitingSetUp = (customerId: string, paymentMethodId: string | undefined): FakeSetUp => ({
  customerId,
  paymentMethodId,
  state: 'needs_action',
  code: undefined,
  isCanceled: false,
});

function setUp(
  state: FakeState,
  { customerId, paymentMethodId }: Parameters<CardGateway['setUpCard']>[0],
  newId: (prefix: string) => string,
): SetUpOutcome {
  const card = state.cards.get(paymentMethodId);
  if (!card || card.customerId !== customerId) {
    return { kind: 'rejected', reason: 'resource_missing' };
  }
  const gatewaySetUpId = newId('seti');
  const made = waitingSetUp(customerId, paymentMethodId);
  state.setUps.set(gatewaySetUpId, made);
  if (asksBank(card, PRESENT)) {
    return { kind: 'needs_action', gatewaySetUpId, url: bankUrl(gatewaySetUpId) };
  }
  made.state = 'succeeded';
  card.isSetUp = true;
  return { kind: 'done', gatewaySetUpId, card: viewCard(paymentMethodId, card) };
}

function viewSetUp(state: FakeState, id: string): FindSetUpOutcome {
  const found = state.setUps.get(id);
  if (!found) return { kind: 'unknown', reason: 'resource_missing' };
  const { paymentMethodId = '', code = 'not_confirmed' } = found;
  const card = state.cards.get(paymentMethodId);
  switch (found.state) {
    case 'needs_action':
      return { kind: 'found', state: 'needs_action', url: bankUrl(id) };
    case 'declined':
      return { kind: 'found', state: 'declined', code };
    case 'succeeded':
      break;
  }
  if (!card) throw new Error(`${id} has lost its card`);
  return { kind: 'found', state: 'succeeded', card: viewCard(paymentMethodId, card) };
}

/** A page that was left with "no" can still be confirmed, as at the real one, until it is canceled. */
function openBank(state: FakeState, newId: (prefix: string) => string): FakeBank {
  const answerable = (id: string): FakeCharge | FakeSetUp | undefined => {
    const waiting = state.chargesById.get(id) ?? state.setUps.get(id);
    if (!waiting) throw new Error(`The bank asks nothing about ${id}`);
    return waiting.isCanceled || waiting.state === 'succeeded' ? undefined : waiting;
  };
  const cardOf = (waiting: FakeCharge | FakeSetUp): FakeCard | undefined =>
    state.cards.get(
      'request' in waiting ? waiting.request.paymentMethodId : (waiting.paymentMethodId ?? ''),
    );
  return {
    confirmAtBank(id) {
      const waiting = answerable(id);
      if (!waiting) return false;
      const card = cardOf(waiting);
      waiting.code = 'request' in waiting && card ? declineOf(card) : undefined;
      waiting.state = waiting.code ? 'declined' : 'succeeded';
      const isSetUp = 'request' in waiting ? setsUp(waiting) : true;
      if (card && isSetUp && !waiting.code) card.isSetUp = true;
      return true;
    },
    refuseAtBank(id) {
      const waiting = answerable(id);
      if (!waiting) return false;
      waiting.state = 'declined';
      waiting.code = 'not_confirmed';
      return true;
    },
    payWithToken(id, token) {
      const waiting = answerable(id);
      const card = state.cards.get(token);
      if (!waiting || !('request' in waiting) || !card) return false;
      const code = declineOf(card);
      const answered = code ? 'declined' : 'succeeded';
      const isAsked = asksBank(card, PRESENT);
      Object.assign(waiting, {
        state: isAsked ? 'needs_action' : answered,
        code: isAsked ? undefined : code,
        ...(!isAsked && code && { declinedWith: token }),
        paidWith: token,
        fingerprint: printOf(card),
      });
      return true;
    },
    enterCard(id, card) {
      const page = state.setUps.get(id);
      if (page?.state !== 'needs_action') throw new Error(`${id} is no open page`);
      const { customerId } = page;
      page.paymentMethodId = newId('pm');
      state.cards.set(page.paymentMethodId, { ...card, customerId, isSetUp: true });
      page.state = 'succeeded';
    },
  };
}

const setsUp = ({ request: { presence } }: FakeCharge): boolean =>
  presence.kind === 'present' && presence.setsUpCard;
