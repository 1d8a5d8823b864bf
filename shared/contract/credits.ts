import * as v from 'valibot';
import { EXTRA_LIKES_MIN } from '../domain/credit-packages.ts';
import { defineCall } from './call.ts';
import {
  BAD_CVV,
  cardAndAddress,
  forAllPlans,
  hasFittingCvv,
  hasFittingZip,
  shownCard,
  ZIP_RULE,
} from './checkout.ts';
import { dollars, igUsername, instant, networkId, uuid, wholeNumber } from './fields.ts';
import { CreditsTransaction, User } from './user.ts';

const LIKES_RULE = `Please enter at least ${EXTRA_LIKES_MIN} likes`;

export const addLikeOrder = defineCall({
  method: 'POST',
  path: '/user/creditLikeOrders/addOrder',
  encoding: 'json',
  session: 'required',
  summary: 'Orders extra likes for one post with credits; 1 credit is 1 like.',
  input: v.object({
    userId: uuid,
    igUsername,
    postId: networkId,
    shortCode: v.pipe(v.string(), v.maxLength(64)),
    likes: v.pipe(
      wholeNumber(LIKES_RULE),
      v.minValue(EXTRA_LIKES_MIN, LIKES_RULE),
      v.maxValue(1_000_000, 'Please order at most 1,000,000 likes at once'),
    ),
  }),
  data: v.object({ orderId: uuid, credits: v.number() }),
  errors: ['not_yours', 'not_found', 'credits_too_low', 'idempotency_conflict', 'rate_limited'],
});

const PACKAGE_RULE = 'Please choose a credit package';

const packPurchase = {
  userId: uuid,
  amount: dollars(PACKAGE_RULE),
  credits: wholeNumber(PACKAGE_RULE),
};

const PACK_ERRORS = [
  'not_yours',
  'not_found',
  'card_invalid',
  'card_declined',
  'insufficient_funds',
  'card_disputed',
  'amount_mismatch',
  'idempotency_conflict',
  'payment_unknown',
  'payment_unavailable',
  'rate_limited',
] as const;

export const buyCredits = defineCall({
  method: 'POST',
  path: '/user/creditsTransaction/addRecord',
  encoding: 'json',
  session: 'required',
  summary: 'Charges a credit package and adds its credits.',
  input: v.pipe(
    v.object({
      ...cardAndAddress,
      ...packPurchase,
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
  data: User,
  errors: PACK_ERRORS,
});

export const buyCreditsWithSavedCard = defineCall({
  method: 'POST',
  path: '/user/creditsTransaction/addRecordWithSavedCard',
  encoding: 'json',
  session: 'required',
  summary: 'Charges a credit package to the saved card and adds its credits.',
  input: v.object({ ...packPurchase, savedCard: shownCard }),
  data: User,
  errors: PACK_ERRORS,
});

export const findTransactions = defineCall({
  method: 'POST',
  path: '/user/creditsTransaction/find',
  encoding: 'json',
  session: 'required',
  summary: 'The transaction history, newest first.',
  input: v.object({ userId: uuid }),
  data: v.array(CreditsTransaction),
  errors: ['not_yours'],
});

/** Where a payment stands that its bank has called back, or that went back to the card. */
export const PAYMENT_RETURN_STATES = ['disputed', 'stands', 'taken', 'refunded'] as const;

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

/** What a ledger entry is about; the customer's words stand in `description`. */
export const LEDGER_KINDS = [
  'bonus',
  'pack',
  'spend',
  'shortfall',
  'release',
  'refund',
  'correction',
] as const;

export const LedgerEntry = v.object({
  id: uuid,
  at: instant,
  kind: v.picklist(LEDGER_KINDS),
  description: v.string(),
  /** Credits added (positive) or taken (negative). */
  credits: v.number(),
  /** Balance afterwards. */
  balance: v.number(),
});
export type LedgerEntry = v.InferOutput<typeof LedgerEntry>;

const LEDGER_LIMIT_RULE = 'Please ask for 1 to 1,000 changes';

export const findLedger = defineCall({
  method: 'POST',
  path: '/user/creditsTransaction/ledger',
  encoding: 'json',
  session: 'required',
  summary:
    'Changes of the credit balance, newest first (1,000, or `limit` up to 1,000, older than `before`).',
  input: v.object({
    userId: uuid,
    limit: v.optional(
      v.pipe(
        wholeNumber(LEDGER_LIMIT_RULE),
        v.minValue(1, LEDGER_LIMIT_RULE),
        v.maxValue(1000, LEDGER_LIMIT_RULE),
      ),
      1000,
    ),
    /** The entry the page before ended with. */
    before: v.optional(uuid),
  }),
  data: v.object({ balance: v.number(), entries: v.array(LedgerEntry) }),
  errors: ['not_yours'],
});
