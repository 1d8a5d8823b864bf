import { expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { ASKING_CARD, chargesOf, runJanitor } from '#test/money/checkout-books.ts';
import { createNode, newShopper, payerOf, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { leftAfterCrashes } from '#test/money/gateway-fixture.ts';
import { patiently } from '#test/patience.ts';
import { CONCURRENCY, openPaymentWorld } from '#test/processes/payment-world.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import { subscriptionOf } from '#test/money/subscription-fixture.ts';
import { findPaymentState, listWaitingPayments } from '../payments/payment-state.service.ts';

/**
 * Server and worker as processes of their own, killed (SIGKILL) between each two steps of a plan change that its
 * bank asks about.
 */
const { world, deps, killEverywhere } = await openPaymentWorld();

const LONG_MS = 600_000;

/** The customer's yes to what the gateway has of them. @returns whether the bank asks anything */
async function sayYes(shopper: Shopper): Promise<boolean> {
  const open = (await chargesOf(deps, shopper)).find(({ state }) => state !== 'succeeded');
  const book = (await world.control('GET', 'charges')) as Array<{
    id: string;
    idempotencyKey: string | null;
  }>;
  const asked = book.find(({ idempotencyKey }) => idempotencyKey === open?.gateway_key);
  if (!open || !asked) return false;
  await world.control('POST', `bank/${asked.id}`, { decision: 'confirm' });
  return true;
}

/** With a plan on a card that its bank always asks about, and a quote for a dearer one. */
async function quoted(name: string) {
  const shopper = await newShopper(deps, name);
  const pay = async () => wordOf(await createNode(deps)(shopper, 'form', ASKING_CARD));
  expect(await pay()).toBe('payment_needs_action');
  expect(await sayYes(shopper)).toBe(true);
  expect(await pay()).toBe('paid');
  const { quoteId } = await createPlanChanger(deps).quote(shopper, 4);
  return { shopper, quoteId };
}

/** One that waits at its bank. */
async function asked(name: string, isConfirmed: boolean) {
  const one = await quoted(name);
  await expect(createPlanChanger(deps).change(one.shopper, one.quoteId)).rejects.toMatchObject({
    code: 'payment_needs_action',
  });
  if (isConfirmed) await sayYes(one.shopper);
  const [waiting] = await listWaitingPayments(deps, one.shopper.session.workspaceId);
  deps.clock.advance(MINUTE_MS);
  return { ...one, paymentId: waiting?.paymentId ?? '' };
}

/** Of our books; that the gateway's are equal is told at the end. */
async function endOf(shopper: Shopper): Promise<'changed' | 'as before'> {
  const paid = (await chargesOf(deps, shopper)).filter(({ state }) => state === 'succeeded');
  const { package: plan } = await subscriptionOf(deps, shopper);
  expect([plan, paid.length]).toEqual(plan === 4 ? [4, 2] : [2, 1]);
  expect(await listWaitingPayments(deps, shopper.session.workspaceId)).toEqual([]);
  return plan === 4 ? 'changed' : 'as before';
}

/** Whoever comes back finds under Billing what is on its way, and confirms it there. */
async function comeBack(shopper: Shopper): Promise<'changed' | 'as before'> {
  const [waiting] = await listWaitingPayments(deps, shopper.session.workspaceId);
  if (!waiting?.paymentId) return 'as before';
  const { paymentId } = waiting;
  const look = () => findPaymentState(deps, payerOf(deps, shopper.session), paymentId);
  deps.clock.advance(2 * MINUTE_MS);
  expect((await look()).kind).toBe('needs_action');
  expect(await sayYes(shopper)).toBe(true);
  expect((await look()).kind).toBe('paid');
  return 'changed';
}

/** The rest is the worker's, within the hour. */
async function sayYesAndLeave(shopper: Shopper): Promise<'changed' | 'as before'> {
  const isPaid = await sayYes(shopper);
  await runJanitor(deps, 10 * MINUTE_MS, 2 * MINUTE_MS);
  if (!isPaid) return stayAway(shopper);
  return 'changed';
}

async function stayAway(_shopper: Shopper): Promise<'changed' | 'as before'> {
  await runJanitor(deps, 80 * MINUTE_MS, 10 * MINUTE_MS);
  return 'as before';
}

test(
  'the server is killed after any step: the person or the worker ends it, for one charge or none',
  async () => {
    const steps = await killEverywhere('change', {
      concurrency: CONCURRENCY,
      begin: (n) => quoted(`changes_${n}`),
      check: async ({ shopper }, n, turn) => {
        const end = [comeBack, sayYesAndLeave, stayAway][turn % 3]?.(shopper);
        expect([n, await end]).toEqual([n, await endOf(shopper)]);
      },
    });
    expect(steps).toBeGreaterThan(8);
  },
  patiently(LONG_MS),
);

test(
  'server or worker are killed after any step of hearing a yes or of giving up: changed once, or as before',
  async () => {
    for (const work of ['look', 'janitor', 'give_up'] as const) {
      const isConfirmed = work !== 'give_up';
      const steps = await killEverywhere(work, {
        concurrency: work === 'janitor' ? 1 : CONCURRENCY,
        begin: (n) => asked(`${work}_${n}`, isConfirmed),
        check: async ({ shopper }, n) => {
          await runJanitor(deps, 70 * MINUTE_MS, 10 * MINUTE_MS);
          const end = isConfirmed ? 'changed' : 'as before';
          expect([work, n, await endOf(shopper)]).toEqual([work, n, end]);
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
