import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { type BillingClock, daysOfPeriod, dueAt } from './billing-period.ts';
import { dayOf, dayStart } from './day-use.ts';
import { LEAST_CHARGE_CENTS, planQuote } from './plan-quote.ts';

const NONE: ReadonlySet<number> = new Set();
const ZONES = ['UTC', 'America/New_York', 'America/Santiago', 'Asia/Tehran', 'Pacific/Kiritimati'];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2030, 0, 1) });
const price = fc.integer({ min: 50, max: 60_000 });

const clockAt = (anchorMs: number, timeZone = 'UTC', shiftDays = 0): BillingClock => ({
  anchorMs,
  timeZone,
  shiftDays,
});

function upgrade(change: Partial<Parameters<typeof planQuote>[0]> & { clock: BillingClock }) {
  const quote = planQuote({
    nowMs: change.clock.anchorMs,
    oldPriceCents: 1500,
    newPriceCents: 4500,
    paidPeriod: 0,
    unpaid: NONE,
    ...change,
  });
  if (quote.starts !== 'now') throw new Error('Not an upgrade');
  return quote;
}

test('on the first day 29 of 30 days are unused: today is used', () => {
  const clock = clockAt(Date.parse('2026-11-22T09:00:00Z'));
  expect(upgrade({ clock })).toEqual({
    starts: 'now',
    periodDays: 30,
    unusedDays: 29,
    unusedCents: 1450,
    unpaidDays: 0,
    unpaidCents: 0,
    totalCents: 3050,
  });
  const lastDayMs = dueAt(clock, 1) - 1;
  expect(upgrade({ clock, nowMs: lastDayMs })).toMatchObject({ unusedDays: 0, totalCents: 4500 });
});

test('days that shift has added are never worth more than the period cost', () => {
  const clock = clockAt(Date.parse('2026-11-22T09:00:00Z'), 'UTC', 40);
  const quote = upgrade({ clock, nowMs: clock.anchorMs + 5 * DAY_MS });
  expect(quote).toMatchObject({ periodDays: 30, unusedDays: 30, totalCents: 3000 });
});

test('days served in advance of a payment are paid with the upgrade', () => {
  const clock = clockAt(Date.parse('2026-11-22T09:00:00Z'));
  const due = dayOf(dueAt(clock, 1), 'UTC');
  const nowMs = dueAt(clock, 1) + 4 * DAY_MS;
  const unpaid = new Set([due, due + 1]);
  expect(upgrade({ clock, nowMs, unpaid })).toMatchObject({
    unusedDays: 0,
    periodDays: 31,
    unpaidDays: 2,
    unpaidCents: 97,
    totalCents: 4597,
  });
});

test('an upgrade costs at least what a card can be charged', () => {
  const clock = clockAt(Date.parse('2026-11-22T09:00:00Z'), 'UTC', 40);
  const quote = upgrade({ clock, oldPriceCents: 4500, newPriceCents: 4510 });
  expect(quote.totalCents).toBe(LEAST_CHARGE_CENTS);
});

test('the same price or less costs nothing and follows at the next due date, in the future', () => {
  fc.assert(
    fc.property(instant, zone, price, price, fc.nat(90), (anchorMs, timeZone, a, b, afterDays) => {
      const clock = clockAt(anchorMs, timeZone);
      const nowMs = anchorMs + afterDays * DAY_MS;
      const change = { oldPriceCents: Math.max(a, b), newPriceCents: Math.min(a, b) };
      const quote = planQuote({ ...change, nowMs, clock, paidPeriod: 0, unpaid: NONE });
      if (quote.starts !== 'next_due_date') throw new Error('A downgrade began at once');
      expect(quote.totalCents).toBe(0);
      expect(quote.atMs).toBeGreaterThan(nowMs);
      const due = [1, 2, 3, 4].map((n) => dueAt(clock, n)).find((atMs) => atMs > nowMs);
      expect(quote.atMs).toBe(due);
    }),
  );
});

test('the unused days are paid back to the cent and never above it', () => {
  fc.assert(
    fc.property(
      instant,
      zone,
      price,
      price,
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (anchorMs, timeZone, oldPriceCents, more, part) => {
        const clock = clockAt(anchorMs, timeZone);
        const nowMs = Math.floor(anchorMs + (dueAt(clock, 1) - anchorMs) * part);
        const newPriceCents = oldPriceCents + more;
        const quote = upgrade({ clock, nowMs, oldPriceCents, newPriceCents });
        const worth = (oldPriceCents * quote.unusedDays) / quote.periodDays;
        expect(quote.periodDays).toBe(daysOfPeriod(clock, 0));
        expect(Number.isInteger(quote.totalCents)).toBe(true);
        expect(newPriceCents - quote.totalCents).toBeLessThanOrEqual(worth);
        expect(newPriceCents - quote.totalCents).toBeGreaterThan(worth - 1);
        // Later the same day nothing changes.
        const endMs = Math.min(dayStart(dayOf(nowMs, timeZone) + 1, timeZone), dueAt(clock, 1)) - 1;
        expect(upgrade({ clock, nowMs: endMs, oldPriceCents, newPriceCents })).toEqual(quote);
      },
    ),
  );
});

/** Paid for a plan, and what its days used are worth at its price. */
interface Run {
  paidCents: number;
  usedCents: number;
}

/** Goes up at once and down at due dates, one after the other. */
function play(anchorMs: number, timeZone: string, steps: ReadonlyArray<[number, number]>): Run {
  const [first] = steps;
  let oldPriceCents = first?.[0] ?? 999;
  let clock = clockAt(anchorMs, timeZone);
  const run: Run = { paidCents: oldPriceCents, usedCents: 0 };
  // Counted on the calendar, not as the quote counts; the day of a due date is the next month's.
  const use = (untilMs: number): void => {
    const periodDays = daysOfPeriod(clock, 0);
    const days = dayOf(untilMs, timeZone) - dayOf(clock.anchorMs, timeZone) + 1;
    run.usedCents += (oldPriceCents * Math.min(days, periodDays)) / periodDays;
  };
  for (const [newPriceCents, afterMs] of steps) {
    const nowMs = clock.anchorMs + (afterMs % (dueAt(clock, 1) - clock.anchorMs));
    const change = { nowMs, oldPriceCents, newPriceCents, clock, paidPeriod: 0, unpaid: NONE };
    const quote = planQuote(change);
    if (quote.starts === 'now') use(nowMs);
    else run.usedCents += oldPriceCents;
    run.paidCents += quote.starts === 'now' ? quote.totalCents : newPriceCents;
    clock = clockAt(quote.starts === 'now' ? nowMs : quote.atMs, timeZone);
    oldPriceCents = newPriceCents;
  }
  // The last plan's day of today, at least.
  run.usedCents += oldPriceCents / daysOfPeriod(clock, 0);
  return run;
}

test('up and down any number of times never costs less than each plan’s price x days used', () => {
  const step = fc.tuple(price, fc.nat(31 * DAY_MS));
  fc.assert(
    fc.property(
      instant,
      zone,
      fc.array(step, { minLength: 1, maxLength: 30 }),
      (anchorMs, timeZone, steps) => {
        const { paidCents, usedCents } = play(anchorMs, timeZone, steps);
        expect(paidCents).toBeGreaterThanOrEqual(usedCents - 1e-6);
      },
    ),
    { numRuns: 300 },
  );
});
