import { type FormFields, textField } from './form.ts';
import { type GatewayAnswer, cardRefused, missing } from './gateway-answer.ts';

interface ReadCard {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  behaviour: CardBehaviour;
}

/** Checks the card of a create call; the answer says what is wrong with it. @throws GatewayRefusal */
export function readCard(card: FormFields, nowMs: number): ReadCard | GatewayAnswer {
  const number = textField(card, 'number');
  if (!number) throw missing('card[number]');
  const testCard = findTestCard(number);
  if (!testCard) return wrong('incorrect_number', 'number', 'Your card number is incorrect.');
  const expMonth = Number(textField(card, 'exp_month'));
  const given = Number(textField(card, 'exp_year'));
  const expYear = given < 100 ? given + 2000 : given;
  const isMonth = Number.isInteger(expMonth) && expMonth >= 1 && expMonth <= 12;
  if (!isMonth) return wrong('invalid_expiry_month', 'exp_month', MONTH_INVALID);
  const year = new Date(nowMs).getUTCFullYear();
  if (!Number.isInteger(expYear) || expYear < year || expYear > year + 50) {
    return wrong('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (isMonthOver({ expMonth, expYear }, nowMs)) {
    return wrong('invalid_expiry_month', 'exp_month', MONTH_INVALID);
  }
  const cvc = textField(card, 'cvc');
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) {
    return wrong('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  return { ...testCard, last4: number.slice(-4), expMonth, expYear };
}

const MONTH_INVALID = "Your card's expiration month is invalid.";

function wrong(code: string, param: string, message: string): GatewayAnswer {
  return cardRefused({ code, param: `card[${param}]`, message });
}

/** Whether the card's last month is over (UTC). */
export function isMonthOver(
  { expMonth, expYear }: { expMonth: number; expYear: number },
  nowMs: number,
): boolean {
  return nowMs >= Date.UTC(expYear, expMonth, 1);
}

/** How a card behaves; this and the last four digits are all that is kept of a number. */
export type CardBehaviour =
  | 'pays'
  /** Refused when it is saved and when it is charged. */
  | 'declined'
  /** Saved; refused when it is charged. */
  | 'insufficient_funds'
  | 'fails_when_charged'
  /** Charged, but the answer of a charge never comes; the same idempotency key gets it. */
  | 'answers_never'
  /** The bank asks its cardholder when there is one; otherwise it pays if it was set up for that. */
  | 'asks_unless_set_up'
  /** Set up or not: without its cardholder it refuses. */
  | 'always_asks'
  | 'asks_then_insufficient_funds'
  /** Pays, then its cardholder calls the money back. */
  | 'disputed';

interface TestCard {
  brand: 'visa' | 'mastercard' | 'discover' | 'amex';
  behaviour: CardBehaviour;
}

const CARDS = new Map<string, TestCard>([
  ['4242424242424242', { brand: 'visa', behaviour: 'pays' }],
  ['5555555555554444', { brand: 'mastercard', behaviour: 'pays' }],
  ['6011111111111117', { brand: 'discover', behaviour: 'pays' }],
  ['378282246310005', { brand: 'amex', behaviour: 'pays' }],
  ['4000000000000002', { brand: 'visa', behaviour: 'declined' }],
  ['4000000000009995', { brand: 'visa', behaviour: 'insufficient_funds' }],
  ['4000000000000341', { brand: 'visa', behaviour: 'fails_when_charged' }],
  ['4000000000000119', { brand: 'visa', behaviour: 'answers_never' }],
  ['4000002500003155', { brand: 'visa', behaviour: 'asks_unless_set_up' }],
  ['4000000000003220', { brand: 'visa', behaviour: 'asks_unless_set_up' }],
  ['4000002760003184', { brand: 'visa', behaviour: 'always_asks' }],
  ['4000008260003178', { brand: 'visa', behaviour: 'asks_then_insufficient_funds' }],
  ['4000000000000259', { brand: 'visa', behaviour: 'disputed' }],
]);

/** The published test card of that number; any other number, real ones included, is none. */
function findTestCard(number: string): TestCard | undefined {
  return CARDS.get(number.replaceAll(/[\s-]/g, ''));
}
