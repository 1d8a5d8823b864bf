import { expect, test } from 'vitest';
import { hadBefore, type LostPayment } from './disputed-value.ts';

const PLAN = 'plan';
const plan = (amountCents: number, subscriptionId = PLAN): LostPayment => ({
  amountCents,
  subscriptionId,
  usedCredits: 0,
});
const pack = (usedCredits: number): LostPayment => ({
  amountCents: 3700,
  subscriptionId: null,
  usedCredits,
});
const had = (payments: LostPayment[], valueCents = 1000): number =>
  hadBefore(payments, () => valueCents);

test('a plan’s likes are granted once, though two of its payments were taken back', () => {
  expect(had([plan(800), plan(900)])).toBe(1000);
  expect(had([plan(300), plan(400)])).toBe(700);
});

test('each of two plans has its own', () => {
  expect(had([plan(5000), plan(5000, 'another')])).toBe(2000);
});

test('of a pack the credits that were used are granted, at the worth of credits', () => {
  expect(had([pack(0)])).toBe(0);
  expect(had([pack(5000)])).toBe(2000);
  expect(had([pack(10_000), pack(10_000)])).toBe(8000);
});
