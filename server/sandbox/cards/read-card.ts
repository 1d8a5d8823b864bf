import type { FormFields } from './form.ts';
import { textField } from './form.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { cardRefused, missing } from './gateway-answer.ts';
import type { CardBehaviour } from './test-cards.ts';
import { findTestCard } from './test-cards.ts';

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
  if (isExpired({ expMonth, expYear }, nowMs)) {
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
export function isExpired(
  { expMonth, expYear }: { expMonth: number; expYear: number },
  nowMs: number,
): boolean {
  return nowMs >= Date.UTC(expYear, expMonth, 1);
}
