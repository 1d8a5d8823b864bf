import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASKING_CARD, chargesOf, MINUTE_MS, runJanitor } from '#test/checkout-books.ts';
import { createNode, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import type { PaymentWork } from '#test/payment-process.ts';
import { leftAfterCrashes } from '#test/gateway-fixture.ts';
import { patiently } from '#test/patience.ts';
import { openPaymentWorld, type PaymentWorld } from '#test/payment-world.ts';

/**
 * Server and worker as processes of their own, killed (SIGKILL) between each two steps of a payment that its bank
 * asks about: after committed statements and answers of the gateway, which keeps its book in another one.
 */
let world: PaymentWorld['world'];
let deps: PaymentWorld['deps'];
let isKilled: PaymentWorld['isKilled'];
let close: PaymentWorld['close'];
beforeAll(async () => {
  ({ world, deps, isKilled, close } = await openPaymentWorld());
});
afterAll(() => close());

const LONG_MS = 600_000;
/** As many processes as cores are likely to be there. */
const AT_ONCE = 3;
/** `KILLS_EVERY=1` kills after each step; `bank-crash.pg.test.ts` does so without processes. */
const KILLS_EVERY = Number(process.env['KILLS_EVERY'] ?? 3);

/** Kills a process after 0, 3, 6... steps, until one lives. @returns how many steps that one was given */
async function killEverywhere<Scene extends { shopper: Shopper }>(
  work: PaymentWork['work'],
  scenes: { atOnce: number; begin: (n: number) => Promise<Scene> },
  check: (scene: Scene, n: number) => Promise<void>,
): Promise<number> {
  for (let from = 0; ; from += scenes.atOnce * KILLS_EVERY) {
    const begun = new Map<number, Scene>();
    for (let n = from; begun.size < scenes.atOnce; n += KILLS_EVERY) {
      begun.set(n, await scenes.begin(n));
    }
    const killed = await Promise.all(
      [...begun].map(async ([n, scene]) => ({ n, isDead: await isKilled(work, n, scene) })),
    );
    for (const [n, scene] of begun) await check(scene, n);
    const lived = killed.find(({ isDead }) => !isDead);
    if (lived) return lived.n;
  }
}

const again = async (shopper: Shopper): Promise<string> =>
  wordOf(await createNode(deps)(shopper, 'form', ASKING_CARD));

async function confirm(shopper: Shopper): Promise<void> {
  const [charge] = await chargesOf(deps, shopper);
  await world.control('POST', `bank/${charge?.gateway_charge_id}`, { decision: 'confirm' });
}

/** Sends the form again, says yes at the bank, and again; what is heard. */
async function comeBack(shopper: Shopper): Promise<string[]> {
  const first = await again(shopper);
  await confirm(shopper);
  return [first, await again(shopper)];
}

async function stayAway(): Promise<string[]> {
  await runJanitor(deps, 80 * MINUTE_MS, 10 * MINUTE_MS);
  return [];
}

/** One that waits at its bank. */
async function asked(name: string, isConfirmed: boolean) {
  const shopper = await newShopper(deps, name);
  expect(await again(shopper)).toBe('payment_needs_action');
  const [charge] = await chargesOf(deps, shopper);
  if (isConfirmed) await confirm(shopper);
  deps.clock.advance(MINUTE_MS);
  return { shopper, chargeId: charge?.id ?? '' };
}

/** Of our books; that the gateway's are equal is told at the end. */
async function countOf({ session }: Shopper) {
  const count = async (table: 'charge' | 'subscription' | 'credits_transaction') => {
    const rows = await deps.database.db
      .selectFrom(table)
      .selectAll()
      .where('workspace_id', '=', session.workspaceId)
      .execute();
    return rows.filter((row) => table !== 'charge' || ('state' in row && row.state === 'succeeded'))
      .length;
  };
  return {
    charges: await count('charge'),
    subscriptions: await count('subscription'),
    payments: await count('credits_transaction'),
  };
}

const ONE = { charges: 1, subscriptions: 1, payments: 1 };
const NONE = { charges: 0, subscriptions: 0, payments: 0 };

test(
  'the server is killed after any step of a checkout: whoever comes back pays once, and nobody pays for nothing',
  async () => {
    const scenes = {
      atOnce: AT_ONCE,
      begin: async (n: number) => ({ shopper: await newShopper(deps, `killed_${n}`) }),
    };
    const steps = await killEverywhere('checkout', scenes, async ({ shopper }, n) => {
      deps.clock.advance(2 * MINUTE_MS);
      const isBack = n % 2 === 0;
      const heard = isBack ? await comeBack(shopper) : await stayAway();
      expect([n, heard]).toEqual([n, isBack ? ['payment_needs_action', 'paid'] : []]);
      expect([n, await countOf(shopper)]).toEqual([n, isBack ? ONE : NONE]);
    });
    expect(steps).toBeGreaterThan(15);
  },
  patiently(LONG_MS),
);

test(
  'server or worker are killed after any step of hearing a yes or of giving up: one charge or none',
  async () => {
    for (const work of ['look', 'janitor', 'give_up'] as const) {
      const isConfirmed = work !== 'give_up';
      const scenes = {
        // The worker takes whatever is due.
        atOnce: work === 'janitor' ? 1 : AT_ONCE,
        begin: (n: number) => asked(`${work}_${n}`, isConfirmed),
      };
      const steps = await killEverywhere(work, scenes, async ({ shopper }, n) => {
        await runJanitor(deps, 70 * MINUTE_MS, 10 * MINUTE_MS);
        const wanted = isConfirmed ? ONE : NONE;
        expect([work, n, await countOf(shopper)]).toEqual([work, n, wanted]);
      });
      expect(steps).toBeGreaterThan(2);
    }
  },
  patiently(LONG_MS),
);

test('after all these kills both books are equal, and nothing is open any more', async () => {
  expect(await leftAfterCrashes(deps)).toEqual([]);
});
