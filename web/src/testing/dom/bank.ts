import type { PaymentAction } from '#shared/contract/money/payment-action.ts';
import type { PaymentState } from '#shared/contract/money/payment.ts';
import { NOW } from './now.ts';
import { type Reply } from './fake-server.ts';

/** A payment of $24.00 that its customer's bank asks about, with an hour left. */
export const ACTION: PaymentAction = {
  paymentId: '0192d3c0-0000-7000-8000-0000000000c1',
  url: 'http://bank.test/confirm/1',
  amount: 24,
  until: new Date(NOW + 3_600_000).toISOString(),
};
export const BANK_ASKS = 'Your bank asks you to confirm $24.00.';

/** The answer of a call that pays, when the bank asks. */
export const askBank: Reply = async () =>
  Response.json(
    { status: 'error', code: 'payment_needs_action', message: BANK_ASKS, action: ACTION },
    { status: 402 },
  );

export const WAITS: PaymentState = {
  kind: 'needs_action',
  message: BANK_ASKS,
  what: 'subscription',
  action: ACTION,
};
export const CHECKED: PaymentState = {
  kind: 'checking',
  message: 'Your payment is being checked. Please do not pay again.',
};
export const REFUSED: Extract<PaymentState, { kind: 'declined' }> = {
  kind: 'declined',
  what: 'subscription',
  igUsername: 'ada.paints',
  code: 'card_declined',
  message: 'Your bank did not confirm the payment.',
};
export const RETURNED: PaymentState = {
  kind: 'returned',
  message: 'Your payment came too late. The money is on its way back to your card.',
};
