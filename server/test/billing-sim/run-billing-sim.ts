import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import {
  settleDueCardSetups,
  settleDueCharges,
} from '#server/money/payments/charge-janitor.job.ts';
import { readGatewayWhenDue } from '#server/money/disputes/read-gateway.service.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { Detector } from '#server/network/detection/detector.ts';
import { checkOnce } from '#server/ops/invariants/check-all.ts';
import { runSubscriptions } from '#server/money/renewals/subscriptions.job.ts';
import { listRejectedRefunds, sendRefundAgain } from '#server/ops/operator/rejected-refunds.ts';
import { type BookEntry, bookOfFake, compareBooks } from '../money/billing-books.ts';
import { newShopper } from '../checkout-fixture.ts';
import { FakeClock } from '../fake-clock.ts';
import { seededRandom } from '../seeded.ts';
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts';
import { createTestDeps, type TestDeps } from '../test-deps.ts';
import { actorsOf, decideDisputes, withOwnCards } from './bank-acts.ts';
import { answerBanks, confirmRenewals, pickCard } from './bank-questions.ts';
import { actOnce, subscribe } from './customer-acts.ts';
import { deliver, pollPosts } from './likes.ts';
import { openGatewayNews, withNews } from './gateway-news.ts';
import { openSandboxGateway } from './sandbox-gateway.ts';
import type { SimWorld } from './sim-world.ts';
import { unreliableGateway } from './unreliable-gateway.ts';

interface BillingSim {
  seed: number;
  customers: number;
  days: number;
  /** Between two runs of the jobs. */
  stepDays: number;
  /** How often a customer does something, on average. */
  actEveryDays: number;
  /**
   * `sandbox`: the product's adapter over HTTP against the sandbox, with its banks and disputes and without its
   * events; slower. Otherwise one in memory.
   */
  gateway?: 'sandbox';
  database?: TestDatabase;
  onDay?: (day: number) => void;
}

export interface BillingSimReport {
  charges: number;
  refunds: number;
  /** Likes the provider was asked for, as orders. */
  orders: number;
  /** How often each thing happened. */
  counts: Record<string, number>;
  violations: string[];
}

/** When undecided charges are polled again on the same day. */
const SECOND_POLL_MS = 10 * 60_000;
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];

/**
 * Customers over simulated time: they subscribe, post, change, pause, buy, leave and come back, while
 * cards are declined, banks ask and are told yes, no, nothing or too late, the gateway fails, refuses or loses
 * answers, its events come twice, late, never or forged, orders end early, and our processes are
 * away for days. At the end the gateway's book and ours must be equal to the cent, and I1 to I8 and
 * I10 hold.
 */
export async function runBillingSim(sim: BillingSim): Promise<BillingSimReport> {
  const world = await createWorld(sim);
  const { deps, counts } = world;
  await welcomeShoppers(world, sim.customers);
  for (let day = 0; day < sim.days;) {
    const isOutage = world.random() < 0.01;
    const stepDays = isOutage ? sim.stepDays + 5 : sim.stepDays;
    if (isOutage) world.count('outage');
    deps.clock.advance(stepDays * DAY_MS - SECOND_POLL_MS);
    day += stepDays;
    await decideDisputes(world);
    await answerBanks(world);
    await runJobs(world);
    await deliver(world);
    await liveOneDay(world, (sim.customers * stepDays) / sim.actEveryDays);
    await confirmRenewals(world);
    await answerBanks(world);
    await pollPosts(world);
    deps.clock.advance(SECOND_POLL_MS);
    await runJobs(world);
    sim.onDay?.(day);
  }
  await comeToRest(world);
  const report = await compareBooks(deps, await world.readBook());
  const found = await checkOnce(deps, new Date(0));
  const violations = [
    ...report.violations,
    ...found.map(({ invariant, subject, problem }) => `${invariant} ${subject}: ${problem}`),
  ];
  const orders = deps.provider.orders.size;
  await world.close();
  await deps.database.close();
  return { ...report, orders, violations, counts };
}

interface CountingWorld extends SimWorld {
  counts: Record<string, number>;
  calmGateway: TestDeps['gateway'];
  /** The gateway's own. */
  readBook: () => Promise<BookEntry[]>;
  close: () => Promise<void>;
}

async function createWorld({ seed, database, gateway: which }: BillingSim): Promise<CountingWorld> {
  const random = seededRandom(seed);
  const clock = new FakeClock('2027-01-31T12:00:00Z');
  const plain = await createTestDeps({
    seed,
    clock,
    database: database ?? (await createTestDatabase({ connections: 1 })),
  });
  const outside = which === 'sandbox' ? await openSandboxGateway(clock, seed) : undefined;
  const counts: Record<string, number> = {};
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const news = openGatewayNews(plain, { random, count });
  const telling = outside ? undefined : withNews(plain.gateway, news);
  const deps = { ...plain, gateway: withOwnCards(outside?.gateway ?? telling ?? plain.gateway) };
  return {
    deps: { ...deps, gateway: unreliableGateway(deps.gateway, random, count) },
    detector: new Detector(deps, servePosts(deps)),
    random,
    count,
    counts,
    calmGateway: deps.gateway,
    ...(outside ?? {
      ...actorsOf(telling ?? plain.gateway),
      readBook: () => Promise.resolve(bookOfFake(deps.gateway)),
      close: () => Promise.resolve(),
    }),
    lateAnswers: [],
    asked: 0,
    news,
    openDisputes: [],
    shoppers: [],
    posts: new Map(),
    openRefs: new Set(),
  };
}

/** They come in the first twenty days. */
async function welcomeShoppers(world: SimWorld, arrivals: number): Promise<void> {
  const { deps, random, count, shoppers } = world;
  for (let n = 0; n < arrivals; n += 1) {
    const plain = await newShopper(deps, `sim_${n}`);
    const timeZone = ZONES[n % ZONES.length] ?? 'UTC';
    const ccNum = pickCard(random);
    const shopper = { ...plain, form: { ...plain.form, timeZone, ccYear: 2034, ccNum } };
    shoppers.push(shopper);
    deps.clock.advance(Math.floor((random() * 20 * DAY_MS) / arrivals));
    count((await subscribe(world, shopper)) === undefined ? 'subscribed' : 'not subscribed');
  }
}

async function runJobs({ deps, news }: Pick<SimWorld, 'deps' | 'news'>): Promise<void> {
  await news.arrive();
  while ((await runSubscriptions(deps)) === 'again') continue;
  await readGatewayWhenDue(deps);
  while ((await settleDueCharges(deps)) === 'again') continue;
  await settleDueCardSetups(deps);
  // An operator looks in as often as the jobs run.
  for (const { refundId } of await listRejectedRefunds(deps)) await sendRefundAgain(deps, refundId);
  // Mails leave by other means than the ones simulated here.
  await deps.database.db
    .updateTable('owed_mail')
    .set({ sent_at: new Date(deps.clock.now()), next_attempt_at: null })
    .where('next_attempt_at', 'is not', null)
    .execute();
}

async function liveOneDay(world: SimWorld, acts: number): Promise<void> {
  for (let n = 0; n < Math.max(1, Math.round(acts)); n += 1) {
    const shopper = world.shoppers[Math.floor(world.random() * world.shoppers.length)];
    if (shopper) await actOnce(world, shopper);
  }
}

/**
 * Nobody does anything any more, and everything under way comes to its end. Renewals go on, so the gateway
 * is well for the last hours: what it left open in the very last round would be open at the count.
 */
async function comeToRest(world: CountingWorld): Promise<void> {
  const { deps, calmGateway } = world;
  const calm = { ...world, deps: { ...deps, gateway: calmGateway } };
  await decideDisputes(world, true);
  for (let hour = 0; hour < 200; hour += 8) {
    deps.clock.advance(8 * HOUR_MS);
    await runJobs(hour < 192 ? world : calm);
    await deliver(world);
  }
  deps.clock.advance(SECOND_POLL_MS);
  await runJobs(calm);
  await pollPosts(world);
}
