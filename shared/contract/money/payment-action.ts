import * as v from 'valibot';
import { instant, uuid } from '../fields.ts';

/** A payment that its customer's bank asks about: it is paid only once they have said yes there. */
export const PaymentAction = v.object({
  paymentId: uuid,
  /** The bank's page, or the gateway's. It leads back to `/payment-return?payment=<paymentId>`. */
  url: v.string(),
  /** It is the gateway's, on which a card is entered. */
  isCardPage: v.optional(v.boolean()),
  /** Dollars; 0 where only a card is confirmed. */
  amount: v.number(),
  /** From then on it can't be paid any more, and nothing is charged. */
  until: instant,
});
export type PaymentAction = v.InferOutput<typeof PaymentAction>;
