import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { MONEY_BACK_STATES } from '../accounts/connected-account.ts';
import { instant, uuid } from '../fields.ts';

/** Where a payment stands that its bank has called back, or that went back to the card. */
const PAYMENT_RETURN_STATES = ['disputed', 'stands', 'taken', 'refunded'] as const;

/** What a bank has called back of a payment, or what was given back of it outside the money-back guarantee. */
export const PaymentReturn = v.object({
  id: v.string(),
  /**
   * `disputed`: the bank decides; `stands`: it decided that we keep it; `taken`: it has returned it to the
   * card; `refunded`: we have.
   */
  state: v.picklist(PAYMENT_RETURN_STATES),
  description: v.string(),
  igUsername: v.optional(v.string()),
  /** When it was paid. */
  paidAt: instant,
  /** Dollars. */
  amount: v.number(),
  /** Credits that a dispute took; returned when the payment stands. */
  takenCredits: v.number(),
  /** When the bank called it back, or it was refunded. */
  at: instant,
  /** When the bank decided; null before, and with refunds. */
  decidedAt: v.nullable(instant),
});
export type PaymentReturn = v.InferOutput<typeof PaymentReturn>;

export const findPaymentReturns = defineCall({
  method: 'POST',
  path: '/user/creditsTransaction/returns',
  encoding: 'json',
  session: 'required',
  summary: 'Disputed payments and other refunds with their status, newest first.',
  input: v.object({ userId: uuid }),
  data: v.array(PaymentReturn),
  errors: ['not_yours'],
});

/** What a money back is computed from (D5): dollars, likes and credits. */
export const moneyBackParts = {
  charged: v.number(),
  /** False: a card that paid for the plan has had its free likes before. */
  hasFreeLikes: v.boolean(),
  /** Automatic likes delivered beyond the free ones, all that is under way counted, and their cost. */
  paidLikes: v.number(),
  likesCost: v.number(),
  /** Credits the plan brought: those that leave the balance, those that are used, and their cost. */
  takenCredits: v.number(),
  usedCredits: v.number(),
  creditsCost: v.number(),
};

/** Charges of a plan on their way back to the card (D5). */
export const MoneyBack = v.object({
  /** The subscription that ended with it. */
  id: uuid,
  igUsername: v.string(),
  state: v.picklist(MONEY_BACK_STATES),
  /** Dollars: at least, until it is approved; then exactly. */
  amount: v.number(),
  most: v.number(),
  ...moneyBackParts,
  requestedAt: instant,
  /** Approved by itself then, unless somebody was quicker. */
  approvedBy: instant,
  /** When everything had gone back; null before. */
  paidAt: v.nullable(instant),
});
export type MoneyBack = v.InferOutput<typeof MoneyBack>;

export const findMoneyBacks = defineCall({
  method: 'POST',
  path: '/user/subscription/moneyBacks',
  encoding: 'json',
  session: 'required',
  summary: 'The money-back requests with their status, newest first.',
  input: v.object({ userId: uuid }),
  data: v.array(MoneyBack),
  errors: ['not_yours'],
});
