import { expect, test } from 'vitest';
import type { PaymentReturn } from '#shared/contract/money/returned-money.ts';
import { paymentReturnSentence } from './payment-returns.tsx';

const payment: PaymentReturn = {
  id: 'dp_1',
  state: 'disputed',
  description: '2,500 credits',
  paidAt: '2027-01-01T12:00:00.000Z',
  amount: 10,
  takenCredits: 2400,
  at: '2027-01-09T12:00:00.000Z',
  decidedAt: null,
};
const decidedAt = '2027-02-01T12:00:00.000Z';

test.for([
  [
    payment,
    '2,500 credits, paid on January 1, 2027. Your bank disputed it on January 9, 2027, and will decide. Until it does, 2,400 credits are out of your balance, the card can’t be used here, and we can’t return any money.',
  ],
  [
    { ...payment, state: 'stands', decidedAt },
    '2,500 credits, paid on January 1, 2027. Your bank decided on February 1, 2027, that the payment stands. 2,400 credits are back in your balance. The card can be used again. A plan that was stopped gets the days it had left, if its account is still free.',
  ],
  [
    { ...payment, state: 'taken', decidedAt, takenCredits: 1 },
    '2,500 credits, paid on January 1, 2027. Your bank returned the money to you on February 1, 2027. 1 credit from it is gone. The card can no longer be used here. Other cards can.',
  ],
  [
    { ...payment, state: 'refunded', takenCredits: 0 },
    '2,500 credits, paid on January 1, 2027. Sent to your bank on January 9, 2027.',
  ],
] as const)('a payment that is %o says what holds', ([told, sentence]) => {
  expect(paymentReturnSentence(told, 'UTC')).toBe(sentence);
});
