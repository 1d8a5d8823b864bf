import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Database } from '#server/kit/db/database.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';
import { checkLeftBehind } from '#server/ops/invariants/left-behind.ts';
import { deleteAccount } from '#server/use-cases/customers/delete-account.service.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { ASKING_CARD, booksOf, chargesOf } from '#test/money/checkout-books.ts';
import { createCreditsNode } from '#test/money/credits-fixture.ts';
import { newShopper, payerOf, type Shopper, tell, type Told } from '#test/checkout-fixture.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import {
  endAll,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { stopNow } from '../cancellation/cancellation.service.ts';
import { finishSetUp, replaceBillingInfo } from '../payments/billing-info.service.ts';
import { paymentBeingChecked } from '../charges/payment-error.ts';
import { openChange } from '../plan-changes/change-plan.service.ts';
import { quotePlan } from '../plan-changes/quote.service.ts';
import { CHARGE_LEASE_MS } from '../charges/charge-clock.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';
import { claimDueCharges } from '../charges/charge.repository.ts';
import { collectCharge, giveUpCharge, resumeCharge } from './collect-charge.service.ts';

/** What may meet while the customer's bank asks them, in every order of statements and of the gateway's calls. */
let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterEach(() => endAll(deps));
afterAll(() => deps.database.close());

const BEGIN = '2027-01-01T12:00:00Z';

/** A node whose every call of the gateway stands among its statements, as one that meets all others. */
function nodeOn(database: Database): TestDeps {
  const meet = async (): Promise<void> => {
    await database.db
      .updateTable('gateway_reading')
      .set((eb) => ({ read_until: eb.ref('read_until') }))
      .execute();
  };
  const { gateway } = deps;
  const stepping: Partial<CardGateway> = {
    findCharge: async (request) => {
      await meet();
      return gateway.findCharge(request);
    },
    cancelCharge: async (request) => {
      await meet();
      return gateway.cancelCharge(request);
    },
    findSetUp: async (request) => {
      await meet();
      return gateway.findSetUp(request);
    },
    cancelSetUp: async (request) => {
      await meet();
      return gateway.cancelSetUp(request);
    },
  };
  return {
    ...deps,
    database: { ...deps.database, ...database },
    gateway: { ...gateway, ...stepping },
  };
}

interface Scene {
  shopper: Shopper;
  /** The gateway's. */
  id: string;
  key: { workspaceId: Shopper['session']['workspaceId']; chargeId: string };
}

const waitingAt = (told: Told): { paymentId: string; id: string } => {
  const action = told.kind === 'error' ? told.error.action : undefined;
  return { paymentId: action?.paymentId ?? '', id: action?.url.split('/').at(-1) ?? '' };
};

/** A pack that waits at the bank, its next poll due. */
async function asked(name: string): Promise<Scene> {
  deps.clock.set(BEGIN);
  const shopper = await newShopper(deps, name);
  const { paymentId, id } = waitingAt(await createCreditsNode(deps)(shopper, 'form', ASKING_CARD));
  deps.clock.advance(10_000);
  return { shopper, id, key: { workspaceId: shopper.session.workspaceId, chargeId: paymentId } };
}

/** Another card is entered, whose bank always asks. */
async function askedCard(shopper: Shopper): Promise<{ paymentId: string; id: string }> {
  const form = { ...shopper.form, ...ASKING_CARD, ccYear: 2034 };
  const submit = { ...payerOf(deps, shopper.session), form, idempotencyKey: 'card' };
  const attempts = createAttempts(deps, paymentBeingChecked);
  return waitingAt(await tell(() => replaceBillingInfo(deps, attempts, submit)));
}

/** The customer says yes at their bank, and comes back. */
async function sayYes(database: Database, scene: Scene): Promise<void> {
  await confirm(database, scene);
  await resumeCharge(nodeOn(database), scene.key);
}

/** The yes alone, at a moment of its own among the gateway's calls. */
async function confirm(database: Database, { id }: Scene): Promise<void> {
  const nobodys = { amountCents: 0, chargeId: '', customerId: '', paymentMethodId: '' };
  await nodeOn(database).gateway.findCharge(nobodys);
  deps.gateway.confirmAtBank(id);
}

const giveUp = (database: Database, { key }: Scene) => giveUpCharge(nodeOn(database), key);
const comeBack = (database: Database, { key }: Scene) => resumeCharge(nodeOn(database), key);
const janitor = async (database: Database): Promise<void> => {
  const lease = leaseOf(deps.clock, { leaseMs: CHARGE_LEASE_MS, limit: 10 });
  for (const claim of await claimDueCharges(database.db, lease)) {
    await collectCharge(nodeOn(database), claim);
  }
};
const repeat = (database: Database, { shopper }: Scene) =>
  createCreditsNode(nodeOn(database))(shopper, 'form', ASKING_CARD);

/** Paid once, or nothing at all and nothing that could still be paid; both books equal. */
async function oneOrNone(scene: Scene): Promise<'none' | 'one'> {
  await settleDueCharges(deps);
  deps.clock.advance(11 * 60_000);
  await settleDueCharges(deps);
  const { charged, refundedCents, payments } = await booksOf(deps, scene.shopper);
  const [charge] = await chargesOf(deps, scene.shopper);
  const isPaid = charge?.state === 'succeeded';
  const once = isPaid ? 1 : 0;
  expect({ charged, refundedCents, payments }).toEqual({
    charged: once,
    refundedCents: 0,
    payments: once,
  });
  expect(charge?.state).toBe(isPaid ? 'succeeded' : 'declined');
  // What came first at the gateway stays: nobody can say yes any more.
  expect(deps.gateway.confirmAtBank(scene.id)).toBe(false);
  expect(await checkCharges(deps.database.db, deps.gateway, new Date(BEGIN))).toEqual([]);
  return isPaid ? 'one' : 'none';
}

/** Plays it, and says how it may end. */
async function play(
  what: string,
  sides: Race<Scene>['sides'],
  begin: (name: string) => Promise<Scene> = asked,
): Promise<string[]> {
  const ends = new Set<string>();
  const name = what.replaceAll(/\W+/g, '_').slice(0, 20);
  const played = await playAllOrders(deps.database, {
    scene: (nth) => begin(`${name}${nth}`),
    sides,
    check: async (scene) => void ends.add(await oneOrNone(scene)),
  });
  process.stdout.write(describePlayed(what, played));
  expect(played.schedules).toBeGreaterThan(1);
  return [...ends].sort();
}

test('a yes at the bank and giving up: whichever is first at the gateway', async () => {
  expect(await play('yes and give up', [sayYes, giveUp])).toEqual(['none', 'one']);
});

test('two tabs that come back from the bank: paid once', async () => {
  const confirmed = async (name: string): Promise<Scene> => {
    const scene = await asked(name);
    deps.gateway.confirmAtBank(scene.id);
    return scene;
  };
  expect(await play('two tabs', [comeBack, comeBack], confirmed)).toEqual(['one']);
});

test('a repeat of the form while the payment is given up elsewhere: nothing is charged', async () => {
  expect(await play('repeat and give up', [repeat, giveUp])).toEqual(['none']);
});

test('the janitor beside the customer whose bank refused: declined once', async () => {
  const refused = async (name: string): Promise<Scene> => {
    const scene = await asked(name);
    deps.gateway.refuseAtBank(scene.id);
    return scene;
  };
  expect(await play('refused, janitor', [janitor, comeBack], refused)).toEqual(['none']);
});

test('the hour is over while the customer confirms: whichever is first at the gateway', async () => {
  const late = async (name: string): Promise<Scene> => {
    const scene = await asked(name);
    deps.clock.advance(3_600_000);
    return scene;
  };
  expect(await play('yes at the hour', [sayYes, comeBack], late)).toEqual(['none', 'one']);
});

test('deleting one’s account beside a yes at the bank: it is canceled, or what it bought goes, too', async () => {
  const passwords = { hash: () => Promise.resolve(''), verify: () => Promise.resolve(true) };
  const played = await playAllOrders(deps.database, {
    scene: (nth) => asked(`deleted${nth}`),
    sides: [
      confirm,
      async (database, { shopper }) => {
        const node = { ...nodeOn(database), passwords };
        // Refused while a payment is being decided: they try again.
        const remove = () => deleteAccount(node, shopper.session, 'any');
        await remove().catch(() => remove().catch(() => undefined));
      },
    ],
    check: async () => {
      await runDue(deps);
      const { db } = deps.database;
      expect(await checkLeftBehind(db)).toEqual([]);
      expect(await checkCharges(db, deps.gateway, new Date(BEGIN))).toEqual([]);
      await endAll(deps);
    },
  });
  process.stdout.write(describePlayed('yes and deletion', played));
});

test('stopping a plan whose dearer one waits at the bank: it holds and stops, or its money goes back', async () => {
  const ends = new Set<string>();
  const played = await playAllOrders(deps.database, {
    scene: async (nth): Promise<Scene> => {
      deps.clock.set(BEGIN);
      const shopper = await newSubscriber(deps, `stopped${nth}`);
      const { workspaceId } = shopper.session;
      const card = await askedCard(shopper);
      deps.gateway.confirmAtBank(card.id);
      await finishSetUp(deps, { workspaceId, setUpId: card.paymentId });
      const { quoteId } = await quotePlan(deps, nameOf(shopper), 4);
      const attemptId = deps.ids.uuid();
      const claim = await openChange(deps, { workspaceId, quoteId, attemptId });
      if (!claim) throw new Error('nothing to charge');
      await collectCharge(deps, claim);
      const charges = await chargesOf(deps, shopper);
      const charge = charges.find(({ id }) => id === claim.chargeId);
      return { shopper, id: charge?.gateway_charge_id ?? '', key: claim };
    },
    sides: [sayYes, (database, { shopper }) => stopNow({ ...deps, database }, nameOf(shopper))],
    check: async ({ shopper }) => {
      await runDue(deps);
      const row = await subscriptionOf(deps, shopper);
      expect(row.state).toBe('Canceled');
      ends.add(row.package === 4 ? 'holds' : 'returned');
      expect(await checkCharges(deps.database.db, deps.gateway, new Date(BEGIN))).toEqual([]);
      await endAll(deps);
    },
  });
  process.stdout.write(describePlayed('yes and stop', played));
  expect([...ends].sort()).toEqual(['holds', 'returned']);
});

test('another card: a yes at the bank and giving up leave one saved card or the other', async () => {
  const ends = new Set<string>();
  const keyOf = ({ key: { workspaceId, chargeId: setUpId } }: Scene) => ({ workspaceId, setUpId });
  const played = await playAllOrders(deps.database, {
    scene: async (nth): Promise<Scene> => {
      deps.clock.set(BEGIN);
      const shopper = await newSubscriber(deps, `card${nth}`);
      const { paymentId: chargeId, id } = await askedCard(shopper);
      const { workspaceId } = shopper.session;
      return { shopper, id, key: { workspaceId, chargeId } };
    },
    sides: [
      async (database, scene) => {
        await confirm(database, scene);
        await finishSetUp(nodeOn(database), keyOf(scene));
      },
      (database, scene) => finishSetUp(nodeOn(database), keyOf(scene), 'given_up'),
    ],
    check: async (scene) => {
      const again = await finishSetUp(deps, keyOf(scene));
      ends.add(again.kind);
      const cards = await deps.database.db
        .selectFrom('card')
        .select('last_digits')
        .where('workspace_id', '=', scene.key.workspaceId)
        .orderBy('last_digits')
        .execute();
      const saved = again.kind === 'saved' ? ['3184', '4242'] : ['4242'];
      expect(cards.map(({ last_digits: digits }) => digits)).toEqual(saved);
      // What came first at the gateway stays: nobody can say yes any more.
      expect(deps.gateway.confirmAtBank(scene.id)).toBe(false);
      await endAll(deps);
    },
  });
  process.stdout.write(describePlayed('card, yes and give up', played));
  expect([...ends].sort()).toEqual(['declined', 'saved']);
});
