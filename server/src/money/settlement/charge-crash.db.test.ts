import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import {
  booksOf,
  chargesOf,
  NOTHING,
  PAID_ONCE,
  RETURNED,
  runJanitor,
  SLOW_CARD,
} from '#test/money/checkout-books.ts';
import {
  createNode,
  loseAccount,
  newShopper,
  type Shopper,
  wordOf,
} from '#test/checkout-fixture.ts';
import { Died, DIES_EVERY, dyingDeps, Lifetime } from '#test/processes/dying-process.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';

let deps: TestDeps;
let submit: ReturnType<typeof createNode>;
beforeAll(async () => {
  deps = await createTestDeps();
  submit = createNode(deps);
});
afterAll(() => deps.database.close());

/** Lets the node of a checkout die after 0 steps and more until one lives; returns how many it lived. */
async function dyingCheckouts(
  name: string,
  afterDeath: (shopper: Shopper, dieAfter: number) => Promise<void>,
): Promise<number> {
  for (let dieAfter = 0; ; dieAfter += DIES_EVERY) {
    const shopper = await newShopper(deps, `${name}_${dieAfter}`);
    const node = createNode(dyingDeps(deps, new Lifetime(dieAfter)));
    const end: unknown = await node(shopper, 'form').catch((error: unknown) => error);
    if (!(end instanceof Died)) return dieAfter;
    await afterDeath(shopper, dieAfter);
  }
}

test('a process that dies after any step: the customer’s repeat ends in one charge, one plan', async () => {
  const died = await dyingCheckouts('repeat', async (shopper, dieAfter) => {
    deps.clock.advance(2 * MINUTE_MS);
    expect([dieAfter, wordOf(await submit(shopper, 'form'))]).toEqual([dieAfter, 'paid']);
    expect([dieAfter, await booksOf(deps, shopper)]).toEqual([dieAfter, PAID_ONCE]);
  });
  expect(died).toBeGreaterThan(15);
});

test('a process that dies after any step: the janitor alone ends in one charge or none', async () => {
  const ends = new Set<string>();
  await dyingCheckouts('janitor', async (shopper, dieAfter) => {
    await runJanitor(deps, 2 * MINUTE_MS);
    const isWritten = (await chargesOf(deps, shopper)).length > 0;
    ends.add(isWritten ? 'paid' : 'nothing');
    const books = isWritten ? PAID_ONCE : NOTHING;
    expect([dieAfter, await booksOf(deps, shopper)]).toEqual([dieAfter, books]);
    expect([dieAfter, wordOf(await submit(shopper, 'form'))]).toEqual([dieAfter, 'paid']);
    expect([dieAfter, await booksOf(deps, shopper)]).toEqual([dieAfter, PAID_ONCE]);
  });
  expect(ends).toEqual(new Set(['paid', 'nothing']));
});

/** Lets a janitor die after 0 steps and more until one lives to the end; returns how many it lived. */
async function dyingJanitors(prepare: (n: number) => Promise<Shopper>, books: object) {
  for (let dieAfter = 0; ; dieAfter += DIES_EVERY) {
    const shopper = await prepare(dieAfter);
    const lifetime = new Lifetime(dieAfter);
    await settleDueCharges(dyingDeps(deps, lifetime)).catch(() => undefined);
    const hasFinished = !lifetime.isDead();
    await runJanitor(deps, 2 * MINUTE_MS);
    expect([dieAfter, await booksOf(deps, shopper)]).toEqual([dieAfter, books]);
    if (hasFinished) return dieAfter;
  }
}

test('a janitor that dies after any step leaves the rest to the next one', async () => {
  const died = await dyingJanitors(async (n) => {
    const shopper = await newShopper(deps, `janitor_dies_${n}`);
    expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
    deps.clock.advance(5000);
    return shopper;
  }, PAID_ONCE);
  expect(died).toBeGreaterThan(3);
});

test('a refund interrupted after any step pays back once', async () => {
  const died = await dyingJanitors(async (n) => {
    const shopper = await newShopper(deps, `refund_dies_${n}`);
    expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
    await loseAccount(deps, shopper);
    deps.clock.advance(5000);
    await settleDueCharges(deps);
    return shopper;
  }, RETURNED);
  expect(died).toBeGreaterThan(2);
});
