import { expect, test } from 'vitest';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import { paidForPlan } from './paid-for-plan.ts';

const paid = (createdAt: string, price: number, igUsername?: string): CreditsTransaction => ({
  id: '0192d3c0-0000-7000-8000-0000000000cc',
  createdAt,
  price,
  description: 'A payment',
  billingInfoId: null,
  ...(igUsername === undefined ? {} : { igUsername }),
});

test('money back is all that was paid for this account’s plan, and nothing else', () => {
  const transactions = [
    paid('2026-11-25T10:00:00.000Z', 14.01, 'ada.paints'),
    paid('2026-11-21T08:59:59.000Z', 9.99, 'ada.paints'),
    paid('2026-11-22T10:00:00.000Z', 24, 'ada.cooks'),
    paid('2026-11-22T10:00:00.000Z', 10),
    paid('2026-10-02T10:00:00.000Z', 48, 'ada.paints'),
  ];
  expect(paidForPlan(transactions, 'ada.paints', '2026-12-21T09:00:00.000Z')).toBe(24);
});
