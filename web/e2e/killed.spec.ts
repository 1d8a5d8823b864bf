import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserProcess, openProfile } from './browser-process.ts';
import { newCustomer } from './customer.ts';
import { type FrontServer, serveInFront } from './front-server.ts';
import { startOnPostgres } from './product.ts';
import { loadLikesDialog, queueLikes } from './queue-likes.ts';
import { type ReplicaSums, keptSums, serverSums } from './replica-sums.ts';
import { ownProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';

const shared = ownProduct(({ postgresUrl }) => startOnPostgres(postgresUrl));
let front: FrontServer;
let database: pg.Pool;

beforeAll(async () => {
  front = await serveInFront(shared.product.url);
  database = new pg.Pool({ connectionString: shared.product.databaseUrl });
  // Postgres ends the connections that are still open when it stops.
  database.on('error', () => undefined);
});
afterAll(async () => {
  await front.stop();
  await database.end();
});

const card = (page: Page, index: number) => page.locator('[data-post]').nth(index);
const badge = (page: Page, credits: string) =>
  page.getByRole('button', { name: `${credits} credits` });
const changes = (page: Page) => page.getByRole('button', { name: /show changes/ });
const upToDate = (page: Page) => page.getByTitle('Up to date');
const offline = (page: Page) => page.getByTitle('Offline', { exact: true });

describe('the server', () => {
  const PUSH = '/user/sync/push';
  /** Two of one customer. */
  let tabs: readonly [Page, Page];
  let userId: string;
  beforeAll(async () => {
    const { browser, product, sandbox } = shared;
    const journeys = { browser, product: { ...product, url: front.url }, sandbox };
    const customer = await spenderPage(journeys, 'killed.server');
    ({ userId } = customer);
    tabs = [customer.page, await customer.page.context().newPage()];
    for (const tab of tabs) {
      await tab.goto(`${front.url}/dashboard`);
      await card(tab, 1).waitFor();
      await badge(tab, '2,500').waitFor();
      await upToDate(tab).waitFor();
      await loadLikesDialog(card(tab, 0));
    }
  });
  afterAll(() => tabs[0].context().close());

  /**
   * Without network: 30 likes for a post wait in the first tab, then 50 for the next in the other.
   * @returns the orders' ids as the outbox holds them, oldest first
   */
  async function queueInTwoTabs(): Promise<readonly [string, string]> {
    const [page, other] = tabs;
    await page.context().setOffline(true);
    await queueLikes(card(page, 0), 30);
    await queueLikes(card(other, 1), 50);
    for (const tab of tabs) await tab.getByText('2 waiting').first().waitFor();
    const [first, second] = await outbox();
    if (!first || !second) throw new Error('Two orders should wait');
    return [first, second];
  }

  /** The ids of the changes in the outbox; an order's id is the order's for good. */
  const outbox = (): Promise<string[]> =>
    tabs[0].evaluate(
      (name) =>
        new Promise<string[]>((resolve, reject) => {
          const open = indexedDB.open(name);
          open.addEventListener('error', () => reject(open.error));
          open.addEventListener('success', () => {
            const keys = open.result.transaction('outbox').objectStore('outbox').getAllKeys();
            keys.addEventListener('success', () => {
              open.result.close();
              resolve(keys.result.map(String));
            });
          });
        }),
      `ovation-${userId}`,
    );

  /** What the database holds of these orders: likes ordered, and credits taken in the ledger. */
  async function booked(orderIds: readonly string[]): Promise<object[]> {
    const { rows } = await database.query<object>(
      `select ordered, (select array_agg(credits::int) from ledger_transaction
         where order_id = like_order.id and kind = 'hold') as credits
       from like_order where id = any($1::uuid[]) order by id`,
      [orderIds],
    );
    return rows;
  }

  const ONCE = [
    { ordered: 30, credits: [-30] },
    { ordered: 50, credits: [-50] },
  ];

  /** Somebody looks at the pages again, so they don't wait for their next try. */
  async function lookAgain(): Promise<void> {
    for (const tab of tabs) await tab.evaluate(() => dispatchEvent(new Event('focus')));
  }

  async function expectStillWaiting(orderIds: readonly string[]): Promise<void> {
    for (const tab of tabs) {
      await offline(tab).waitFor();
      await tab.getByText('2 waiting').first().waitFor();
    }
    expect(await outbox()).toEqual(orderIds);
  }

  test('orders queued in two tabs are each executed once when the server is killed between them, and then after its commit, before its answer', async () => {
    const orderIds = await queueInTwoTabs();
    // Somebody else holds the second order's id, so the push stands still after its first change.
    const holder = await database.connect();
    await holder.query('begin');
    await holder.query(
      'insert into client_order (order_id, workspace_id) values ($1, gen_random_uuid())',
      [orderIds[1]],
    );
    await tabs[0].context().setOffline(false);
    await expect
      .poll(async () => {
        const { rowCount } = await database.query(
          `select 1 from pg_stat_activity
             where wait_event_type = 'Lock' and query like '%client_order%'`,
        );
        return rowCount;
      })
      .toBe(1);
    expect(await booked(orderIds)).toEqual(ONCE.slice(0, 1));
    await shared.product.killServe();
    await holder.query('rollback');
    holder.release();
    await expectStillWaiting(orderIds);
    expect(await booked(orderIds)).toEqual(ONCE.slice(0, 1));

    const killed = Promise.withResolvers<void>();
    front.beforeAnswer = async (path) => {
      if (!path.startsWith(PUSH)) return;
      front.beforeAnswer = async () => undefined;
      await shared.product.killServe();
      front.isThere = false;
      killed.resolve();
    };
    await shared.product.startServe();
    await lookAgain();
    await killed.promise;
    await expectStillWaiting(orderIds);
    expect(await booked(orderIds)).toEqual(ONCE);

    await shared.product.startServe();
    front.isThere = true;
    await lookAgain();
    for (const tab of tabs) {
      await changes(tab).waitFor({ state: 'hidden' });
      await badge(tab, '2,420').waitFor();
      await card(tab, 0).getByText('30 likes delivered').waitFor();
      await card(tab, 1).getByText('50 likes delivered').waitFor();
      await upToDate(tab).waitFor();
    }
    // What was done stays there until the replica holds what it changed.
    await expect.poll(outbox).toEqual([]);
    expect(await booked(orderIds)).toEqual(ONCE);
  });
});

describe('the browser', () => {
  const NAME = 'killed.browser';
  /** More than are written at once. */
  const POSTS = 1040;
  /** A card whose post has an order, wherever that stands. */
  const ORDERED = /Ordered, waiting|on their way|likes delivered/;

  /** The customer's other device. */
  let elsewhere: Spender;
  let profile: string;
  let browser: BrowserProcess;
  /** What is open when the next test begins. */
  let left: Page;
  beforeAll(async () => {
    elsewhere = await spenderPage(shared, NAME);
    await addPosts();
    // From here on nothing changes but by what the test does.
    await shared.product.processes['work']?.stop();
    profile = await mkdtemp(join(tmpdir(), 'ovation-profile-'));
  });
  afterAll(async () => {
    await browser.kill();
    await rm(profile, { recursive: true, force: true });
  });

  /** Many older posts of the newest customer, as an account of some years has. */
  async function addPosts(): Promise<void> {
    const { rows } = await database.query<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
       where table_name = 'post' and column_name not in ('id', 'shortcode', 'taken_at')`,
    );
    await database.query(
      `insert into post (id, shortcode, taken_at, ${rows[0]?.columns})
       select id || lpad(n::text, 5, '0'), shortcode || n, taken_at - n * interval '5 hours',
         ${rows[0]?.columns}
       from (select * from post order by workspace_id desc, taken_at limit 1) as oldest,
         generate_series(1, $1) as n`,
      [POSTS],
    );
  }

  /** Opens the browser on its profile; the page it opens with. */
  async function open(): Promise<Page> {
    browser = await openProfile(profile);
    return browser.page;
  }

  async function logIn(page: Page): Promise<void> {
    const { email, password } = newCustomer(NAME);
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  /** A browser writes its cookies to disk late: after a kill it may ask for the password again. */
  async function liveAgain(page: Page): Promise<void> {
    const password = page.getByLabel('Password', { exact: true });
    await upToDate(page).or(password).first().waitFor();
    if (!(await password.isVisible())) return;
    await logIn(page);
    await upToDate(page).waitFor();
  }

  /** Everything written to this moment is gone from memory; what the server has now is what counts. */
  async function killAndCompare(): Promise<ReplicaSums> {
    await browser.kill();
    const expected = await serverSums(elsewhere.page.request, shared.product.url);
    front.isThere = false;
    return expected;
  }

  test('a browser killed right after the first reading has all of it when it opens without network', async () => {
    const page = await open();
    await page.goto(`${front.url}/login`);
    // The app's own files, without which nothing opens.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await logIn(page);
    await upToDate(page).waitFor();
    const expected = await killAndCompare();
    expect(expected.counts['post']).toBe(POSTS + 2);
    const reopened = await open();
    await reopened.goto(`${front.url}/dashboard`);
    await card(reopened, 0).waitFor();
    await offline(reopened).waitFor();
    expect(await keptSums(reopened, elsewhere.userId)).toEqual(expected);
    left = reopened;
  });

  test('a change that was shown is still there after a kill, and so is an order that waits', async () => {
    front.isThere = true;
    const page = left;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await liveAgain(page);
    await elsewhere.order(100);
    // Money and posts come apart from each other: both are shown before the end.
    await badge(page, '2,400').waitFor();
    await card(page, 0).getByText(ORDERED).waitFor();
    // What nobody sees may come after what is shown.
    await expect
      .poll(() => keptSums(page, elsewhere.userId))
      .toEqual(await serverSums(elsewhere.page.request, shared.product.url));
    front.isThere = false;
    await offline(page).waitFor();
    await queueLikes(card(page, 1), 30);
    const expected = await killAndCompare();
    const again = await open();
    await again.goto(`${front.url}/dashboard`);
    await card(again, 0).getByText(ORDERED).waitFor();
    await card(again, 1).getByText('30 extra likes: waiting for the network.').waitFor();
    // The 100 that were taken elsewhere, and the 30 that wait.
    await badge(again, '2,370').waitFor();
    expect(await keptSums(again, elsewhere.userId)).toEqual(expected);
    expect(await elsewhere.credits()).toBe(2400);
    front.isThere = true;
    await again.evaluate(() => dispatchEvent(new Event('focus')));
    await liveAgain(again);
    await changes(again).waitFor({ state: 'hidden' });
    // The card counts them while they wait, too: the server's word is what tells that they were sent.
    await expect.poll(elsewhere.credits).toBe(2370);
    await card(again, 1).getByText(ORDERED).waitFor();
  });
});
