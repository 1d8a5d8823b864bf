import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { lockClaimedOrders } from '#server/delivery/orders/claimed-orders.repository.ts';
import { placeDueOrders } from '#server/delivery/orders/place-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import { findLikeOrders } from '#server/read-model/orders.service.ts';
import { getPosts } from '#server/read-model/posts.service.ts';
import {
  DEMO_ACCOUNTS,
  DEMO_EMAIL,
  type DemoLogins,
  prepareDemo,
} from '#server/main/start/demo.ts';
import { SandboxDetectionBench } from '../delivery/sandbox-detection-bench.ts';

/** "Try it" of the README, with the product's own API and detection against the sandbox's network. */

const [TRIED, ...OTHERS] = DEMO_ACCOUNTS;
let bench: SandboxDetectionBench;
let dataDir: string;
let demo: DemoLogins;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ovation-readme-'));
  bench = await SandboxDetectionBench.open({ isDemo: true });
  demo = await prepare();
});
afterAll(async () => {
  await bench.close();
  rmSync(dataDir, { recursive: true });
});

function prepare(): Promise<DemoLogins> {
  const app = createApp(bench.deps, { stopping: new AbortController().signal });
  return prepareDemo({
    send: (request) => app.fetch(request),
    publicUrl: bench.deps.settings.publicUrl,
    cardEntry: bench.deps.settings.cardEntry,
    dataDir,
    random: bench.deps.random,
    sandboxUrl: bench.url,
  });
}

/** What the person uploads on the network's page. */
async function uploadPicture(username: string): Promise<string> {
  const picture = await sharp({
    create: { width: 8, height: 8, channels: 3, background: '#2f5d73' },
  })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.set('file', new File([new Uint8Array(picture)], 'mine.jpg', { type: 'image/jpeg' }));
  form.set('caption', 'Mine');
  const answer = await fetch(`${bench.url}/u/${username}/posts`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return /\/p\/([\w-]+)\//.exec(answer.headers.get('location') ?? '')?.[1] ?? '';
}

async function readPost(shortcode: string) {
  return bench.deps.database.db
    .selectFrom('post')
    .leftJoin('like_order', 'like_order.post_id', 'post.id')
    .innerJoin('account', 'account.id', 'post.account_id')
    .select(['post.automatic_outcome', 'post.workspace_id', 'account.ig_id'])
    .select(['like_order.slot', 'like_order.ordered', 'like_order.id'])
    .where('post.shortcode', '=', shortcode)
    .executeTakeFirst();
}

async function wholeDemo() {
  const { db } = bench.deps.database;
  const accounts = await db
    .selectFrom('subscription')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .select(['ig_username', 'package', 'state'])
    .orderBy('subscription.id')
    .execute();
  const people = await db.selectFrom('app_user').select('email').orderBy('email').execute();
  const extra = await db
    .selectFrom('like_order')
    .select('ordered')
    .where('kind', '=', 'credit')
    .execute();
  const balance = await db
    .selectFrom('credit_balance')
    .select('balance')
    .orderBy('balance', 'desc')
    .executeTakeFirst();
  return { accounts, people, extra, credits: balance?.balance ?? 0 };
}

test('the demo is a person with four plans, credits and extra likes, and one who has just signed up', async () => {
  const { accounts, people, extra, credits } = await wholeDemo();
  expect(accounts.map(({ ig_username: name }) => name)).toEqual(
    DEMO_ACCOUNTS.map(({ igUsername }) => igUsername),
  );
  expect(accounts.every(({ state }) => state === 'Active')).toBe(true);
  expect(people.map(({ email }) => email)).toEqual([DEMO_EMAIL, demo.newcomer.email]);
  expect(extra).toHaveLength(2);
  expect(credits).toBeGreaterThan(1000);
});

test('whoever tries the demo finds no log-in but their own', async () => {
  const { db } = bench.deps.database;
  const open = () =>
    db.selectFrom('session').select('user_id').where('ended_at', 'is', null).execute();
  expect(await open()).toEqual([]);
  await prepare();
  expect(await open()).toEqual([]);
});

test('a later start finds the demo as it was left, and one that died half way goes on', async () => {
  const before = await wholeDemo();
  expect(await prepare()).toEqual(demo);
  const path = join(dataDir, 'demo-login.json');
  const kept = JSON.parse(readFileSync(path, 'utf8')) as object;
  expect(kept).toMatchObject({ isPrepared: true });
  expect(await wholeDemo()).toEqual(before);
});

test.each([
  ['at once', 0],
  ['after 15 minutes', 15],
  ['after a day', 24 * 60],
])(
  'an upload is found within 30 seconds, its likes climb, and it has a receipt: %s',
  async (_when, minutes) => {
    for (let minute = 0; minute < minutes; minute += 5) {
      // The network lives by itself; what was posted is found within the hour.
      bench.deps.clock.advance(5 * MINUTE_MS);
      await nextTurn();
      if (minute % 60 === 0) await bench.poll();
    }
    const shortcode = await uploadPicture(TRIED.igUsername);
    await bench.pollLater();
    const found = await readPost(shortcode);
    expect(found).toMatchObject({ automatic_outcome: 'ordered', ordered: 250 });
    await placeDueOrders(bench.deps, {
      leaseMs: 30_000,
      batch: 100,
      lockClaimed: lockClaimedOrders,
    });
    const order = found?.id ?? '';
    expect(bench.deps.provider.orders.get(order)?.likes).toBeGreaterThanOrEqual(250);
    bench.deps.provider.advance(order, { status: 'In progress', delivered: 12, startCount: 0 });
    bench.deps.clock.advance(MINUTE_MS);
    await pollDueOrders(bench.deps, { leaseMs: 30_000, batch: 100 });
    const whose = { workspaceId: found?.workspace_id ?? '', igId: found?.ig_id ?? '' };
    const newest = { limit: 10, before: undefined, beforeId: undefined };
    const { items } = await getPosts(bench.deps, { ...whose, ...newest });
    const mine = items.find((post) => post.shortcode === shortcode);
    expect(mine).toMatchObject({ caption: 'Mine', deliveredLikes: 12 });
    const ofMine = { postId: mine?.id ?? '', limit: 1 };
    const [receipt] = await findLikeOrders(bench.deps, whose, ofMine);
    expect(receipt).toMatchObject({ id: order, state: 'In progress', delivered: 12 });
  },
);

test('meanwhile the other accounts have posted by themselves, also on the second day', async () => {
  const orders = await bench.deps.database.db
    .selectFrom('like_order')
    .innerJoin('account', 'account.id', 'like_order.account_id')
    .select(['account.ig_username', 'like_order.local_day'])
    .where('like_order.kind', '=', 'automatic')
    .execute();
  const daysOf = (name: string) =>
    new Set(orders.filter((one) => one.ig_username === name).map((one) => one.local_day)).size;
  expect(OTHERS.map(({ igUsername }) => daysOf(igUsername))).toEqual([2, 2, 2]);
});
