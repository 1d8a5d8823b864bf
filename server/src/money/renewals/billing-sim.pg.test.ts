import { expect, test } from 'vitest';
import { compareBooks } from '#test/money/billing-books.ts';
import { runBillingSim } from '#test/billing-sim/run-billing-sim.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps } from '#test/test-deps.ts';

test('customers over 14 months, with faults: both books are equal to the cent', async () => {
  const report = await runBillingSim({
    seed: 20_261_121,
    customers: 15,
    days: 426,
    stepDays: 4,
    actEveryDays: 12,
  });
  expect(report.violations).toEqual([]);
  expect(report.charges).toBeGreaterThan(100);
  expect(report.refunds).toBeGreaterThan(2);
  const wanted = ['change', 'pause', 'cancel', 'money back', 'declined', 'gateway fault'];
  wanted.push('refund rejected', 'refund unanswered', 'confirm renewal: paid');
  wanted.push('bank: yes', 'bank: no', 'bank: given up', 'bank: yes too late');
  wanted.push('event', 'event twice', 'event late', 'event lost', 'event forged');
  wanted.push('dispute', 'dispute won', 'dispute lost', 'refund at the gateway');
  expect(wanted.filter((what) => !report.counts[what])).toEqual([]);
});

test('over HTTP, with banks that ask, disputes and faults, the sandbox’s own book and ours are equal to the cent', async () => {
  const report = await runBillingSim({
    seed: 20_261_121,
    customers: 20,
    days: 40,
    stepDays: 4,
    actEveryDays: 3,
    gateway: 'sandbox',
  });
  expect(report.violations).toEqual([]);
  expect(report.charges).toBeGreaterThan(20);
  expect(report.refunds).toBeGreaterThan(0);
  const wanted = [
    'declined',
    'gateway fault',
    'bank: yes',
    'bank: no',
    'bank: given up',
    'dispute',
  ];
  wanted.push('refund at the gateway');
  expect(wanted.filter((what) => !report.counts[what])).toEqual([]);
});

test('a charge or a date that was tampered with is found', async () => {
  const deps = await createTestDeps();
  await newSubscriber(deps, 'tampered');
  expect((await compareBooks(deps)).violations).toEqual([]);
  const { db } = deps.database;
  await db.updateTable('charge').set({ amount_cents: 1699 }).execute();
  await db.updateTable('subscription').set({ shift_days: 1 }).execute();
  expect((await compareBooks(deps)).violations.map((found) => found.split(' ')[0])).toEqual([
    'charge',
    'subscription',
  ]);
  await deps.database.close();
});
