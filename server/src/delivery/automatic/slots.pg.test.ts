import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '#server/main/app.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import { CARD_FORM } from '#test/money/card-form.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createExpiryJob } from '#server/use-cases/customers/expiry.job.ts';
import { servePosts } from './automatic-orders.ts';
import { Detector } from '#server/network/detection/detector.ts';

let deps: TestDeps;
let app: Hono;
let bench: DetectionBench;
let name: string;
let count = 0;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());
beforeEach(() => {
  // A day of its own for each test, so that their limits don't meet.
  count += 1;
  deps.clock.set(`2026-12-0${count}T09:00:00Z`);
  bench = new DetectionBench(deps);
  name = `slots${count}`;
});

const named = ({ user }: Customer, igUsername = name) => ({ userId: user.id, igUsername });

async function buy(customer: Customer, timeZone = 'UTC'): Promise<void> {
  deps.clock.advance(60_000);
  const form = { ...named(customer), timeZone, packageIndex: 2, ...CARD_FORM };
  const { body } = await customer.client.call(CALLS.addSubscription, form);
  expect(body.status).toBe('success');
}

async function stop(customer: Customer): Promise<void> {
  await customer.client.call(CALLS.stopSubscription, named(customer));
  // An account can't be removed while likes are on their way.
  const done = { state: 'Completed', next_attempt_at: null } as const;
  await deps.database.db.updateTable('like_order').set(done).execute();
}

async function add(customer: Customer): Promise<void> {
  deps.clock.advance(60_000);
  const { body } = await customer.client.call(CALLS.addAccount, named(customer));
  expect(body.status).toBe('success');
}

/** Posts, each seen by a poll of its own. */
async function postAndPoll(posts: number): Promise<void> {
  for (let made = 0; made < posts; made += 1) {
    deps.clock.advance(60_000);
    deps.network.addPost(name);
    await bench.pollLater();
  }
}

/** Automatic orders of the network account by local day of a zone, whoever has them. */
async function ordersOfDays(timeZone: string): Promise<number[]> {
  const rows = await deps.database.db
    .selectFrom('like_order')
    .innerJoin('account', 'account.id', 'like_order.account_id')
    .select('like_order.posted_at')
    .where('like_order.kind', '=', 'automatic')
    .where('account.ig_username', '=', name)
    .execute();
  const byDay = Map.groupBy(rows, ({ posted_at: at }) => localDay(at?.getTime() ?? 0, timeZone));
  return [...byDay.values()].map((orders) => orders.length);
}

async function slotsLeft(): Promise<number> {
  const { rows } = await sql`select from automatic_slot t
    where exists (select from account a where a.ig_username = ${name} and a.ig_id = t.ig_id)`.execute(
    deps.database.db,
  );
  return rows.length;
}

/** One round of the job that sweeps up. */
async function sweep(): Promise<void> {
  const over = new AbortController();
  const clock = {
    now: () => deps.clock.now(),
    sleep: () => {
      over.abort();
      return Promise.resolve();
    },
  };
  await createExpiryJob({ ...deps, clock }).run(over.signal);
}

test('two workspaces in two zones get four orders of one day, never more', async () => {
  const first = await registerCustomer(app, deps, name);
  await buy(first);
  await postAndPoll(4);
  await stop(first);
  const second = await registerCustomer(app, deps, `${name}.other`);
  await add(second);
  // 22:13 there: the local day ends before that of the first.
  await buy(second, 'Pacific/Auckland');
  await postAndPoll(3);
  expect(await ordersOfDays('UTC')).toEqual([4]);
  // In Auckland the next day has begun, in UTC it has not.
  deps.clock.set(`2026-12-0${count}T13:00:00Z`);
  await postAndPoll(2);
  expect(await ordersOfDays('UTC')).toEqual([4]);
  deps.clock.set(`2026-12-0${count + 1}T00:30:00Z`);
  await postAndPoll(6);
  expect(await ordersOfDays('UTC')).toEqual([4, 4]);
  expect(await ordersOfDays('Pacific/Auckland')).toEqual([4, 4]);
});

test('an account that is removed and added again on one day gets four orders, never more', async () => {
  const customer = await registerCustomer(app, deps, `${name}.first`);
  deps.network.addAccount(name);
  await add(customer);
  await buy(customer);
  await postAndPoll(3);
  await stop(customer);
  const removed = await customer.client.call(CALLS.removeAccount, named(customer));
  expect(removed.body.status).toBe('success');
  await add(customer);
  await buy(customer);
  await postAndPoll(4);
  expect(await ordersOfDays('UTC')).toEqual([4]);
});

test('two subscriptions that are served at the same moment share four slots', async () => {
  const account = deps.network.addAccount(name);
  await bench.schedule(account);
  await bench.schedule(account);
  deps.clock.advance(60_000);
  for (let made = 0; made < 6; made += 1) deps.network.addPost(name);
  await Promise.all([
    bench.poll(new Detector(deps, servePosts(deps))),
    bench.poll(new Detector(deps, servePosts(deps))),
  ]);
  await bench.pollLater();
  await bench.pollLater();
  expect(await ordersOfDays('UTC')).toEqual([4]);
});

test('slots are swept up after a week, but those of a day another plan still counts on', async () => {
  const first = await registerCustomer(app, deps, name);
  await buy(first);
  await postAndPoll(2);
  await stop(first);
  const second = await registerCustomer(app, deps, `${name}.other`);
  await add(second);
  await buy(second);
  await postAndPoll(1);
  deps.clock.advance(7 * 86_400_000);
  await sweep();
  expect(await slotsLeft()).toBe(3);
  deps.clock.advance(86_400_000);
  await sweep();
  // The second plan knows its own one by its order.
  expect(await slotsLeft()).toBe(2);
  await deps.database.db.deleteFrom('network_subscription').execute();
  await sweep();
  expect(await slotsLeft()).toBe(0);
});
