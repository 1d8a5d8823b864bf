import { expect, test } from 'vitest';
import { compareBooks } from '#test/billing-books.ts';
import { runBillingSim } from '#test/billing-sim/run-billing-sim.ts';
import { newSubscriber } from '#test/subscription-fixture.ts';
import { createTestDeps } from '#test/test-deps.ts';

test('customers over 14 months, with faults: both books are equal to the cent', async () => {
  const report = await runBillingSim({
    seed: 20_261_121,
    customers: 30,
    days: 426,
    stepDays: 4,
    actEveryDays: 12,
  });
  expect(report.violations).toEqual([]);
  expect(report.charges).toBeGreaterThan(100);
  expect(report.refunds).toBeGreaterThan(2);
  const wanted = ['change', 'pause', 'cancel', 'money back', 'declined', 'gateway fault'];
  wanted.push('refund rejected', 'refund unanswered');
  expect(wanted.filter((what) => !report.counts[what])).toEqual([]);
});

test('over HTTP the sandbox’s own book and ours are equal to the cent, with faults', async () => {
  const report = await runBillingSim({
    seed: 20_261_121,
    customers: 20,
    days: 40,
    stepDays: 4,
    actEveryDays: 8,
    gateway: 'sandbox',
  });
  expect(report.violations).toEqual([]);
  expect(report.charges).toBeGreaterThan(20);
  expect(report.refunds).toBeGreaterThan(0);
  expect(['declined', 'gateway fault'].filter((what) => !report.counts[what])).toEqual([]);
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
