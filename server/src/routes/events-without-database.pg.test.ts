import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BreakableProxy, openProxy } from '#test/databases/breakable-proxy.ts';
import { ASKING_CARD, chargesOf } from '#test/money/checkout-books.ts';
import { createNode, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { freePort } from '#test/processes/free-port.ts';
import { patiently, WAIT_MS } from '#test/patience.ts';
import { openSandboxWorld, type SandboxWorld } from '#test/delivery/sandbox-world.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createStripeGateway } from '#server/adapters/stripe/stripe-gateway.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { listen } from '#server/kit/http/listen.ts';
import { systemIds } from '#server/main/system.ts';
import { createApp } from '#server/main/app.ts';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';

/** The product's way to its database is cut, connections and all, while the gateway has something to tell. */
let deps: TestDeps;
let world: SandboxWorld;
let proxy: BreakableProxy;
const closing: Array<() => Promise<void>> = [];
beforeAll(async () => {
  const port = await freePort();
  world = await openSandboxWorld(`http://127.0.0.1:${port}`);
  const stripe = createStripeGateway({
    stripeUrl: `${world.url}/stripe`,
    secretKey: 'sk_test_sandbox',
  });
  // The gateway signs with the time of day.
  const clock = new FakeClock(new Date().toISOString());
  const test = await createTestDeps({
    clock,
    settings: { gatewayEventSecrets: ['whsec_sandbox'] },
  });
  deps = { ...test, ids: systemIds, gateway: { ...test.gateway, ...stripe } };
  const direct = new URL(deps.database.url ?? '');
  proxy = await openProxy({ host: direct.hostname, port: Number(direct.port) });
  const cuttable = new URL(direct);
  cuttable.port = String(proxy.port);
  const database = openPostgres(cuttable.href, { onError: () => undefined });
  const stop = await listen(createApp({ ...deps, database }), { host: '127.0.0.1', port });
  closing.push(
    stop,
    () => stripe.close(),
    () => world.close(),
    () => database.close(),
    () => proxy.close(),
    () => deps.database.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

interface Told {
  type: string;
  about: string;
  state: string;
  attempts: number;
  lastAnswer: string | null;
}

/** What the gateway has to tell of a payment that succeeded. */
async function toldOf(id: string): Promise<Told[]> {
  const events = (await world.control('GET', 'events')) as Told[];
  return events.filter(({ about, type }) => about === id && type === 'payment_intent.succeeded');
}

test(
  'an event that comes while the database is away is brought again, and pays once',
  async () => {
    const shopper = await newShopper(deps, 'away');
    expect(wordOf(await createNode(deps)(shopper, 'form', ASKING_CARD))).toBe(
      'payment_needs_action',
    );
    const [charge] = await chargesOf(deps, shopper);
    const id = charge?.gateway_charge_id ?? '';
    proxy.cut();
    await world.control('POST', `bank/${id}`, { decision: 'confirm' });
    await expect
      .poll(() => toldOf(id), { timeout: patiently(WAIT_MS) })
      .toMatchObject([
        { state: 'waiting', lastAnswer: expect.stringMatching(/^50[03]$/) as string },
      ]);
    expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'needs_action' }]);
    proxy.mend();
    await expect
      .poll(() => toldOf(id), { timeout: patiently(WAIT_MS) })
      .toMatchObject([{ state: 'delivered', lastAnswer: '200' }]);
    expect((await toldOf(id))[0]?.attempts).toBeGreaterThan(1);
    // Not yet due by itself: the event has made it so.
    await settleDueCharges(deps);
    await settleDueCharges(deps);
    expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'succeeded' }]);
    const { db } = deps.database;
    const payments = await db.selectFrom('credits_transaction').selectAll().execute();
    expect(payments).toHaveLength(1);
    expect(await checkCharges(db, deps.gateway, new Date(0))).toEqual([]);
  },
  patiently(3 * WAIT_MS),
);
