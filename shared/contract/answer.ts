import * as v from 'valibot';
import { ERROR_CODES } from './error-code.ts';
import { PaymentAction } from './money/payment-action.ts';

/** The body of every error: what happened in one sentence, its code, and messages for single fields. */
export const ErrorAnswer = v.object({
  status: v.literal('error'),
  message: v.string(),
  code: v.picklist(ERROR_CODES),
  /** Field name to the sentence that belongs beside it. */
  fields: v.optional(v.record(v.string(), v.string())),
  /** With `payment_needs_action`: where the customer confirms. */
  action: v.optional(PaymentAction),
});
export type ErrorAnswer = v.InferOutput<typeof ErrorAnswer>;

/** The body of every success. */
export interface SuccessAnswer<Data> {
  status: 'success';
  message?: string;
  data: Data;
}
