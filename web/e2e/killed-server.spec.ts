import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FrontServer, serveInFront } from './front-server.ts';
import { startOnPostgres } from './product.ts';
import { loadLikesDialog, queueLikes } from './queue-likes.ts';
import { ownProduct } from './share-product.ts';
import { spenderPage } from './spender.ts';

const PUSH = '/user/sync/push';

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

interface TwoTabs {
  tabs: readonly [Page, Page];
  userId: string;
  /** The orders as the outbox holds them, oldest first. */
  orderIds: readonly [string, string];
}

/** Two tabs without network: 30 likes for the newest post wait in the first, then 50 for the other. */
async function queueInTwoTabs(igUsername: string): Promise<TwoTabs> {
  const { browser, product, sandbox } = shared;
  const journeys = { browser, product: { ...product, url: front.url }, sandbox };
  const { page, userId } = await spenderPage(journeys, igUsername);
  shared.pages.push(page);
  const other = await page.context().newPage();
  const tabs = [page, other] as const;
  for (const tab of tabs) {
    await tab.goto(`${front.url}/dashboard`);
    await card(tab, 1).waitFor();
    await badge(tab, '2,500').waitFor();
    await tab.getByTitle('Up to date').waitFor();
    await loadLikesDialog(card(tab, 0));
  }
  await page.context().setOffline(true);
  await queueLikes(card(page, 0), 30);
  await queueLikes(card(other, 1), 50);
  for (const tab of tabs) await tab.getByText('2 waiting').first().waitFor();
  const [first, second] = await outbox(page, userId);
  if (first === undefined || second === undefined) throw new Error('Two orders should wait');
  return { tabs, userId, orderIds: [first, second] };
}

/** The ids of the changes in the outbox; an order's id is the order's for good. */
const outbox = (page: Page, userId: string): Promise<string[]> =>
  page.evaluate(
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

async function expectBothAgree({ tabs, userId }: TwoTabs): Promise<void> {
  for (const tab of tabs) {
    // Somebody looks at the page again, so it doesn't wait for its next try.
    await tab.evaluate(() => dispatchEvent(new Event('focus')));
    await changes(tab).waitFor({ state: 'hidden' });
    await badge(tab, '2,420').waitFor();
    await card(tab, 0).getByText('30 likes delivered').waitFor();
    await card(tab, 1).getByText('50 likes delivered').waitFor();
    await tab.getByTitle('Up to date').waitFor();
  }
  // What was done stays there until the replica holds what it changed.
  await expect.poll(() => outbox(tabs[0], userId)).toEqual([]);
}

test('orders queued in two tabs are each executed once when the server is killed between them', async () => {
  const waiting = await queueInTwoTabs('killed.between');
  const { orderIds, tabs } = waiting;
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
  for (const tab of tabs) await tab.getByTitle('Offline', { exact: true }).waitFor();
  expect(await booked(orderIds)).toEqual(ONCE.slice(0, 1));
  expect(await outbox(tabs[0], waiting.userId)).toEqual(orderIds);
  await shared.product.startServe();
  await expectBothAgree(waiting);
  expect(await booked(orderIds)).toEqual(ONCE);
});

test('orders queued in two tabs are each executed once when the server is killed after its commit, before its answer', async () => {
  const waiting = await queueInTwoTabs('killed.unanswered');
  const { orderIds, tabs } = waiting;
  const killed = Promise.withResolvers<void>();
  front.beforeAnswer = async (path) => {
    if (!path.startsWith(PUSH)) return;
    front.beforeAnswer = async () => undefined;
    await shared.product.killServe();
    front.isThere = false;
    killed.resolve();
  };
  await tabs[0].context().setOffline(false);
  await killed.promise;
  for (const tab of tabs) await tab.getByTitle('Offline', { exact: true }).waitFor();
  expect(await booked(orderIds)).toEqual(ONCE);
  expect(await outbox(tabs[0], waiting.userId)).toEqual(orderIds);
  for (const tab of tabs) await tab.getByText('2 waiting').first().waitFor();
  await shared.product.startServe();
  front.isThere = true;
  await expectBothAgree(waiting);
  expect(await booked(orderIds)).toEqual(ONCE);
});
