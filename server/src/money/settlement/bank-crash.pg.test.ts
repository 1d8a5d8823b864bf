import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { booksOf, chargesOf, NOTHING, PAID_ONCE, runJanitor } from '#test/money/checkout-books.ts';
import {
  createNode,
  newShopper,
  payerOf,
  type Shopper,
  tell,
  wordOf,
} from '#test/checkout-fixture.ts';
import { dieEverywhere } from '#test/processes/dying-process.ts';
import { gatewayEvent, sendEvent } from '#test/money/gateway-events.ts';
import { leftAfterCrashes } from '#test/money/gateway-fixture.ts';
import {
  gatewayBook,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { registerGatewayEventRoutes } from '#server/routes/events.routes.ts';
import { paymentBeingChecked } from '../charges/payment-error.ts';
import { findPaymentState } from '../payments/payment-state.service.ts';
import { confirmRenewal } from '../renewals/confirm-renewal.service.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';

/** Server and workers die between each two steps of a confirmation by the bank. */
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const ALWAYS_ASKS = { ccNum: '4000002760003184' };
const wordOfRepeat = async (shopper: Shopper): Promise<string> =>
  wordOf(await createNode(deps)(shopper, 'form', ALWAYS_ASKS));

/** What the bank asks about; the gateway's id is in its book, however little of it we have heard. */
async function askedAt(shopper: Shopper): Promise<string> {
  const [charge] = await chargesOf(deps, shopper);
  const found = deps.gateway.charges.find(({ request }) => request.chargeId === charge?.id);
  return found?.gatewayChargeId ?? '';
}

async function asked(name: string): Promise<Shopper> {
  const shopper = await newShopper(deps, name);
  expect(await wordOfRepeat(shopper)).toBe('payment_needs_action');
  return shopper;
}

async function look(by: TestDeps, { session }: Shopper, giveUp?: 'given_up'): Promise<unknown> {
  const row = await deps.database.db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', session.workspaceId)
    .executeTakeFirstOrThrow();
  return findPaymentState(by, payerOf(by, session), row.id, giveUp);
}

test('the process of a checkout dies after any step: its repeat asks once, and a yes pays once', async () => {
  const died = await dieEverywhere(
    deps,
    (n) => newShopper(deps, `asks_${n}`),
    (dying, shopper) => createNode(dying)(shopper, 'form', ALWAYS_ASKS),
    async (shopper, n) => {
      deps.clock.advance(2 * MINUTE_MS);
      expect([n, await wordOfRepeat(shopper)]).toEqual([n, 'payment_needs_action']);
      expect([n, await booksOf(deps, shopper)]).toEqual([n, { ...NOTHING, reservations: 1 }]);
      deps.gateway.confirmAtBank(await askedAt(shopper));
      expect([n, await wordOfRepeat(shopper)]).toEqual([n, 'paid']);
      expect([n, await booksOf(deps, shopper)]).toEqual([n, PAID_ONCE]);
    },
  );
  expect(died).toBeGreaterThan(15);
});

test('nobody comes back after a death: confirmed it is paid once, unconfirmed nothing is left after an hour', async () => {
  for (const isConfirmed of [true, false]) {
    await dieEverywhere(
      deps,
      (n) => newShopper(deps, `leaves_${isConfirmed}_${n}`),
      (dying, shopper) => createNode(dying)(shopper, 'form', ALWAYS_ASKS),
      async (shopper, n) => {
        const id = await askedAt(shopper);
        if (isConfirmed && id !== '') deps.gateway.confirmAtBank(id);
        const wasSent = id !== '';
        await runJanitor(deps, 80 * MINUTE_MS, 20 * MINUTE_MS);
        const [charge] = await chargesOf(deps, shopper);
        // What was written and not sent is sent by the janitor, and then asked in vain.
        const books = isConfirmed && wasSent ? PAID_ONCE : NOTHING;
        expect([n, await booksOf(deps, shopper)]).toEqual([n, books]);
        expect([n, charge?.state ?? 'none']).toEqual([
          n,
          charge ? (books === PAID_ONCE ? 'succeeded' : 'declined') : 'none',
        ]);
      },
    );
  }
});

test('server or worker die after any step of hearing a yes: it is paid once', async () => {
  const works: Record<string, (dying: TestDeps, shopper: Shopper) => Promise<unknown>> = {
    server: (dying, shopper) => look(dying, shopper),
    worker: (dying) => settleDueCharges(dying),
  };
  for (const [name, work] of Object.entries(works)) {
    const died = await dieEverywhere(
      deps,
      async (n) => {
        const shopper = await asked(`hears_${name}_${n}`);
        deps.gateway.confirmAtBank(await askedAt(shopper));
        deps.clock.advance(MINUTE_MS);
        return shopper;
      },
      work,
      async (shopper, n) => {
        await runJanitor(deps, 3 * MINUTE_MS);
        expect([name, n, await booksOf(deps, shopper)]).toEqual([name, n, PAID_ONCE]);
      },
    );
    expect(died).toBeGreaterThan(2);
  }
});

test('a process dies after any step of giving up: nothing is charged, or it is paid by a yes that was first', async () => {
  for (const isConfirmed of [false, true]) {
    const died = await dieEverywhere(
      deps,
      async (n) => {
        const shopper = await asked(`gives_up_${isConfirmed}_${n}`);
        if (isConfirmed) deps.gateway.confirmAtBank(await askedAt(shopper));
        return shopper;
      },
      (dying, shopper) => look(dying, shopper, 'given_up'),
      async (shopper, n) => {
        await runJanitor(deps, 80 * MINUTE_MS, 20 * MINUTE_MS);
        const books = isConfirmed ? PAID_ONCE : NOTHING;
        expect([n, await booksOf(deps, shopper)]).toEqual([n, books]);
        expect(deps.gateway.confirmAtBank(await askedAt(shopper))).toBe(false);
      },
    );
    expect(died).toBeGreaterThan(2);
  }
});

test('a process dies after any step of taking an event: it comes again, and is paid once', async () => {
  const died = await dieEverywhere(
    deps,
    async (n) => {
      const shopper = await asked(`told_${n}`);
      deps.gateway.confirmAtBank(await askedAt(shopper));
      return shopper;
    },
    async (dying, shopper) => {
      await tellOfYes(dying, shopper);
      await settleDueCharges(dying);
    },
    async (shopper, n) => {
      await tellOfYes(deps, shopper);
      await runJanitor(deps, 2 * MINUTE_MS);
      expect([n, await booksOf(deps, shopper)]).toEqual([n, PAID_ONCE]);
    },
  );
  expect(died).toBeGreaterThan(3);
});

async function tellOfYes(by: TestDeps, shopper: Shopper): Promise<void> {
  const app = new Hono();
  registerGatewayEventRoutes(app, by);
  const id = await askedAt(shopper);
  const body = gatewayEvent('payment_intent.succeeded', { id, metadata: {} });
  await sendEvent(app, body, { nowMs: by.clock.now() });
}

test('a renewal that its customer confirms is paid once, whichever process dies when', async () => {
  const confirm = (by: TestDeps, { session, accountId }: Shopper) =>
    tell(() =>
      confirmRenewal(by, createAttempts(by, paymentBeingChecked), {
        ...payerOf(by, session),
        accountId,
        idempotencyKey: 'confirms',
      }),
    );
  const died = await dieEverywhere(
    deps,
    async (n) => {
      const shopper = await newSubscriber(deps, `renews_${n}`, ALWAYS_ASKS);
      deps.clock.advance(32 * DAY_MS);
      await runDue(deps);
      expect((await subscriptionOf(deps, shopper)).state).toBe('Past due');
      return shopper;
    },
    confirm,
    async (shopper, n) => {
      deps.clock.advance(2 * MINUTE_MS);
      expect([n, wordOf(await confirm(deps, shopper))]).toEqual([n, 'payment_needs_action']);
      for (const { state, gatewayChargeId } of deps.gateway.charges) {
        if (state === 'needs_action') deps.gateway.confirmAtBank(gatewayChargeId);
      }
      expect([n, wordOf(await confirm(deps, shopper))]).toEqual([n, 'paid']);
      expect([n, (await gatewayBook(deps, shopper)).chargedCents]).toEqual([n, [1700, 1700]]);
      expect(await subscriptionOf(deps, shopper)).toMatchObject({ state: 'Active', period: 1 });
    },
  );
  expect(died).toBeGreaterThan(10);
});

test('after all these deaths both books are equal, and nothing is open any more', async () => {
  expect(await leftAfterCrashes(deps)).toEqual([]);
});
