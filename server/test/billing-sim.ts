import { settleDueCharges } from '#server/features/billing/charge-janitor.job.ts';
import { openChange } from '#server/features/subscriptions/change-plan.service.ts';
import {
  cancelSubscription,
  pauseSubscription,
  resume,
  stopNow,
} from '#server/features/subscriptions/exits.service.ts';
import { requestMoneyBack } from '#server/features/subscriptions/money-back.service.ts';
import { quotePlan } from '#server/features/subscriptions/quote.service.ts';
import { runSubscriptions } from '#server/features/subscriptions/subscriptions.job.ts';
import { collectCharge } from '#server/features/billing/collect-charge.service.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { ApiError } from '#server/api-error.ts';
import { compareBooks } from './billing-books.ts';
import { createNode, newShopper, type Shopper } from './checkout-fixture.ts';
import { FakeClock } from './fake-clock.ts';
import { seededRandom } from './seeded.ts';
import { nameOf } from './subscription-fixture.ts';
import type { TestDatabase } from './test-database.ts';
import { createTestDeps, type TestDeps } from './test-deps.ts';

export interface BillingSim {
  seed: number;
  customers: number;
  days: number;
  /** Between two runs of the jobs. */
  stepDays: number;
  database?: TestDatabase;
  onDay?: (day: number) => void;
}

export interface BillingSimReport {
  charges: number;
  refunds: number;
  /** How often each thing happened. */
  counts: Record<string, number>;
  violations: string[];
}

const DAY_MS = 86_400_000;
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];

/**
 * Customers over simulated time: they subscribe, change, pause, leave and come back, while cards are
 * declined, the gateway fails or loses answers, and our processes are away for days. At the end the
 * gateway's book and ours must be equal to the cent.
 */
export async function runBillingSim(sim: BillingSim): Promise<BillingSimReport> {
  const random = seededRandom(sim.seed);
  const clock = new FakeClock('2027-01-31T12:00:00Z');
  const deps = await createTestDeps({
    seed: sim.seed,
    clock,
    ...(sim.database && { database: sim.database }),
  });
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const world: World = {
    deps: { ...deps, gateway: unreliable(deps, random, count) },
    random,
    count,
  };
  const shoppers = await makeShoppers(world, sim.customers);
  for (let day = 0; day < sim.days;) {
    const stepDays = random() < 0.01 ? sim.stepDays + 5 : sim.stepDays;
    if (stepDays > sim.stepDays) count('outage');
    clock.advance(stepDays * DAY_MS);
    day += stepDays;
    await runJobs(world.deps);
    await liveOneDay(world, shoppers, stepDays);
    sim.onDay?.(day);
  }
  for (let hour = 0; hour < 200; hour += 4) {
    clock.advance(4 * 3_600_000);
    await runJobs(deps);
  }
  const report = await compareBooks(deps);
  await deps.database.close();
  return { ...report, counts };
}

interface World {
  deps: TestDeps;
  random: () => number;
  count: (what: string) => void;
}

async function makeShoppers({ deps, random, count }: World, most: number): Promise<Shopper[]> {
  const shoppers: Shopper[] = [];
  for (let n = 0; n < most; n += 1) {
    const shopper = await newShopper(deps, `sim_${n}`);
    const timeZone = ZONES[n % ZONES.length] ?? 'UTC';
    const form = { ...shopper.form, timeZone, ccYear: 2034 };
    shoppers.push({ ...shopper, form });
    deps.clock.advance(Math.floor((random() * 20 * DAY_MS) / most));
    count((await subscribe(deps, { ...shopper, form }, random)) ? 'subscribed' : 'not subscribed');
  }
  return shoppers;
}

async function subscribe(deps: TestDeps, shopper: Shopper, random: () => number): Promise<boolean> {
  const packageIndex = 1 + Math.floor(random() * 9);
  return (await createNode(deps)(shopper, deps.ids.uuid(), { packageIndex })).kind === 'paid';
}

async function runJobs(deps: TestDeps): Promise<void> {
  while ((await runSubscriptions(deps)) === 'again') continue;
  while ((await settleDueCharges(deps)) === 'again') continue;
}

/** Each customer does something every 25 days or so. */
async function liveOneDay(world: World, shoppers: readonly Shopper[], days: number): Promise<void> {
  const acting = Math.max(1, Math.round((shoppers.length * days) / 25));
  for (let n = 0; n < acting; n += 1) {
    const shopper = shoppers[Math.floor(world.random() * shoppers.length)];
    if (shopper) await act(world, shopper);
  }
}

/** Refusals are part of life; anything else is a fault. */
async function act(world: World, shopper: Shopper): Promise<void> {
  const { what, run } = choose(world, shopper);
  try {
    await run();
    world.count(what);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'internal') throw error;
    world.count(`${what}: ${error.code}`);
  }
}

function choose(
  { deps, random }: World,
  shopper: Shopper,
): { what: string; run: () => Promise<unknown> } {
  const name = nameOf(shopper);
  const dice = random();
  if (dice < 0.35) return { what: 'change', run: () => change(deps, shopper, random) };
  if (dice < 0.5) {
    const until = new Date(deps.clock.now() + Math.ceil(random() * 40 * DAY_MS));
    return { what: 'pause', run: () => pauseSubscription(deps, name, until) };
  }
  if (dice < 0.6) return { what: 'resume', run: () => resume(deps, name) };
  if (dice < 0.67) return { what: 'cancel', run: () => cancelSubscription(deps, name) };
  if (dice < 0.72) return { what: 'stop now', run: () => stopNow(deps, name) };
  if (dice < 0.75) return { what: 'money back', run: () => requestMoneyBack(deps, name) };
  return {
    what: 'subscribe again',
    run: () =>
      createNode(deps)(shopper, deps.ids.uuid(), { packageIndex: 1 + Math.floor(random() * 9) }),
  };
}

async function change(deps: TestDeps, shopper: Shopper, random: () => number): Promise<void> {
  const { workspaceId } = shopper.session;
  const { quoteId } = await quotePlan(deps, nameOf(shopper), 1 + Math.floor(random() * 9));
  const attemptId = deps.ids.uuid();
  const claim = await openChange(deps, { workspaceId, quoteId, attemptId });
  if (claim) await collectCharge(deps, claim);
}

/** The fake gateway with declines, failures without effect, and answers lost after taking effect. */
function unreliable(
  { gateway }: Pick<TestDeps, 'gateway'>,
  random: () => number,
  count: (what: string) => void,
): TestDeps['gateway'] {
  const unknown = { kind: 'unknown', reason: 'reset' } as const;
  const charge: CardGateway['charge'] = (request) => {
    const dice = random();
    if (dice < 0.12) gateway.queueFailure({ kind: 'declined', code: 'card_declined' });
    else if (dice < 0.14) gateway.queueFailure(unknown);
    else if (dice < 0.17) gateway.loseAnswers(1);
    else if (dice < 0.175) gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
    if (dice < 0.175) count(dice < 0.12 ? 'declined' : 'gateway fault');
    return gateway.charge(request);
  };
  const refund: CardGateway['refund'] = (request) => {
    const dice = random();
    if (dice < 0.05) gateway.loseAnswers(1);
    else if (dice < 0.1) gateway.queueFailure(unknown);
    return gateway.refund(request);
  };
  const findCharge: CardGateway['findCharge'] = (request) => {
    if (random() < 0.1) gateway.queueFailure(unknown);
    return gateway.findCharge(request);
  };
  return { ...gateway, charge, refund, findCharge };
}
