import * as v from 'valibot';
import { BAD_CVV, cardAndAddress, isZip, ZIP_RULE } from '#shared/contract/money/checkout.ts';
import type { User } from '#shared/contract/people/user.ts';
import { CARD_YEARS, cardBrand, isCvv, isCardExpired } from '#shared/domain/money/card.ts';
import { type CountryCode, DEFAULT_COUNTRY } from '#shared/domain/money/countries.ts';
import { isPrintable, USE_PRINTED_LETTERS } from '#shared/domain/words/printed-letters.ts';
import { toLocal } from '#shared/domain/time-zone.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';

/** A card and its billing address as a form holds them; the card number without spaces. */
export interface CardValues {
  ccName: string;
  ccNum: string;
  ccMonth: string;
  ccYear: string;
  cvv: string;
  address: string;
  apartment: string;
  zip: string;
  city: string;
  state: string;
  country: string;
  phone: string;
}
export type CardErrors = Partial<Record<keyof CardValues, string>>;

/** What the fields of a card and its address stand on. */
export interface FieldsProps {
  values: CardValues;
  errors: CardErrors;
  /** Takes over typed values; `found` are errors seen while typing. */
  change: (changes: Partial<CardValues>, found?: CardErrors) => void;
}

/** A field's name, what stands in it and the sentences beside it. Letters that invoices can't show keep nobody from paying. */
export const cardField = (name: keyof CardValues, { values, errors, change }: FieldsProps) => ({
  name,
  value: values[name],
  change,
  error: errors[name],
  ...(!isPrintable(values[name]) && { description: USE_PRINTED_LETTERS }),
});

export const EXPIRED = 'The selected date must be in the future.';
export const TOO_LONG = 'Credit card number max length reached';

export const MONTH_OPTIONS = Array.from({ length: 12 }, (_, index) =>
  String(index + 1).padStart(2, '0'),
);
export const YEAR_OPTIONS = Array.from(
  { length: CARD_YEARS.last - CARD_YEARS.first + 1 },
  (_, index) => String(CARD_YEARS.first + index),
);

/** Empty card fields, with what is known of the customer, and where they most likely are. */
export function openingCardValues(
  user: User | null,
  country: CountryCode = DEFAULT_COUNTRY,
): CardValues {
  return {
    ccName: user?.name ?? '',
    ccNum: '',
    ccMonth: '',
    ccYear: '',
    cvv: '',
    address: '',
    apartment: '',
    zip: '',
    city: '',
    state: '',
    country,
    phone: user?.phone ?? '',
  };
}

/** A zip code as it is typed: five digits in the US, letters and hyphens elsewhere (S§5, D4). */
export function readZip(country: string, typed: string): string {
  if (country === 'US') return typed.replaceAll(/\D/g, '').slice(0, 5);
  return typed.replaceAll(/[^\p{L}\d -]/gu, '').slice(0, 10);
}

/** Digits only, at most as many as given. */
export function readDigits(typed: string, max: number): string {
  return typed.replaceAll(/\D/g, '').slice(0, max);
}

/** Whether both parts of the expiry are chosen and lie in the past, in the customer's own zone. */
export function isPastExpiry(
  values: Pick<CardValues, 'ccMonth' | 'ccYear'>,
  nowMs: number,
  timeZone: string,
): boolean {
  if (values.ccMonth === '' || values.ccYear === '') return false;
  const card = { month: Number(values.ccMonth), year: Number(values.ccYear) };
  return isCardExpired(card, toLocal(nowMs, timeZone));
}

/** The sentence beside each field that needs one (S§5); empty when the card may be sent. */
export function cardErrors(values: CardValues, nowMs: number, timeZone: string): CardErrors {
  const errors: CardErrors = fieldErrors(v.object(cardAndAddress), values);
  if (!errors.ccYear && isPastExpiry(values, nowMs, timeZone)) errors.ccYear = EXPIRED;
  if (!errors.cvv && !isCvv(values.cvv, cardBrand(values.ccNum))) errors.cvv = BAD_CVV;
  return withZip(errors, values);
}

const {
  ccNum: _num,
  ccMonth: _month,
  ccYear: _year,
  cvv: _cvv,
  ...NAME_AND_ADDRESS
} = cardAndAddress;

/** The same of all that isn't the card itself, where that is typed into the gateway's fields. */
export function addressErrors(values: CardValues): CardErrors {
  return withZip(fieldErrors(v.object(NAME_AND_ADDRESS), values), values);
}

function withZip(errors: CardErrors, { country, zip }: CardValues): CardErrors {
  return errors.zip || isZip(country, zip) ? errors : { ...errors, zip: ZIP_RULE };
}
