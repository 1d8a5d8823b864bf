/** What stands by a payment's button when no answer came. */
export const NO_PAYMENT_ANSWER =
  'We couldn’t reach the server, so we don’t know yet if you were charged. It’s safe to press the button again: you won’t be charged twice.';
