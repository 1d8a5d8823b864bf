import type { PaymentAction } from '#shared/contract/money/payment-action.ts';
import type { ApiResponse } from '../calls/api-client.ts';

const NONE = { paymentId: '', url: '', amount: 0, until: '' };

/** Where the customer's bank asks them; empty where it doesn't. */
export const actionOf = ({ body }: ApiResponse): PaymentAction => body.action ?? NONE;

/** What the fake gateway calls the payment that the bank asks about. */
export const bankIdOf = (answer: ApiResponse): string =>
  actionOf(answer).url.split('/').at(-1) ?? '';
