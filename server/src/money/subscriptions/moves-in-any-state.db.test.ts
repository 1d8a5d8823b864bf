import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import type { Clock } from '#server/kit/deps.ts';
import { ApiClient, type ApiResponse } from '#test/calls/api-client.ts';
import { compareBooks } from '#test/money/billing-books.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import type { Shopper } from '#test/checkout-fixture.ts';
import { hearGateway, moneyProblems, paymentsOf } from '#test/money/gateway-fixture.ts';
import { createPlanChanger } from '#test/money/plan-changer.ts';
import {
  endAll,
  live,
  nameOf,
  newSubscriber,
  runDue,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { whileTimePasses } from '#test/while-time-passes.ts';
import { openSession } from '#server/identity/sessions/session.service.ts';
import { cancelSubscription, stopNow } from '../cancellation/cancellation.service.ts';
import { requestRefund } from '../refunds/refund-request.service.ts';
import { pauseSubscription } from '../cancellation/pause.service.ts';

const AHEAD_MS = 5 * 60_000;
const MIDDLE_PLAN = 5;

let deps: TestDeps;
/** Two nodes whose clocks are five minutes apart. */
let nodes: [Hono, Hono];
beforeAll(async () => {
  deps = await createTestDeps();
  const clock: Clock = {
    now: () => deps.clock.now() + AHEAD_MS,
    sleep: (delayMs, signal) => deps.clock.sleep(delayMs, signal),
  };
  nodes = [createApp(deps), createApp({ ...deps, clock })];
});
afterAll(() => deps.database.close());

type Reach = (shoppers: readonly Shopper[]) => Promise<unknown>;

const each =
  (work: (shopper: Shopper) => Promise<unknown>): Reach =>
  async (shoppers) => {
    for (const shopper of shoppers) await work(shopper);
  };
const pauseFrom = (shopper: Shopper, days: number) =>
  pauseSubscription(deps, nameOf(shopper), new Date(deps.clock.now() + days * DAY_MS));
const untilDue: Reach = async ([first]) => {
  if (!first) return;
  const { next_billing_at: dueAt } = await subscriptionOf(deps, first);
  await live(deps, dueAt.getTime() - 60_000 - deps.clock.now());
  deps.clock.advance(dueAt.getTime() - deps.clock.now());
};

const SUBSCRIBE = ['subscribe again', 'subscribe with the saved card'];
const PLANS = ['a larger plan', 'a smaller plan'];
const STOPS = ['stop at the due date', 'stop now'];
const MONEY_BACK = ['ask what money back returns', 'money back'];
const ANY_TIME = ['another name', 'another card'];

/** How a plan comes into a state, and what can be done with it there; all else is refused. */
const STATES: Record<string, { reach: Reach; allows: readonly string[] }> = {
  'just begun': {
    reach: async () => undefined,
    allows: [...PLANS, 'keep the plan', 'pause', ...STOPS, ...MONEY_BACK, ...ANY_TIME],
  },
  'ten days old': {
    reach: () => live(deps, 10 * DAY_MS),
    allows: [...PLANS, 'keep the plan', 'pause', ...STOPS, ...MONEY_BACK, ...ANY_TIME],
  },
  'smaller from its due date on': {
    reach: each((shopper) => createPlanChanger(deps).changeTo(shopper, 1)),
    allows: ['a larger plan', 'keep the plan', 'pause', ...STOPS, ...MONEY_BACK, ...ANY_TIME],
  },
  'to be paused tomorrow': {
    reach: each((shopper) => pauseFrom(shopper, 9)),
    allows: ['keep the plan', 'resume', ...STOPS, ...MONEY_BACK, ...ANY_TIME],
  },
  paused: {
    reach: async (shoppers) => {
      await each((shopper) => pauseFrom(shopper, 9))(shoppers);
      await live(deps, 2 * DAY_MS);
    },
    allows: ['keep the plan', 'resume', ...STOPS, ...MONEY_BACK, ...ANY_TIME],
  },
  'on its due day': {
    reach: untilDue,
    allows: ['keep the plan', ...STOPS, ...ANY_TIME],
  },
  'past due': {
    reach: async (shoppers) => {
      await untilDue(shoppers);
      const code = 'insufficient_funds';
      for (const _ of shoppers) deps.gateway.queueFailure({ kind: 'declined', code });
      await runDue(deps);
    },
    allows: [...PLANS, 'keep the plan', ...STOPS, ...ANY_TIME],
  },
  'ending at its due date': {
    reach: each((shopper) => cancelSubscription(deps, nameOf(shopper))),
    allows: ['keep the plan', 'resume', ...STOPS, ...MONEY_BACK, ...ANY_TIME],
  },
  'stopped today': {
    reach: each((shopper) => stopNow(deps, nameOf(shopper))),
    allows: [...SUBSCRIBE, ...MONEY_BACK, ...ANY_TIME],
  },
  'whose money was asked back': {
    reach: each((shopper) => requestRefund(deps, nameOf(shopper))),
    allows: [...SUBSCRIBE, 'money back', ...ANY_TIME],
  },
  'forty days old': {
    reach: () => live(deps, 40 * DAY_MS),
    allows: [...PLANS, 'keep the plan', 'pause', ...STOPS, ...ANY_TIME],
  },
  disputed: {
    reach: async (shoppers) => {
      for (const shopper of shoppers) {
        const [payment] = await paymentsOf(deps, shopper);
        if (payment !== undefined) deps.gateway.openDispute(payment);
      }
      await hearGateway(deps);
    },
    allows: ['another name'],
  },
};

/** One of the customer's devices, and the account it is about. */
interface Device {
  client: ApiClient;
  named: { userId: string; igUsername: string };
}

type Answer = Promise<Pick<ApiResponse, 'httpStatus'> & { body: { message?: string } }>;
type Move = (device: Device) => Answer;

const changeTo =
  (packageIndex: number): Move =>
  async ({ client, named }) => {
    const quote = await client.call(CALLS.quotePlan, { ...named, packageIndex });
    const { quoteId } = quote.body.data ?? {};
    if (quoteId === undefined) return quote;
    return client.call(CALLS.changePlan, { userId: named.userId, quoteId });
  };
const pauseFor =
  (days: number): Move =>
  ({ client, named }) => {
    const until = new Date(deps.clock.now() + days * DAY_MS).toISOString();
    return client.call(CALLS.pauseSubscription, { ...named, until });
  };

const MOVES: Record<string, Move> = {
  'subscribe again': ({ client, named }) =>
    client.call(CALLS.addSubscription, { ...named, packageIndex: 2, ...CARD_FORM }),
  'subscribe with the saved card': async ({ client, named }) => {
    const { body } = await client.call(CALLS.findUser, { userId: named.userId });
    const savedCard = body.data?.billingInfo?.ccNum ?? '';
    return client.call(CALLS.addSubscriptionWithSavedCard, {
      ...named,
      packageIndex: 2,
      savedCard,
    });
  },
  'a larger plan': changeTo(8),
  'a smaller plan': changeTo(1),
  'keep the plan': ({ client, named }) => client.call(CALLS.keepPlan, named),
  pause: pauseFor(9),
  'pause until yesterday': pauseFor(-1),
  'pause for years': pauseFor(900),
  resume: ({ client, named }) => client.call(CALLS.resumeSubscription, named),
  'stop at the due date': ({ client, named }) => client.call(CALLS.cancelSubscription, named),
  'stop now': ({ client, named }) => client.call(CALLS.stopSubscription, named),
  'ask what money back returns': ({ client, named }) => client.call(CALLS.quoteMoneyBack, named),
  'money back': ({ client, named }) => client.call(CALLS.moneyBack, named),
  'remove the account': ({ client, named }) => client.call(CALLS.removeAccount, named),
  'another name': ({ client, named: { userId, igUsername } }) =>
    client.call(CALLS.updateUsername, {
      userId,
      oldIgUsername: igUsername,
      igUsername: `${igUsername}.new`,
    }),
  'another card': ({ client, named: { userId } }) =>
    client.call(CALLS.replaceBillingInfo, { ...CARD_FORM, userId }),
};

async function deviceOf(app: Hono, { session, igUsername }: Shopper): Promise<Device> {
  const owner = { ...session, keepSignedIn: false, userAgent: 'test' };
  const { token } = await openSession(deps, deps.database.db, owner);
  const client = new ApiClient(app, { address: session.userId });
  client.setCookie('ovation', token);
  return { client, named: { userId: session.userId, igUsername } };
}

/** Both devices of each, one on each node. */
async function devicesOf(shoppers: ReadonlyMap<string, Shopper>): Promise<Map<string, Device[]>> {
  const devices = new Map<string, Device[]>();
  for (const [who, shopper] of shoppers) {
    devices.set(who, await Promise.all(nodes.map((app) => deviceOf(app, shopper))));
  }
  return devices;
}

/** What is wrong with an answer to somebody who pressed at the wrong moment, or twice. */
function faultOf({ httpStatus, body: { message = '' } }: Awaited<Answer>): string | undefined {
  if (httpStatus === 429) return `a limit hides the rule: ${message}`;
  // Of a payment under way nobody can say more (D4).
  if (httpStatus >= 500 && httpStatus !== 503) return `${httpStatus} ${message}`;
  if (httpStatus >= 400 && !/^[A-Z@].{10,}/.test(message)) return `no sentence: ${message}`;
  return undefined;
}

/** None of these makes another one of them right or wrong. */
const BESIDE = ['ask what money back returns', ...ANY_TIME];

/**
 * A subscriber for each move that is allowed, after one for all that are refused, which change nothing, and one for
 * those that go beside the plan.
 */
async function shoppersOf(state: string, allows: readonly string[]): Promise<Map<string, Shopper>> {
  const made = new Map<string, Shopper>();
  for (const who of new Set([REFUSED, ...allows.map(whoMakes)])) {
    const name = `state${Object.keys(STATES).indexOf(state)}.move${made.size}`;
    deps.network.addAccount(`${name}.new`);
    made.set(who, await newSubscriber(deps, name, { packageIndex: MIDDLE_PLAN }));
  }
  return made;
}
const REFUSED = 'refused';
const whoMakes = (move: string): string => (BESIDE.includes(move) ? 'beside' : move);

const charged = (): number =>
  deps.gateway.charges.filter(({ state }) => state === 'succeeded').length;

/** Both devices make a move at once: whether one of them got it done, and what is wrong with the answers. */
async function moveTwice(
  devices: readonly Device[],
  move: Move,
): Promise<{ isDone: boolean; faults: string[] }> {
  const before = charged();
  const answers = await whileTimePasses(deps, Promise.all(devices.map(move)));
  const charges = charged() - before;
  const faults = answers.flatMap((answer) => faultOf(answer) ?? []);
  if (charges > 1) faults.push(`charged ${charges} times`);
  return { isDone: answers.some(({ httpStatus }) => httpStatus === 200), faults };
}

test.each(Object.entries(STATES))(
  'a plan %s: each move, twice at once from two devices on nodes five minutes apart, is done once or refused with a sentence',
  async (state, { reach, allows }) => {
    const shoppers = await shoppersOf(state, allows);
    await reach([...shoppers.values()]);
    const devices = await devicesOf(shoppers);
    const done: string[] = [];
    const faults: string[] = [];
    for (const [name, move] of Object.entries(MOVES)) {
      const both = devices.get(allows.includes(name) ? whoMakes(name) : REFUSED);
      if (!both) throw new Error(`There is nobody for "${name}"`);
      const moved = await moveTwice(both, move);
      if (moved.isDone) done.push(name);
      faults.push(...moved.faults.map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(done.toSorted()).toEqual([...allows].toSorted());
    await live(deps, 4 * DAY_MS);
    expect((await compareBooks(deps)).violations).toEqual([]);
    expect(await moneyProblems(deps)).toEqual([]);
    await endAll(deps);
  },
);
