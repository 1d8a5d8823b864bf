import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type BrowserProcess, openProfile } from './browser-process.ts';
import { type ReplicaSums, keptSums, serverSums } from './replica-sums.ts';
import { newCustomer } from './customer.ts';
import { type FrontServer, serveInFront } from './front-server.ts';
import { startOnPostgres } from './product.ts';
import { queueLikes } from './queue-likes.ts';
import { ownProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';

const NAME = 'killed.browser';
/** More than are written at once. */
const POSTS = 1200;
/** A card whose post has an order, wherever that stands. */
const ORDERED = /Ordered, waiting|on their way|likes delivered/;

const shared = ownProduct(({ postgresUrl }) => startOnPostgres(postgresUrl));
let front: FrontServer;
/** The customer's other device. */
let elsewhere: Spender;
let profile: string;
let browser: BrowserProcess;

beforeAll(async () => {
  const { product } = shared;
  front = await serveInFront(product.url);
  elsewhere = await spenderPage(shared, NAME);
  await addPosts();
  // From here on nothing changes but by what the test does.
  await Promise.all([product.processes['workA']?.stop(), product.processes['workB']?.stop()]);
  profile = await mkdtemp(join(tmpdir(), 'ovation-profile-'));
});
afterEach(async () => {
  front.isThere = true;
  await browser.kill();
});
afterAll(async () => {
  await front.stop();
  await rm(profile, { recursive: true, force: true });
});

/** Many older posts, as an account of some years has. */
async function addPosts(): Promise<void> {
  const database = new pg.Client({ connectionString: shared.product.databaseUrl });
  await database.connect();
  const { rows } = await database.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'post' and column_name not in ('id', 'shortcode', 'taken_at')`,
  );
  await database.query(
    `insert into post (id, shortcode, taken_at, ${rows[0]?.columns})
     select id || lpad(n::text, 5, '0'), shortcode || n, taken_at - n * interval '5 hours',
       ${rows[0]?.columns}
     from (select * from post order by taken_at limit 1) as oldest, generate_series(1, $1) as n`,
    [POSTS],
  );
  await database.end();
}

/** Opens the browser on its profile; the first page of it. */
async function open(): Promise<Page> {
  browser = await openProfile(profile);
  const page = await browser.context.newPage();
  return page;
}

const upToDate = (page: Page) => page.getByTitle('Up to date');
const cards = (page: Page) => page.locator('[data-post]');

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
  await cards(reopened).first().waitFor();
  await reopened.getByTitle('Offline', { exact: true }).waitFor();
  expect(await keptSums(reopened, elsewhere.userId)).toEqual(expected);
});

test('a change that was shown is still there after a kill, and so is an order that waits', async () => {
  const page = await open();
  await page.goto(`${front.url}/dashboard`);
  await liveAgain(page);
  await elsewhere.order(100);
  // Money and posts come apart from each other: both are shown before the end.
  await page.getByRole('button', { name: '2,400 credits' }).waitFor();
  await cards(page).first().getByText(ORDERED).waitFor();
  // What nobody sees may come after what is shown.
  await expect
    .poll(() => keptSums(page, elsewhere.userId))
    .toEqual(await serverSums(elsewhere.page.request, shared.product.url));
  const expected = await killAndCompare();

  const reopened = await open();
  await reopened.goto(`${front.url}/dashboard`);
  await reopened.getByRole('button', { name: '2,400 credits' }).waitFor();
  await cards(reopened).first().getByText(ORDERED).waitFor();
  expect(await keptSums(reopened, elsewhere.userId)).toEqual(expected);

  await queueLikes(cards(reopened).nth(1), 30);
  await browser.kill();

  const again = await open();
  await again.goto(`${front.url}/dashboard`);
  await cards(again).nth(1).getByText('30 extra likes: waiting for the network.').waitFor();
  await again.getByRole('button', { name: '2,370 credits' }).waitFor();
  expect(await elsewhere.credits()).toBe(2400);
  front.isThere = true;
  await again.evaluate(() => dispatchEvent(new Event('focus')));
  await liveAgain(again);
  await again.getByRole('button', { name: /show changes/ }).waitFor({ state: 'hidden' });
  // The card counts them while they wait, too: the server's word is what tells that they were sent.
  await expect.poll(elsewhere.credits).toBe(2370);
  await cards(again).nth(1).getByText(ORDERED).waitFor();
});
