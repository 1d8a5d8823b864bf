/** What stands by a payment's button when no answer came. */
export const NO_PAYMENT_ANSWER =
  'No answer came back, so we do not know yet whether you were charged. Press the button again: the same payment is never charged twice.';
