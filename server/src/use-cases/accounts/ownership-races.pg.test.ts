import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { settleDueCharges } from '#server/money/payments/charge-janitor.job.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { runJanitor, SLOW_CARD } from '#test/money/checkout-books.ts';
import { moneyProblems } from '#test/money/gateway-fixture.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { updateUsername } from './update-username.service.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

interface Scene {
  /** What its owner has shown to be theirs and paid for; the gateway's answer was lost. */
  wanted: string;
  /** Whose plan has it so far, and moves to another account. */
  stranger: Customer;
}

const accountOf = ({ user }: Customer, igUsername: string) => ({ userId: user.id, igUsername });

async function proveAndPay(owner: Customer, wanted: string): Promise<void> {
  const { client } = owner;
  const account = accountOf(owner, wanted);
  const { body } = await client.call(CALLS.findOwnership, account);
  deps.network.change(wanted, { biography: body.data?.code ?? '' });
  await client.call(CALLS.proveOwnership, account);
  const card = { ...CARD_FORM, ...SLOW_CARD };
  const paid = await client.call(CALLS.addSubscription, { ...account, packageIndex: 2, ...card });
  expect(paid.body.code).toBe('payment_unknown');
}

/** Plans that have a network account, and accounts that are kept for a plan, by the plan's id. */
async function held() {
  const { db } = deps.database;
  const plans = await db
    .selectFrom('subscription')
    .select(['id', 'ig_id'])
    .where('state', '=', 'Active')
    .execute();
  const kept = await db
    .selectFrom('network_subscription')
    .select(['subscription_id as id', 'ig_id'])
    .execute();
  return { plans, kept };
}

const race: Race<Scene> = {
  scene: async (played) => {
    const wanted = `wanted${played}`;
    const owner = await registerCustomer(app, deps, wanted);
    const stranger = await registerCustomer(app, deps, `stranger${played}`);
    await stranger.client.call(CALLS.addAccount, accountOf(stranger, wanted));
    await payPlan(deps, stranger, wanted);
    await proveAndPay(owner, wanted);
    deps.network.addAccount(`${wanted}.to`);
    deps.clock.advance(MINUTE_MS);
    return { wanted, stranger };
  },
  sides: [
    (database) => settleDueCharges({ ...deps, database }),
    async (database, { wanted, stranger }) => {
      const { id: userId, membership } = stranger.user;
      const workspaceId = membership?.workspaceId ?? '';
      const names = { oldIgUsername: wanted, igUsername: `${wanted}.to` };
      await updateUsername({ ...deps, database }, { ...names, workspaceId, userId, address: '' });
    },
  ],
  counters: ['graph_bucket', 'remembered_profile', 'rate_limit'],
  check: async () => {
    await runJanitor(deps, 10 * MINUTE_MS, 5 * MINUTE_MS);
    const { plans, kept } = await held();
    const pairs = (all: ReadonlyArray<{ id: string; ig_id: string | null }>) =>
      all.map(({ id, ig_id: igId }) => `${id} ${igId}`).sort();
    expect(pairs(kept)).toEqual(pairs(plans));
    expect(await moneyProblems(deps)).toEqual([]);
  },
};

test('an account that is displaced while its plan moves elsewhere: every plan has its own account, or its money back', async () => {
  const played = await playAllOrders(deps.database, race);
  process.stdout.write(describePlayed('displace and move', played));
  expect(played.schedules).toBeGreaterThan(10);
});

test('two showed that an account is theirs and paid before either payment was known: one has it, the other their money back', async () => {
  const wanted = 'wanted.twice';
  const [first, second, stranger] = [
    await registerCustomer(app, deps, wanted),
    await registerCustomer(app, deps, 'second.owner'),
    await registerCustomer(app, deps, 'stranger.twice'),
  ];
  for (const other of [second, stranger]) {
    await other.client.call(CALLS.addAccount, accountOf(other, wanted));
  }
  await payPlan(deps, stranger, wanted);
  await proveAndPay(first, wanted);
  deps.clock.advance(MINUTE_MS);
  await proveAndPay(second, wanted);
  // The first payment is known before the second is asked about.
  await settleDueCharges(deps);
  deps.clock.advance(MINUTE_MS);
  await settleDueCharges(deps);
  await race.check({ wanted, stranger });
  expect(deps.gateway.charges.at(-1)).toMatchObject({ refundedCents: 1700 });
});
