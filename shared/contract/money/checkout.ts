import * as v from 'valibot';
import {
  CARD_NUMBER_MAX_DIGITS,
  CARD_YEARS,
  cardBrand,
  cardDigits,
  isCardNumber,
  isCvv,
} from '../../domain/money/card.ts';
import { COUNTRY_CODES } from '../../domain/money/countries.ts';
import { PLANS } from '../../domain/money/plans.ts';
import { defineCall } from '../call.ts';
import {
  dollars,
  igUsername,
  optionalText,
  phone,
  pastedText,
  text,
  timeZone,
  uuid,
  wholeNumber,
} from '../fields.ts';
import { User } from '../people/user.ts';

export const ZIP_RULE = 'Please enter a zip/postal code';
const DIGITS_ONLY = /^\d*$/;

const cardNumber = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.transform(String))], 'Please enter a card number'),
  v.transform(cardDigits),
  v.minLength(1, 'Please enter a card number'),
  v.regex(DIGITS_ONLY, 'Card number is invalid'),
  v.maxLength(CARD_NUMBER_MAX_DIGITS, 'Credit card number max length reached'),
  v.check(isCardNumber, 'Card number is invalid'),
);

const month = v.pipe(
  wholeNumber('Please enter a month'),
  v.minValue(1, 'Please enter a month'),
  v.maxValue(12, 'Please enter a month'),
);

const year = v.pipe(
  wholeNumber('Please enter a year'),
  v.minValue(CARD_YEARS.first, 'Please enter a year'),
  v.maxValue(CARD_YEARS.last, 'Please enter a year'),
);

const cvv = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.transform(String))], 'Please enter a CVV/CVC code'),
  v.trim(),
  v.minLength(1, 'Please enter a CVV/CVC code'),
  v.check((typed) => isCvv(typed, undefined), 'CVV/CVC code is invalid'),
);

/** Joiners are spelling in Persian and in languages of India. */
const CARDHOLDER = /^[\p{L}\p{M}][\p{L}\p{M}.,'’\p{Join_Control} -]*$/u;

/** What nobody sees and pasting brings along: marks of direction, other spaces and hyphens. */
const asTyped = (name: string): string =>
  name
    .replaceAll(/[\u200E\u200F\u061C\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu, '')
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll(/[\u2010\u2011]/gu, '-')
    .trim();

/** Card and billing address as both checkouts send them; ipAddress and hyphened keys are ignored. */
export const cardAndAddress = {
  ccName: v.pipe(
    pastedText('Please enter a cardholder name', 100),
    v.transform(asTyped),
    v.regex(CARDHOLDER, 'Cardholder name is invalid'),
  ),
  ccNum: cardNumber,
  ccMonth: month,
  ccYear: year,
  cvv,
  address: text('Please enter an address'),
  apartment: optionalText(),
  zip: text(ZIP_RULE, 10),
  city: text('Please enter a city/town', 100),
  state: text('Please enter a state', 100),
  country: v.pipe(
    text('Please enter a country', 2),
    v.picklist(COUNTRY_CODES, 'Please enter a country'),
  ),
  phone: phone('Please enter a phone number'),
};

/** US: 5 digits (S§5); elsewhere 2-10 letters, digits, spaces, hyphens (D4). */
export function isZip(country: string, zip: string): boolean {
  return country === 'US' ? /^\d{5}$/.test(zip) : /^[\p{L}\d][\p{L}\d -]{0,8}[\p{L}\d]$/u.test(zip);
}

const TOKEN_RULE = 'Please enter the card again.';

/** What the gateway's own fields make of a card: one that is used once, and tells nothing of the card. */
export const confirmationToken = v.pipe(
  v.string(TOKEN_RULE),
  v.regex(/^[A-Za-z0-9_]{5,255}$/, TOKEN_RULE),
);

export const BAD_CVV = 'CVV/CVC code is invalid';
export const hasFittingCvv = (card: { ccNum: string; cvv: string }): boolean =>
  isCvv(card.cvv, cardBrand(card.ccNum));
export const hasFittingZip = (card: { country: string; zip: string }): boolean =>
  isZip(card.country, card.zip);

/** A new card pays for what it is entered for, and where no card is saved, for all that comes. */
export const forAllPlans = v.optional(v.boolean('Please choose yes or no'), false);

/** The saved card as the customer was shown it, masked: another one isn't charged in its place. */
export const shownCard = text('Please choose a card', 30);

const PLAN_RULE = 'Please choose a plan';

const planPurchase = {
  userId: uuid,
  igUsername,
  packageIndex: v.pipe(
    wholeNumber(PLAN_RULE),
    v.minValue(1, PLAN_RULE),
    v.maxValue(PLANS.length, PLAN_RULE),
  ),
  /** Optional; refused when it isn't the plan's price. */
  amount: v.optional(dollars('Please enter a valid amount')),
  /** Optional, another name of `amount`; refused when it isn't the plan's price. */
  price: v.optional(dollars('Please enter a valid price')),
  /** Optional; a plan has none, so anything but 0 is refused. */
  credits: v.optional(wholeNumber('Credits must be a whole number')),
  timeZone: v.optional(timeZone, 'UTC'),
};

const PLAN_ERRORS = [
  'card_invalid',
  'card_declined',
  'insufficient_funds',
  'card_disputed',
  'amount_mismatch',
  'not_yours',
  'not_found',
  'account_unreadable',
  'account_already_subscribed',
  'budget_reached',
  'idempotency_conflict',
  'network_throttled',
  'network_unreachable',
  'payment_needs_action',
  'payment_not_confirmed',
  'payment_unknown',
  'payment_unavailable',
  'rate_limited',
] as const;

export const addSubscription = defineCall({
  method: 'POST',
  path: '/user/creditsTransaction/addSubscripiton',
  encoding: 'json',
  session: 'required',
  summary: 'Charges the first month of a plan; the subscription exists only after the charge.',
  input: v.pipe(
    v.object({
      ...cardAndAddress,
      ...planPurchase,
      forAllPlans,
    }),
    v.forward(
      v.check((card) => hasFittingCvv(card), BAD_CVV),
      ['cvv'],
    ),
    v.forward(
      v.check((card) => hasFittingZip(card), ZIP_RULE),
      ['zip'],
    ),
  ),
  tokenInput: v.object({ confirmationToken, ...planPurchase, forAllPlans }),
  data: User,
  errors: PLAN_ERRORS,
});

export const addSubscriptionWithSavedCard = defineCall({
  method: 'POST',
  path: '/user/creditsTransaction/addSubscriptionWithSavedCard',
  encoding: 'json',
  session: 'required',
  summary: 'Charges the first month of a plan to the saved card.',
  input: v.object({ ...planPurchase, savedCard: shownCard }),
  data: User,
  errors: PLAN_ERRORS,
});
