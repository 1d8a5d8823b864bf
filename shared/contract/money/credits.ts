import * as v from 'valibot';
import { EXTRA_LIKES_MIN } from '../../domain/money/credit-packages.ts';
import { defineCall } from '../call.ts';
import {
  BAD_CVV,
  cardAndAddress,
  confirmationToken,
  forAllPlans,
  hasFittingCvv,
  hasFittingZip,
  shownCard,
  ZIP_RULE,
} from './checkout.ts';
import { dollars, igUsername, instant, orderId, postId, uuid, wholeNumber } from '../fields.ts';
import { CreditsTransaction, User } from '../people/user.ts';

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
    postId,
    shortCode: v.pipe(v.string(), v.maxLength(64)),
    likes: v.pipe(
      wholeNumber(LIKES_RULE),
      v.minValue(EXTRA_LIKES_MIN, LIKES_RULE),
      v.maxValue(1_000_000, 'Please order at most 1,000,000 likes at once'),
    ),
  }),
  data: v.object({ orderId, credits: v.number() }),
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
  'budget_reached',
  'card_invalid',
  'card_declined',
  'insufficient_funds',
  'card_disputed',
  'amount_mismatch',
  'idempotency_conflict',
  'payment_needs_action',
  'payment_not_confirmed',
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
  tokenInput: v.object({ confirmationToken, ...packPurchase, forAllPlans }),
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

/** What a ledger entry is about; the customer's words stand in `description`. */
const LEDGER_KINDS = [
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
