import * as v from 'valibot';
import { PLANS } from '../../domain/money/plans.ts';
import { defineCall } from '../call.ts';
import {
  BAD_CVV,
  cardAndAddress,
  confirmationToken,
  hasFittingCvv,
  hasFittingZip,
  ZIP_RULE,
} from './checkout.ts';
import { MONEY_BACK_STATES } from '../accounts/connected-account.ts';
import { moneyBackParts } from './returned-money.ts';
import { askedInstant, igUsername, instant, uuid, wholeNumber } from '../fields.ts';
import { User } from '../people/user.ts';

const PLAN_RULE = 'Please choose a plan';
export const planNumber = v.pipe(
  wholeNumber(PLAN_RULE),
  v.minValue(1, PLAN_RULE),
  v.maxValue(PLANS.length, PLAN_RULE),
);

/**
 * What a plan change costs, to the cent (D5). Good for 15 minutes and no longer than this day in the
 * subscription's time zone. All amounts in dollars.
 */
export const Quote = v.object({
  quoteId: uuid,
  expiresAt: instant,
  packageIndex: v.number(),
  /** A month of the new plan. */
  price: v.number(),
  /** A dearer plan holds at once; one of the same price or less from the next due date on. */
  starts: v.picklist(['now', 'next_due_date']),
  /** `price` - `unused` + `unpaid`, at least 0.50; 0 for a plan that starts at the next due date. */
  totalToday: v.number(),
  /** Days of the period that runs; a day of the plan now costs its price / these. */
  periodDays: v.number(),
  /** Whole days of it that are left after today, and their worth. */
  unusedDays: v.number(),
  unused: v.number(),
  /** Days with orders since a due date that wasn't paid, and their price. */
  unpaidDays: v.number(),
  unpaid: v.number(),
  /** The new plan is charged next then, for the first time if it starts at the next due date. */
  nextBillingDate: instant,
});
export type Quote = v.InferOutput<typeof Quote>;

export const quotePlan = defineCall({
  method: 'POST',
  path: '/user/subscription/quote',
  encoding: 'json',
  session: 'required',
  summary: 'What changing the plan of a connected account costs today, to the cent.',
  input: v.object({ userId: uuid, igUsername, packageIndex: planNumber }),
  data: Quote,
  errors: [
    'not_yours',
    'not_found',
    'subscription_state',
    'payment_needs_action',
    'payment_unknown',
    'rate_limited',
  ],
});

export const changePlan = defineCall({
  method: 'POST',
  path: '/user/subscription/change',
  encoding: 'json',
  session: 'required',
  summary:
    'Changes the plan for the quoted price, charged to the saved card. A cheaper plan starts on the next due date.',
  input: v.object({ userId: uuid, quoteId: uuid }),
  data: User,
  errors: [
    'not_yours',
    'not_found',
    'price_changed',
    'budget_reached',
    'card_declined',
    'insufficient_funds',
    'card_disputed',
    'payment_needs_action',
    'payment_not_confirmed',
    'payment_unknown',
    'payment_unavailable',
    'idempotency_conflict',
    'rate_limited',
  ],
});

const ofAccount = { userId: uuid, igUsername };

export const keepPlan = defineCall({
  method: 'POST',
  path: '/user/subscription/keepPlan',
  encoding: 'json',
  session: 'required',
  summary: 'Cancels a plan change planned for the next due date. Does nothing if there is none.',
  input: v.object(ofAccount),
  data: User,
  errors: ['not_yours', 'not_found', 'budget_reached', 'rate_limited'],
});

export const pauseSubscription = defineCall({
  method: 'POST',
  path: '/user/subscription/pause',
  encoding: 'json',
  session: 'required',
  summary: 'Pauses until a date; paused days are added to the period.',
  input: v.object({ ...ofAccount, until: askedInstant }),
  data: User,
  errors: [
    'not_yours',
    'not_found',
    'subscription_state',
    'payment_needs_action',
    'payment_unknown',
    'rate_limited',
  ],
});

export const resumeSubscription = defineCall({
  method: 'POST',
  path: '/user/subscription/resume',
  encoding: 'json',
  session: 'required',
  summary: 'Ends a pause, or undoes a stop at period end.',
  input: v.object(ofAccount),
  data: User,
  errors: ['not_yours', 'not_found', 'subscription_state', 'budget_reached', 'rate_limited'],
});

export const cancelSubscription = defineCall({
  method: 'POST',
  path: '/user/subscription/cancel',
  encoding: 'json',
  session: 'required',
  summary: 'Stops at the end of the period paid for.',
  input: v.object(ofAccount),
  data: User,
  errors: ['not_yours', 'not_found', 'rate_limited'],
});

export const stopSubscription = defineCall({
  method: 'POST',
  path: '/user/subscription/stopNow',
  encoding: 'json',
  session: 'required',
  summary: 'Stops likes today.',
  input: v.object(ofAccount),
  data: User,
  errors: ['not_yours', 'not_found'],
});

/** What money back would return now: `least` once all that is under way is delivered, `most` if none is. */
export const MoneyBackQuote = v.object({
  least: v.number(),
  most: v.number(),
  /** The last moment it can be asked for. */
  until: instant,
  ...moneyBackParts,
});
export type MoneyBackQuote = v.InferOutput<typeof MoneyBackQuote>;

export const quoteMoneyBack = defineCall({
  method: 'POST',
  path: '/user/subscription/quoteMoneyBack',
  encoding: 'json',
  session: 'required',
  summary: 'What a money-back request would return, and how it adds up. Changes nothing.',
  input: v.object(ofAccount),
  data: MoneyBackQuote,
  errors: ['not_yours', 'not_found', 'money_back_over', 'payment_disputed', 'rate_limited'],
});

export const moneyBack = defineCall({
  method: 'POST',
  path: '/user/subscription/moneyBack',
  encoding: 'json',
  session: 'required',
  summary:
    'Stops likes at once and returns all charges less what was delivered beyond 2,500 likes. In the first 30 days, no questions asked.',
  input: v.object(ofAccount),
  data: v.object({
    user: User,
    state: v.picklist(MONEY_BACK_STATES),
    /** Dollars: at least, and at most if nothing under way is delivered any more. */
    amount: v.number(),
    most: v.number(),
    approvedBy: instant,
  }),
  errors: ['not_yours', 'not_found', 'money_back_over', 'payment_disputed', 'idempotency_conflict'],
});

export const replaceBillingInfo = defineCall({
  method: 'POST',
  path: '/user/billingInfo/replace',
  encoding: 'json',
  session: 'required',
  summary: 'Replaces the saved card; a past-due subscription is charged again.',
  input: v.pipe(
    v.object({ ...cardAndAddress, userId: uuid }),
    v.forward(
      v.check((card) => hasFittingCvv(card), BAD_CVV),
      ['cvv'],
    ),
    v.forward(
      v.check((card) => hasFittingZip(card), ZIP_RULE),
      ['zip'],
    ),
  ),
  tokenInput: v.object({ confirmationToken, userId: uuid }),
  data: User,
  errors: [
    'not_yours',
    'card_invalid',
    'card_declined',
    'insufficient_funds',
    'card_disputed',
    'idempotency_conflict',
    'payment_needs_action',
    'payment_not_confirmed',
    'payment_unknown',
    'payment_unavailable',
    'rate_limited',
  ],
});
