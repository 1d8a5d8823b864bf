import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentState } from '#shared/contract/money/payment.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { ASKING_CARD } from '#test/money/checkout-books.ts';
import { createCardReplacer, payerOf, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { dieEverywhere } from '#test/processes/dying-process.ts';
import { leftAfterCrashes } from '#test/money/gateway-fixture.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { settleDueCardSetups } from './charge-janitor.job.ts';
import { findPaymentState, listWaitingPayments } from './payment-state.service.ts';
import { enterCardElsewhere } from './billing-info.service.ts';

/** Server and workers die between each two steps of a card set-up, in the form and on the gateway's page. */
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const replace = async (by: TestDeps, shopper: Shopper, key?: string): Promise<string> =>
  wordOf(await createCardReplacer(by)(shopper, { ...ASKING_CARD, ccYear: 2034 }, key));

const openPage = (by: TestDeps, { session }: Shopper) =>
  enterCardElsewhere(by, payerOf(by, session));

const setUpsOf = ({ session }: Shopper) =>
  deps.database.db
    .selectFrom('card_setup')
    .select(['id', 'state', 'gateway_setup_id as gatewayId'])
    .where('workspace_id', '=', session.workspaceId)
    .orderBy('created_at')
    .execute();

const look = (
  by: TestDeps,
  { session }: Shopper,
  paymentId: string,
  giveUp?: 'given_up',
): Promise<PaymentState> => findPaymentState(by, payerOf(by, session), paymentId, giveUp);

async function waitingCard({ session }: Shopper) {
  const waiting = await listWaitingPayments(deps, session.workspaceId);
  expect(waiting.length).toBeLessThan(2);
  return waiting[0];
}

/** The yes at the bank, or a card on the page. */
async function finish(shopper: Shopper): Promise<void> {
  const waiting = (await setUpsOf(shopper)).find(({ state }) => state === 'needs_action');
  const id = waiting?.gatewayId ?? '';
  if (!id.startsWith('cs')) return void deps.gateway.confirmAtBank(id);
  deps.gateway.enterCard(id, { number: ASKING_CARD.ccNum, name: 'Ada', month: 3, year: 2034 });
}

/** An hour and more of the worker. */
async function work(): Promise<void> {
  for (let minutes = 0; minutes < 80; minutes += 10) {
    deps.clock.advance(10 * MINUTE_MS);
    await settleDueCardSetups(deps);
  }
}

/** The cards that have been the saved one; nothing waits any more, and one set-up at most has brought it. */
async function endOf(shopper: Shopper): Promise<'the new card' | 'the old card'> {
  const cards = await deps.database.db
    .selectFrom('card')
    .select('last_digits')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .where('in_use_since', 'is not', null)
    .orderBy('in_use_since')
    .execute();
  const digits = cards.map(({ last_digits: last }) => last);
  const end = digits.length === 2 ? 'the new card' : 'the old card';
  expect(digits).toEqual(end === 'the new card' ? ['4242', '3184'] : ['4242']);
  expect(await waitingCard(shopper)).toBeUndefined();
  const states = (await setUpsOf(shopper)).map(({ state }) => state);
  const saved = states.filter((state) => state === 'succeeded');
  expect(saved).toHaveLength(digits.length - 1);
  expect(states.filter((state) => !['succeeded', 'declined'].includes(state))).toEqual([]);
  return end;
}

type Begin = (by: TestDeps, shopper: Shopper) => Promise<unknown>;
const BEGINNINGS: ReadonlyArray<[name: string, begin: Begin, steps: number]> = [
  ['form', (by, shopper) => replace(by, shopper), 8],
  ['page', openPage, 5],
];

test('the server dies replacing a card after any step: the page that sends it again replaces it once', async () => {
  const died = await dieEverywhere(
    deps,
    (n) => newSubscriber(deps, `repeats_${n}`),
    (dying, shopper) => replace(dying, shopper),
    async (shopper, n) => {
      deps.clock.advance(2 * MINUTE_MS);
      expect([n, await replace(deps, shopper)]).toEqual([n, 'payment_needs_action']);
      await finish(shopper);
      expect([n, await replace(deps, shopper)]).toEqual([n, 'paid']);
      expect([n, await endOf(shopper)]).toEqual([n, 'the new card']);
    },
  );
  expect(died).toBeGreaterThan(8);
});

test('the server dies replacing a card after any step: entered again on another page, one card waits', async () => {
  await dieEverywhere(
    deps,
    (n) => newSubscriber(deps, `enters_${n}`),
    (dying, shopper) => replace(dying, shopper),
    async (shopper, n) => {
      expect([n, await replace(deps, shopper, 'other')]).toEqual([n, 'payment_needs_action']);
      const waiting = await waitingCard(shopper);
      expect([n, waiting?.what, typeof waiting?.url]).toEqual([n, 'card', 'string']);
      const elsewhere = await openPage(deps, shopper).catch((error: unknown) => error);
      expect([n, elsewhere instanceof ApiError && elsewhere.code]).toEqual([
        n,
        'payment_needs_action',
      ]);
      await finish(shopper);
      expect([n, (await look(deps, shopper, waiting?.paymentId ?? '')).kind]).toEqual([n, 'paid']);
      expect([n, await endOf(shopper)]).toEqual([n, 'the new card']);
    },
  );
});

test('the server dies opening the gateway’s page after any step: opened again it is one page, and none is left', async () => {
  await dieEverywhere(
    deps,
    (n) => newSubscriber(deps, `opens_${n}`),
    openPage,
    async (shopper, n) => {
      const { paymentId } = await openPage(deps, shopper);
      await finish(shopper);
      expect([n, (await look(deps, shopper, paymentId)).kind]).toEqual([n, 'paid']);
      expect([n, await endOf(shopper)]).toEqual([n, 'the new card']);
    },
  );
});

test.each(BEGINNINGS)(
  'the server dies after any step of a %s: billing says at once what is on its way, and it is finished or given up there',
  async (name, begin, steps) => {
    const died = await dieEverywhere(
      deps,
      (n) => newSubscriber(deps, `billing_${name}_${n}`),
      begin,
      async (shopper, n) => {
        const begun = (await setUpsOf(shopper)).map(({ id }) => id);
        const waiting = await waitingCard(shopper);
        expect([n, waiting && [waiting.paymentId]]).toEqual([n, begun.length ? begun : undefined]);
        const id = waiting?.paymentId;
        if (!id) {
          await endOf(shopper);
          return;
        }
        expect([n, (await look(deps, shopper, id)).kind]).toEqual([n, 'needs_action']);
        const isFinished = n % 2 === 0;
        if (isFinished) await finish(shopper);
        const { kind } = await look(deps, shopper, id, 'given_up');
        expect([n, kind]).toEqual([n, isFinished ? 'paid' : 'declined']);
        const end = isFinished ? 'the new card' : 'the old card';
        expect([n, await endOf(shopper)]).toEqual([n, end]);
      },
    );
    expect(died).toBeGreaterThan(steps);
  },
);

test.each(BEGINNINGS)(
  'the server dies after any step of a %s and nobody comes back: the worker saves what the gateway has a yes for, and ends the rest',
  async (name, begin) => {
    const ends = new Set<string>();
    await dieEverywhere(
      deps,
      (n) => newSubscriber(deps, `leaves_${name}_${n}`),
      begin,
      async (shopper, n) => {
        const isAsked = (await setUpsOf(shopper)).some(({ state }) => state === 'needs_action');
        if (isAsked) await finish(shopper);
        await work();
        const end = await endOf(shopper);
        expect([n, end]).toEqual([n, isAsked ? 'the new card' : 'the old card']);
        ends.add(end);
      },
    );
    expect(ends.size).toBe(2);
  },
);

type Hear = (by: TestDeps, shopper: Shopper, id: string) => Promise<unknown>;
const HEARINGS: ReadonlyArray<[who: string, hear: Hear]> = [
  ['server looks', (by, shopper, id) => look(by, shopper, id)],
  ['worker looks', (by) => settleDueCardSetups(by)],
  ['server gives up', (by, shopper, id) => look(by, shopper, id, 'given_up')],
];
const SCENES = BEGINNINGS.flatMap(([name, begin]) =>
  HEARINGS.flatMap(([who, hear]) =>
    [true, false].map((isFinished) => ({ name, begin, who, hear, isFinished })),
  ),
);

test.each(SCENES)(
  'it dies after any step when a $who at what waits for a $name, finished first: $isFinished',
  async ({ name, begin, who, hear, isFinished }) => {
    const died = await dieEverywhere(
      deps,
      async (n) => {
        const shopper = await newSubscriber(
          deps,
          `${name}_${who.replaceAll(' ', '_')}_${isFinished}_${n}`,
        );
        await begin(deps, shopper);
        if (isFinished) await finish(shopper);
        deps.clock.advance(MINUTE_MS);
        return shopper;
      },
      async (dying, shopper) => {
        const [setUp] = await setUpsOf(shopper);
        await hear(dying, shopper, setUp?.id ?? '');
      },
      async (shopper, n) => {
        await work();
        const end = isFinished ? 'the new card' : 'the old card';
        expect([n, await endOf(shopper)]).toEqual([n, end]);
      },
    );
    expect(died).toBeGreaterThan(1);
  },
);

test('after all these deaths nothing is open any more', async () => {
  expect(await leftAfterCrashes(deps)).toEqual([]);
});
