import { expect, test } from 'vitest';
import type { MoneyBack } from '#shared/contract/money/returned-money.ts';
import { moneyBackSentence } from './money-backs.tsx';

const request: MoneyBack = {
  id: '00000000-0000-4000-8000-000000000001',
  igUsername: 'ada.paints',
  state: 'Requested',
  amount: 17,
  most: 17,
  charged: 17,
  hasFreeLikes: true,
  paidLikes: 0,
  likesCost: 0,
  takenCredits: 0,
  usedCredits: 0,
  creditsCost: 0,
  requestedAt: '2026-11-20T10:00:00.000Z',
  approvedBy: '2026-11-23T10:00:00.000Z',
  paidAt: null,
};

test.each([
  [
    { state: 'Requested' },
    /We’ll approve it no later than November 23, 2026\..* 7 to 10 business days/,
  ],
  [{ state: 'Approved' }, /Approved on November 23, 2026\..* 7 to 10 business days/],
  [{ state: 'Paid', paidAt: '2026-11-28T10:00:00.000Z' }, /Sent to your bank on November 28, 2026/],
] as const)('money back says what happens next and when: %j', (changes, sentence) => {
  expect(moneyBackSentence({ ...request, ...changes }, 'UTC')).toMatch(sentence);
});
