import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CardGateway, GatewayDispute } from '#server/adapters/stripe/card-gateway.ts';
import type { Database } from '#server/kit/db/database.ts';
import { type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { createCreditsNode, orderLikes } from '#test/money/credits-fixture.ts';
import { forgetCards, paymentsOf } from '#test/money/gateway-fixture.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import { type Customer, plantPost } from '#test/delivery/order-fixture.ts';
import {
  endAll,
  live,
  nameOf,
  newSubscriber,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { type ChargeClaim, claimDueCharges } from '../charges/charge.repository.ts';
import { collectCharge } from '../settlement/collect-charge.service.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';
import { checkCreditSources } from '#server/ops/invariants/credit-sources.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { checkLeftBehind } from '#server/ops/invariants/left-behind.ts';
import { checkReturnedValue } from '#server/ops/invariants/returned-value.ts';
import { approveRefundRequest, requestRefund } from '../refunds/refund-request.service.ts';
import { runSubscriptions } from '../renewals/subscriptions.job.ts';
import { deleteAccount } from '#server/use-cases/customers/delete-account.service.ts';
import { applyDispute } from './apply-dispute.service.ts';
import { bookGatewayRefund } from './book-gateway-refund.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const BEGIN = '2027-01-01T12:00:00Z';

interface Scene {
  shopper: Shopper;
  customer: Customer;
  plan: string;
  pack: string;
}

/** A paid plan, and nothing known of its card. */
async function paidOnce(name: string): Promise<Scene> {
  deps.clock.set(BEGIN);
  await forgetCards(deps);
  const shopper = await newSubscriber(deps, name);
  const row = await subscriptionOf(deps, shopper);
  const { workspace_id: workspaceId, account_id: accountId, ig_id: igId, id } = row;
  const customer = { workspaceId, accountId, igId, igUsername: name, subscriptionId: id };
  const [plan = ''] = await paymentsOf(deps, shopper);
  return { shopper, customer, plan, pack: '' };
}

/** The same, and a paid pack of credits. */
async function paidTwice(name: string): Promise<Scene> {
  const scene = await paidOnce(name);
  deps.clock.advance(1000);
  expect(wordOf(await createCreditsNode(deps)(scene.shopper, `${name}_pack`))).toBe('paid');
  const [, pack = ''] = await paymentsOf(deps, scene.shopper);
  return { ...scene, pack };
}

async function claimDue(): Promise<ChargeClaim> {
  const now = new Date(deps.clock.now());
  const [claim] = await claimDueCharges(deps.database.db, { now, leaseUntil: now, limit: 1 });
  if (!claim) throw new Error('Nothing is due.');
  return claim;
}

const disputed = (gatewayChargeId: string, amountCents = 1700): GatewayDispute => ({
  disputeId: `dp of ${gatewayChargeId}`,
  gatewayChargeId,
  state: 'open',
  amountCents,
  openedAt: new Date(deps.clock.now()),
  fingerprint: 'print 4242',
});

const dispute = (which: 'pack' | 'plan') => (database: Database, scene: Scene) =>
  applyDispute({ ...deps, database }, disputed(scene[which], which === 'pack' ? 1000 : 1700));

/** What must hold after any order of events. */
async function sound(): Promise<void> {
  const { db } = deps.database;
  const found = [
    ...(await checkReturnedValue(db)),
    ...(await checkCreditSources(db)),
    ...(await checkLedger(db)),
    ...(await checkLeftBehind(db)),
    ...(await checkCharges(db, deps.gateway, new Date(BEGIN))),
  ];
  expect(found).toEqual([]);
}

/** @returns how many orders were played */
async function play(
  name: string,
  race: Omit<Race<Scene>, 'check' | 'scene'> & Partial<Race<Scene>>,
) {
  const played = await playAllOrders(deps.database, {
    scene: (nr) => paidTwice(`${name}_${nr}`),
    check: sound,
    ...race,
  });
  process.stdout.write(describePlayed(name, played));
  return played.schedules;
}

test('two nodes that hear of one dispute take its credits once', async () => {
  expect(
    await play('two_nodes', {
      sides: [dispute('pack'), dispute('pack')],
      check: async ({ customer }) => {
        await sound();
        const rows = await deps.database.db
          .selectFrom('ledger_transaction')
          .select('credits')
          .where('workspace_id', '=', customer.workspaceId)
          .where('kind', '=', 'dispute')
          .execute();
        expect(rows).toEqual([{ credits: -2500 }]);
      },
    }),
  ).toBeGreaterThan(1);
});

test('a dispute and an order of extra likes: what is spent was there', async () => {
  expect(
    await play('dispute_and_order', {
      scene: async (nr) => {
        const scene = await paidTwice(`dispute_and_order_${nr}`);
        await plantPost(deps, scene.customer, { id: `p${nr}` });
        return { ...scene, postId: `p${nr}` } as Scene;
      },
      sides: [
        dispute('pack'),
        (database, scene) => {
          const { postId } = scene as Scene & { postId: string };
          return orderLikes({ ...deps, database }, scene.customer, { postId, likes: 1000 });
        },
      ],
    }),
  ).toBeGreaterThan(1);
});

test('a dispute and the renewal of its plan: a charge that comes after the stop goes back', async () => {
  expect(
    await play('dispute_and_charge', {
      scene: async (nr) => {
        const scene = await paidOnce(`dispute_and_charge_${nr}`);
        const due = (await subscriptionOf(deps, scene.shopper)).next_billing_at.getTime();
        deps.clock.advance(due - deps.clock.now());
        // Charged, and the answer lost: another node finds out.
        deps.gateway.loseAnswers(1);
        await runSubscriptions(deps);
        deps.clock.advance(60_000);
        return { ...scene, claim: await claimDue() } as Scene;
      },
      sides: [
        dispute('plan'),
        async (database, scene) => {
          const { claim } = scene as Scene & { claim: ChargeClaim };
          await collectCharge({ ...deps, database }, claim);
        },
      ],
      check: async ({ shopper }) => {
        await live(deps, 10_000, 10_000);
        await sound();
        expect((await subscriptionOf(deps, shopper)).state).toBe('Canceled');
      },
    }),
  ).toBeGreaterThan(1);
});

/** A pack on the same card, paid, and the answer lost: another node finds out. */
async function paidBeside(name: string) {
  const scene = await paidOnce(name);
  const charge: CardGateway['charge'] = async (request) => {
    await deps.gateway.charge(request);
    return { kind: 'unknown', reason: 'answer lost' };
  };
  const losing = { ...deps, gateway: { ...deps.gateway, charge } };
  expect(wordOf(await createCreditsNode(losing)(scene.shopper, `${name}_pack`))).toBe(
    'payment_unknown',
  );
  deps.clock.advance(60_000);
  return { ...scene, claim: await claimDue(), isHeardFirst: false };
}
type Beside = Awaited<ReturnType<typeof paidBeside>>;

const besideRace = (name: string): Race<Beside> => ({
  scene: (nr) => paidBeside(`${name}_${nr}`),
  sides: [
    dispute('plan'),
    (database, { claim }) => collectCharge({ ...deps, database }, claim).then(() => undefined),
  ],
  observe: async (scene) => {
    const { db } = deps.database;
    const { state } = await chargeOf(scene);
    const disputes = await db
      .selectFrom('dispute')
      .select('id')
      .where('workspace_id', '=', scene.claim.workspaceId)
      .execute();
    scene.isHeardFirst ||= disputes.length > 0 && state !== 'succeeded';
  },
  check: async (scene) => {
    await sound();
    const { state, is_returned: isReturned } = await chargeOf(scene);
    expect({ state, isReturned }).toEqual({ state: 'succeeded', isReturned: scene.isHeardFirst });
  },
});

const chargeOf = ({ claim }: Beside) =>
  deps.database.db
    .selectFrom('charge')
    .select(['state', 'is_returned'])
    .where('workspace_id', '=', claim.workspaceId)
    .where('id', '=', claim.chargeId)
    .executeTakeFirstOrThrow();

test('a dispute and another payment with its card: what is recorded after the dispute goes back', async () => {
  const played = await playAllOrders(deps.database, besideRace('card_beside'));
  process.stdout.write(describePlayed('dispute and payment with its card', played));
  expect(played.schedules).toBeGreaterThan(1);
});

test('a dispute that doesn’t hold its card is caught by playing it against a payment', async () => {
  const rewriteFirst = (text: string): string => text.replace('pg_advisory_xact_lock', '');
  const race = { ...besideRace('card_unheld'), rewriteFirst };
  await expect(playAllOrders(deps.database, race)).rejects.toThrow('After schedule');
});

test('a dispute and the deletion of its customer leave nothing behind', async () => {
  const passwords = { hash: () => Promise.resolve(''), verify: () => Promise.resolve(true) };
  expect(
    await play('dispute_and_deletion', {
      sides: [
        dispute('plan'),
        (database, { shopper }) =>
          deleteAccount({ ...deps, database, passwords }, shopper.session, 'any'),
      ],
    }),
  ).toBeGreaterThan(1);
});

/** Money back that was asked for, and may be approved. */
const approvable = (name: string) => async (nr: number) => {
  const scene = await paidOnce(`${name}_${nr}`);
  await requestRefund(deps, nameOf(scene.shopper));
  return scene;
};
const approve = (database: Database, { customer }: Scene) =>
  approveRefundRequest({ ...deps, database }, customer);

test('a dispute and the approval of its money back: what is owed and disputed is one sum', async () => {
  expect(
    await play('dispute_and_approval', {
      scene: approvable('dispute_and_approval'),
      sides: [dispute('plan'), approve],
    }),
  ).toBeGreaterThan(1);
});

const refundInDashboard = (database: Database, { plan }: Scene) =>
  bookGatewayRefund(
    { ...deps, database },
    {
      gatewayRefundId: `re of ${plan}`,
      gatewayChargeId: plan,
      refundId: undefined,
      state: 'succeeded',
      amountCents: 1700,
      createdAt: new Date(deps.clock.now()),
    },
  );
const refundRace = (name: string): Race<Scene> => ({
  scene: async (nr) => {
    const scene = await approvable(name)(nr);
    deps.gateway.refundInDashboard(scene.plan);
    return scene;
  },
  sides: [refundInDashboard, approve],
  check: sound,
});

test('a refund at the gateway and the approval of a money back give back once', async () => {
  expect(await play('refund_and_approval', refundRace('refund_and_approval'))).toBeGreaterThan(1);
});

test('a refund at the gateway that holds nothing is caught by playing it against an approval', async () => {
  const rewriteFirst = (text: string): string => text.replace(/ for no key update$/, '');
  const race = { ...refundRace('unheld_refund'), rewriteFirst };
  await expect(playAllOrders(deps.database, race)).rejects.toThrow('After schedule');
  await deps.database.db.deleteFrom('refund').execute();
});
