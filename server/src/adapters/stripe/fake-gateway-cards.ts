import { type BillingAddress, cardBrand } from '#shared/domain/money/card.ts';
import type {
  CardToken,
  DeclineCode,
  FindCardOutcome,
  GatewayOutcome,
  Presence,
  SavedCard,
} from './card-gateway.ts';
import { beginReading, type FakeState, heard } from './fake-gateway-book.ts';

/** What a customer types. */
export interface EnteredCard {
  number: string;
  name: string;
  month: number;
  year: number;
  address?: BillingAddress;
}

const NO_ADDRESS = { line1: '', line2: '', city: '', state: '', zip: '', country: '' };

export interface FakeCard extends EnteredCard {
  /** Undefined for a token that nobody has used. */
  customerId: string | undefined;
  /** Its bank has agreed to later charges. */
  isSetUp?: boolean;
}

export function saveCard(
  state: FakeState,
  customerId: string,
  entered: EnteredCard | CardToken,
  newId: (prefix: string) => string,
): GatewayOutcome<SavedCard> {
  if (!state.customers.has(customerId)) return { kind: 'rejected', reason: 'resource_missing' };
  const known = 'token' in entered ? state.cards.get(entered.token) : undefined;
  const card = 'token' in entered ? known : entered;
  const isTheirs = known?.customerId === undefined || known.customerId === customerId;
  if (!card || !isTheirs) return { kind: 'declined', code: 'card_invalid' };
  if (!cardBrand(card.number)) return { kind: 'declined', code: 'card_invalid' };
  if (card.number.endsWith('0002')) return { kind: 'declined', code: 'card_declined' };
  const paymentMethodId = 'token' in entered ? entered.token : newId('pm');
  const attached = { ...card, customerId };
  state.cards.set(paymentMethodId, attached);
  return { kind: 'done', ...viewCard(paymentMethodId, attached) };
}

export function viewCard(paymentMethodId: string, card: FakeCard): SavedCard {
  const { number, name: holderName, month, year, address = NO_ADDRESS } = card;
  const brand = cardBrand(number);
  if (!brand) throw new Error(`${paymentMethodId} has no brand`);
  const lastDigits = number.slice(-4);
  const fingerprint = printOf(card);
  return { paymentMethodId, brand, lastDigits, holderName, address, month, year, fingerprint };
}

export function findCard(
  state: FakeState,
  { customerId, paymentMethodId }: { customerId: string; paymentMethodId: string },
): FindCardOutcome {
  const failure = beginReading(state, 'findCard', paymentMethodId);
  if (failure) return failure;
  const card = state.cards.get(paymentMethodId);
  return card?.customerId === customerId
    ? { kind: 'found', card: viewCard(paymentMethodId, card) }
    : { kind: 'absent' };
}

export const printOf = ({ number }: FakeCard): string => `print ${number.slice(-4)}`;

/** What the bank says without asking, or once its customer has confirmed. */
export function declineOf({ number }: FakeCard): DeclineCode | undefined {
  if (/(9995|3178)$/.test(number)) return 'insufficient_funds';
  return number.endsWith('0341') ? 'card_declined' : undefined;
}

/** Whether the bank wants its customer to confirm. */
export function asksBank(card: FakeCard, presence: Presence): boolean {
  if (/(3184|3178|3220)$/.test(card.number)) return true;
  const isSettingUp = presence.kind === 'present' && presence.setsUpCard;
  return card.number.endsWith('3155') && (isSettingUp || !card.isSetUp);
}

export function detachCards(
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

export function cardsOf(state: FakeState, customerId: string): string[] {
  return Array.from(state.cards).flatMap(([paymentMethodId, card]) =>
    card.customerId === customerId ? [paymentMethodId] : [],
  );
}
