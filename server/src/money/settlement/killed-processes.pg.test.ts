import { expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { ASKING_CARD, chargesOf, runJanitor } from '#test/money/checkout-books.ts';
import { createNode, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { leftAfterCrashes } from '#test/money/gateway-fixture.ts';
import { patiently } from '#test/patience.ts';
import { CONCURRENCY, openPaymentWorld } from '#test/processes/payment-world.ts';

/**
 * Server and worker as processes of their own, killed (SIGKILL) between each two steps of a payment that its bank
 * asks about: after committed statements and answers of the gateway, which keeps its book in another one.
 */
const { world, deps, killEverywhere } = await openPaymentWorld();

const LONG_MS = 600_000;
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
  return { shopper, paymentId: charge?.id ?? '' };
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
    const steps = await killEverywhere('checkout', {
      concurrency: CONCURRENCY,
      begin: async (n) => ({ shopper: await newShopper(deps, `killed_${n}`) }),
      check: async ({ shopper }, n, turn) => {
        deps.clock.advance(2 * MINUTE_MS);
        // The first of two: while the other one stays away, hours pass for both.
        const isBack = turn % CONCURRENCY === 0;
        const heard = isBack ? await comeBack(shopper) : await stayAway();
        expect([n, heard]).toEqual([n, isBack ? ['payment_needs_action', 'paid'] : []]);
        expect([n, await countOf(shopper)]).toEqual([n, isBack ? ONE : NONE]);
      },
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
      const steps = await killEverywhere(work, {
        concurrency: work === 'janitor' ? 1 : CONCURRENCY,
        begin: (n) => asked(`${work}_${n}`, isConfirmed),
        check: async ({ shopper }, n) => {
          await runJanitor(deps, 70 * MINUTE_MS, 10 * MINUTE_MS);
          const wanted = isConfirmed ? ONE : NONE;
          expect([work, n, await countOf(shopper)]).toEqual([work, n, wanted]);
        },
      });
      expect(steps).toBeGreaterThan(2);
    }
  },
  patiently(LONG_MS),
);

test('after all these kills both books are equal, and nothing is open any more', async () => {
  expect(await leftAfterCrashes(deps)).toEqual([]);
});
