import type { CardBrand } from '#shared/domain/money/card.ts';
import { BAD_CVV, ZIP_RULE } from '#shared/contract/money/checkout.ts';
import { type CardErrors, EXPIRED } from '../card-values.ts';

/** One of the gateway's fields; the expiry is one field there, and says the month's and the year's sentences. */
export type GatewayField = 'ccNum' | 'ccMonth' | 'cvv';

/** What the gateway tells of a field: that it is filled well, or its own code for what is wrong. */
export interface FieldState {
  isEmpty: boolean;
  isComplete: boolean;
  code: string | undefined;
}

export const UNTOUCHED: FieldState = { isEmpty: true, isComplete: false, code: undefined };

const EMPTY: Record<GatewayField, string> = {
  ccNum: 'Please enter a card number',
  ccMonth: 'Please enter a month',
  cvv: 'Please enter a CVV/CVC code',
};
const BAD: Record<GatewayField, string> = {
  ccNum: 'Card number is invalid',
  ccMonth: 'Please enter a year',
  cvv: BAD_CVV,
};

/** The gateway's codes, of a field and of a card as a whole, in the specification's words (S§5). */
const CODES: Readonly<Record<string, CardErrors>> = {
  incomplete_number: { ccNum: BAD.ccNum },
  invalid_number: { ccNum: BAD.ccNum },
  incorrect_number: { ccNum: BAD.ccNum },
  incomplete_expiry: { ccMonth: BAD.ccMonth },
  invalid_expiry_month: { ccMonth: EMPTY.ccMonth },
  invalid_expiry_year: { ccMonth: BAD.ccMonth },
  invalid_expiry_month_past: { ccMonth: EXPIRED },
  invalid_expiry_year_past: { ccMonth: EXPIRED },
  expired_card: { ccMonth: EXPIRED },
  incomplete_cvc: { cvv: BAD_CVV },
  invalid_cvc: { cvv: BAD_CVV },
  incorrect_cvc: { cvv: BAD_CVV },
  incomplete_zip: { zip: ZIP_RULE },
  incorrect_zip: { zip: ZIP_RULE },
  postal_code_invalid: { zip: ZIP_RULE },
};

/** Sentences for one of the gateway's codes; empty when it is about no field. */
export const errorsOfCode = (code: string | undefined): CardErrors => CODES[code ?? ''] ?? {};

/** The sentence a field needs before the card may be sent; undefined: none. */
export function fieldSentence(field: GatewayField, state: FieldState): string | undefined {
  if (state.isEmpty) return EMPTY[field];
  if (state.code !== undefined) return errorsOfCode(state.code)[field] ?? BAD[field];
  return state.isComplete ? undefined : BAD[field];
}

const BRANDS: ReadonlySet<string> = new Set<CardBrand>(['visa', 'mastercard', 'discover', 'amex']);

/** The gateway's name of a brand; undefined while it isn't known. */
export const isAccepted = (brand: string | undefined): brand is CardBrand =>
  BRANDS.has(brand ?? '');
/** Known, and one that isn't taken here. */
export const isForeign = (brand: string | undefined): boolean =>
  brand !== undefined && brand !== 'unknown' && !isAccepted(brand);
