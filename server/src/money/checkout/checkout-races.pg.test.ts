import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/kit/db/database.ts';
import type { Clock } from '#server/kit/deps.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { booksOf, NOTHING, PAID_ONCE, SLOW_CARD } from '#test/money/checkout-books.ts';
import { createNode, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';

/**
 * Time that the test moves. A duplicate that asks again after a pause (the only short one there is) goes on
 * when no checkout is under way in the database any more, or the next one has ended.
 */
class RaceClock implements Clock {
  readonly #db: Db;
  #nowMs: number;
  #ended = Promise.withResolvers<void>();

  constructor(db: Db, startsAtMs: number) {
    this.#db = db;
    this.#nowMs = startsAtMs;
  }

  now(): number {
    return this.#nowMs;
  }

  advance(byMs: number): void {
    this.#nowMs += byMs;
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (delayMs > SHORT_PAUSE_MS) return aborted(signal);
    // Taken before the poll: what ends in between is heard.
    const { promise: ended } = this.#ended;
    const running = await this.#db
      .selectFrom('attempt')
      .select('key')
      .where('answer', 'is', null)
      .where('lease_until', '>', new Date(this.#nowMs))
      .execute();
    if (running.length > 0) await ended;
  }

  checkoutEnded(): void {
    this.#ended.resolve();
    this.#ended = Promise.withResolvers();
  }
}

const SHORT_PAUSE_MS = 1000;

/** Time stands still, so a deadline never comes. */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve());
  });
}

let deps: TestDeps;
let clock: RaceClock;
/** Nodes of their own: each with its own connections and its own memory. */
let nodes: Array<ReturnType<typeof createNode>>;
const closing: Array<() => Promise<void>> = [];

beforeAll(async () => {
  deps = await createTestDeps();
  clock = new RaceClock(deps.database.db, deps.clock.now());
  const url = deps.database.url ?? '';
  nodes = [1, 2, 3].map(() => {
    const database = openPostgres(url, { onError: () => undefined });
    closing.push(() => database.close());
    const node = createNode({ ...deps, clock, database }, viewUser);
    return (...checkout) => node(...checkout).finally(() => clock.checkoutEnded());
  });
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await deps.database.close();
});

/** How often each race is run. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 2);

const nodeOf = (n: number) => nodes[n % nodes.length] as ReturnType<typeof createNode>;
const range = (length: number): number[] => Array.from({ length }, (_, n) => n);

// Shows facts 2.74, 2.75, 2.76, 2.77.
test('50 double-clicks on three nodes with one key charge once and all hear the same', async () => {
  for (const round of range(ROUNDS / 2)) {
    const shopper = await newShopper(deps, `clicks_${round}`);
    const told = await Promise.all(range(50).map((n) => nodeOf(n)(shopper, 'form')));
    expect(new Set(told.map((each) => JSON.stringify(each)))).toHaveLength(1);
    expect(told.map(wordOf)[0]).toBe('paid');
    expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
  }
});

test('50 double-clicks without a key charge once', async () => {
  const shopper = await newShopper(deps, 'keyless');
  const told = await Promise.all(range(50).map((n) => nodeOf(n)(shopper, undefined)));
  expect(new Set(told.map(wordOf))).toEqual(new Set(['paid']));
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('different keys at once for one account charge once', async () => {
  for (const round of range(ROUNDS)) {
    const shopper = await newShopper(deps, `keys_${round}`);
    const told = await Promise.all(range(6).map((n) => nodeOf(n)(shopper, `form-${n}`)));
    const words = told.map(wordOf);
    expect(words.filter((word) => word === 'paid')).toHaveLength(1);
    const others = new Set(words.filter((word) => word !== 'paid'));
    others.delete('account_already_subscribed');
    others.delete('payment_unknown');
    expect(others).toEqual(new Set());
    expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
  }
});

test('workspaces that race for one network account: one wins, the others pay nothing', async () => {
  for (const round of range(ROUNDS)) {
    const name = `race_${round}`;
    const racers = [await newShopper(deps, name)];
    for (const _ of range(3)) racers.push(await newShopper(deps, name, { onNetwork: false }));
    const told = await Promise.all(racers.map((racer, n) => nodeOf(n)(racer, 'form')));
    expect(told.map(wordOf).sort()).toEqual([
      'account_already_subscribed',
      'account_already_subscribed',
      'account_already_subscribed',
      'paid',
    ]);
    const winner = told.findIndex((each) => wordOf(each) === 'paid');
    for (const [n, racer] of racers.entries()) {
      expect(await booksOf(deps, racer)).toEqual(n === winner ? PAID_ONCE : NOTHING);
    }
  }
});

test('repeats and janitors that race for one unknown payment settle it once', async () => {
  for (const round of range(ROUNDS)) {
    const shopper = await newShopper(deps, `settle_${round}`);
    expect(wordOf(await nodeOf(0)(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
    clock.advance(10_000);
    await Promise.all([
      ...range(3).map(() => settleDueCharges({ ...deps, clock })),
      ...range(3).map((n) => nodeOf(n)(shopper, 'form', SLOW_CARD)),
    ]);
    expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
    expect(wordOf(await nodeOf(round)(shopper, 'form', SLOW_CARD))).toBe('paid');
  }
});
