import { expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { createCardReplacer, payerOf, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { leftAfterCrashes } from '#test/money/gateway-fixture.ts';
import { patiently } from '#test/patience.ts';
import { CONCURRENCY, openPaymentWorld } from '#test/processes/payment-world.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { settleDueCardSetups } from './charge-janitor.job.ts';
import { findPaymentState, listWaitingPayments } from './payment-state.service.ts';
import { enterCardElsewhere } from './billing-info.service.ts';

/**
 * Server and worker as processes of their own, killed (SIGKILL) between each two steps of a card that its bank asks
 * about, or that is entered on the gateway's page.
 */
const { world, deps, killEverywhere } = await openPaymentWorld();

const LONG_MS = 600_000;

type End = 'the new card' | 'the old card';

interface Way {
  work: 'replace' | 'page';
  /** In this process, whether for the first time or again, sent by another page. */
  begin: (shopper: Shopper) => Promise<unknown>;
  /** What its customer does at the bank, or on the gateway's page. */
  finish: (asked: { gatewayId: string; url: string }) => Promise<unknown>;
}

const NEW_CARD = { ...ASKING_CARD, ccYear: 2034 };
const PAGE_CARD = {
  number: '4242424242424242',
  expiry: '03 / 34',
  code: '123',
  name: 'Ada Page',
  line1: '1 Page Street',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
};

const FORM: Way = {
  work: 'replace',
  begin: async (shopper) => {
    const told = await createCardReplacer(deps)(shopper, NEW_CARD, deps.ids.uuid());
    expect(wordOf(told)).toBe('payment_needs_action');
  },
  finish: ({ gatewayId }) => world.control('POST', `bank/${gatewayId}`, { decision: 'confirm' }),
};
const PAGE: Way = {
  work: 'page',
  begin: (shopper) => enterCardElsewhere(deps, payerOf(deps, shopper.session)),
  finish: async ({ url }) => {
    const body = new URLSearchParams(PAGE_CARD);
    const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' });
    expect(status).toBe(303);
  },
};
const WAYS = [FORM, PAGE];

async function waitingCard({ session }: Shopper) {
  const waiting = await listWaitingPayments(deps, session.workspaceId);
  expect(waiting.length).toBeLessThan(2);
  return waiting[0];
}

/** @returns whether there was something to finish */
async function finish(shopper: Shopper, way: Way): Promise<boolean> {
  const asked = await deps.database.db
    .selectFrom('card_setup')
    .select(['gateway_setup_id as gatewayId', 'action_url as url'])
    .where('workspace_id', '=', shopper.session.workspaceId)
    .where('state', '=', 'needs_action')
    .executeTakeFirst();
  if (!asked?.gatewayId || !asked.url) return false;
  await way.finish({ gatewayId: asked.gatewayId, url: asked.url });
  return true;
}

async function work(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 5) {
    deps.clock.advance(5 * MINUTE_MS);
    await settleDueCardSetups(deps);
  }
}

const stateOf = async (shopper: Shopper, paymentId: string): Promise<string> =>
  (await findPaymentState(deps, payerOf(deps, shopper.session), paymentId)).kind;

/** Whoever comes back begins anew on another page, and finishes what Billing shows then. */
async function comeBack(shopper: Shopper, way: Way): Promise<End> {
  await way.begin(shopper);
  const waiting = await waitingCard(shopper);
  expect(await finish(shopper, way)).toBe(true);
  expect(await stateOf(shopper, waiting?.paymentId ?? '')).toBe('paid');
  return 'the new card';
}

/** The rest is the worker's, within the hour. */
async function finishAndLeave(shopper: Shopper, way: Way): Promise<End> {
  const isFinished = await finish(shopper, way);
  await work(20);
  if (!isFinished) return stayAway();
  return 'the new card';
}

async function stayAway(): Promise<End> {
  await work(80);
  return 'the old card';
}

/** Of our books: one set-up at most has brought a card, and nothing waits. */
async function endOf(shopper: Shopper): Promise<End> {
  const { workspaceId } = shopper.session;
  const { db } = deps.database;
  const cards = await db
    .selectFrom('card')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('in_use_since', 'is not', null)
    .execute();
  const setUps = await db
    .selectFrom('card_setup')
    .select('state')
    .where('workspace_id', '=', workspaceId)
    .where('state', '!=', 'declined')
    .execute();
  expect(setUps).toEqual(cards.slice(1).map(() => ({ state: 'succeeded' })));
  expect(await waitingCard(shopper)).toBeUndefined();
  expect(cards.length).toBeLessThan(3);
  return cards.length === 2 ? 'the new card' : 'the old card';
}

test.each(WAYS)(
  'the server is killed after any step ($work): the person or the worker ends it, with one card',
  async (way) => {
    const steps = await killEverywhere(way.work, {
      concurrency: CONCURRENCY,
      begin: async (n) => ({
        shopper: await newSubscriber(deps, `${way.work}_${n}`),
        changes: NEW_CARD,
      }),
      check: async ({ shopper }, n, turn) => {
        const end = [comeBack, finishAndLeave, stayAway][turn % 3]?.(shopper, way);
        expect([n, await end]).toEqual([n, await endOf(shopper)]);
      },
    });
    expect(steps).toBeGreaterThan(4);
  },
  patiently(LONG_MS),
);

const HEARINGS = WAYS.flatMap((way) =>
  (['janitor', 'give_up'] as const).map((by) => ({ by, way, what: way.work })),
);

test.each(HEARINGS)(
  'a $by is killed after any step of what waits ($what): the new card, or the old one',
  async ({ by, way }) => {
    const isFinished = by === 'janitor';
    const steps = await killEverywhere(by, {
      concurrency: isFinished ? 1 : CONCURRENCY,
      begin: async (n) => {
        const shopper = await newSubscriber(deps, `${by}_${way.work}_${n}`);
        await way.begin(shopper);
        const paymentId = (await waitingCard(shopper))?.paymentId ?? '';
        if (isFinished) await finish(shopper, way);
        deps.clock.advance(MINUTE_MS);
        return { shopper, paymentId };
      },
      check: async ({ shopper }, n) => {
        await work(isFinished ? 20 : 70);
        const end = isFinished ? 'the new card' : 'the old card';
        expect([n, await endOf(shopper)]).toEqual([n, end]);
      },
    });
    expect(steps).toBeGreaterThan(1);
  },
  patiently(LONG_MS),
);

test('after all these kills both books are equal, and nothing is open any more', async () => {
  expect(await leftAfterCrashes(deps)).toEqual([]);
});
