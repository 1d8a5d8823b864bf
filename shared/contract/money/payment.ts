import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { ERROR_CODES } from '../error-code.ts';
import { accountId, instant, uuid } from '../fields.ts';
import { PaymentAction } from './payment-action.ts';
import { User } from '../people/user.ts';

/** What a payment is for. `card`: nothing is charged, a card is confirmed and becomes the saved one. */
const PAID_FOR = ['subscription', 'plan_change', 'credits', 'renewal', 'card'] as const;
const what = v.picklist(PAID_FOR);
export type PaidFor = (typeof PAID_FOR)[number];

/** Where a payment stands, as the gateway says it at this moment; a browser's word decides nothing. */
export const PaymentState = v.variant('kind', [
  /** The bank still waits for its customer. */
  v.object({ kind: v.literal('needs_action'), message: v.string(), what, action: PaymentAction }),
  /** Nobody knows yet whether it is paid. */
  v.object({ kind: v.literal('checking'), message: v.string() }),
  v.object({
    kind: v.literal('paid'),
    what,
    /** Of a plan. */
    accountId: v.optional(accountId),
    igUsername: v.optional(v.string()),
    /** Dollars. */
    amount: v.number(),
    user: User,
  }),
  /** Nothing was charged, and nothing will be. */
  v.object({
    kind: v.literal('declined'),
    what,
    /** Of a plan. */
    igUsername: v.optional(v.string()),
    code: v.picklist(ERROR_CODES),
    message: v.string(),
  }),
  /** It was paid when what it was for could no longer be had: the money is on its way back. */
  v.object({ kind: v.literal('returned'), message: v.string() }),
]);
export type PaymentState = v.InferOutput<typeof PaymentState>;

const ofPayment = v.object({ userId: uuid, paymentId: uuid });

export const findPaymentState = defineCall({
  method: 'POST',
  path: '/user/payment/state',
  encoding: 'json',
  session: 'required',
  summary: 'Where a payment stands. The server asks the card gateway before it answers.',
  input: ofPayment,
  data: PaymentState,
  errors: ['not_yours', 'not_found', 'rate_limited'],
});

/**
 * What waits for the customer: at their bank, or (`paymentId` null) for them to start a renewal's payment; and what
 * nobody knows the end of yet.
 */
export const WaitingPayment = v.object({
  paymentId: v.nullable(uuid),
  what,
  /** Of a plan. */
  accountId: v.optional(accountId),
  igUsername: v.optional(v.string()),
  /** Dollars; 0 where only a card is confirmed. */
  amount: v.number(),
  /** The bank's page. Null: it is being checked; without `paymentId` `confirmRenewal` begins the payment. */
  url: v.nullable(v.string()),
  isCardPage: PaymentAction.entries.isCardPage,
  /** Until when it can be confirmed; a plan whose renewal never is expires then. */
  until: instant,
});
export type WaitingPayment = v.InferOutput<typeof WaitingPayment>;

export const findWaitingPayments = defineCall({
  method: 'POST',
  path: '/user/payment/waiting',
  encoding: 'json',
  session: 'required',
  summary:
    'Payments that wait for the customer: at their bank, or renewals that they have to confirm.',
  input: v.object({ userId: uuid }),
  data: v.array(WaitingPayment),
  errors: ['not_yours'],
});

export const giveUpPayment = defineCall({
  method: 'POST',
  path: '/user/payment/giveUp',
  encoding: 'json',
  session: 'required',
  summary:
    'Cancels a payment that waits at the bank, and answers where it stands then: a yes that was first stays.',
  input: ofPayment,
  data: PaymentState,
  errors: ['not_yours', 'not_found', 'rate_limited'],
});

export const confirmRenewal = defineCall({
  method: 'POST',
  path: '/user/payment/confirmRenewal',
  encoding: 'json',
  session: 'required',
  summary: 'Pays a past-due renewal with the saved card while the customer is there to confirm it.',
  input: v.object({ userId: uuid, accountId }),
  data: User,
  errors: [
    'not_yours',
    'not_found',
    'subscription_state',
    'card_declined',
    'insufficient_funds',
    'card_invalid',
    'card_disputed',
    'idempotency_conflict',
    'payment_needs_action',
    'payment_not_confirmed',
    'payment_unknown',
    'payment_unavailable',
    'rate_limited',
  ],
});

export const enterCardElsewhere = defineCall({
  method: 'POST',
  path: '/user/payment/enterCardElsewhere',
  encoding: 'json',
  session: 'required',
  summary:
    'Begins to enter a card on the card gateway’s own page. The card becomes the saved one, and nothing is charged. Where it was entered already, the address is that of the page that says so.',
  input: v.object({ userId: uuid }),
  data: v.object({ paymentId: uuid, url: v.string() }),
  errors: [
    'not_yours',
    'payment_needs_action',
    'payment_unknown',
    'payment_unavailable',
    'rate_limited',
  ],
});

/** What is said of a payment, or of a card, while nobody knows what the gateway made of it. */
export const PAYMENT_CHECKED = 'Your payment is being checked. Please do not pay again.';
export const CARD_CHECKED = 'Your card is being checked. Please don’t enter another one yet.';

export const CARD_PAGE_ASKED = 'Please enter your card on the payment page.';

/** @param what an amount, or “your card” */
export const bankAsked = (what: string): string => `Your bank asks you to confirm ${what}.`;
