import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCustomer } from './customer.ts';
import { startOnPostgres } from './product.ts';
import { ownProduct } from './share-product.ts';
import { CARD, signedInPage, subscribedPage } from './subscriber.ts';

/** Saved without trouble, declined whenever it is charged. */
const DECLINED_LATER = '4000000000000341';

const shared = ownProduct(startOnPostgres);
let database: pg.Client;

beforeAll(async () => {
  database = new pg.Client({ connectionString: shared.product.databaseUrl });
  await database.connect();
});
afterAll(() => database.end());

async function call(page: Page, path: string, data: object): Promise<void> {
  const answer = await page.request.post(shared.product.url + path, { data });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
}

/** A customer who has bought credits and no plan: nothing of the account is kept anywhere. */
async function creditsOnly(igUsername: string): Promise<Page> {
  const { page, userId } = await signedInPage(shared, igUsername);
  shared.pages.push(page);
  await call(page, '/user/creditsTransaction/addRecord', {
    ...CARD,
    userId,
    credits: 2500,
    amount: 10,
  });
  await page.context().addInitScript(() => localStorage.setItem('inSubscription', 'true'));
  return page;
}

test('posts that can’t be read and aren’t kept: "Site is under maintainance, Please check back soon.", until they can be read', async () => {
  const page = await creditsOnly('never.read');
  await shared.sandbox.setFault({ system: 'graph', scenario: 'server_error' });
  await page.goto(`${shared.product.url}/dashboard`);
  await page
    .getByRole('alert')
    .getByText('Site is under maintainance, Please check back soon.', { exact: true })
    .waitFor();
  await shared.sandbox.clearFaults();
  await page.locator('[data-post]').first().waitFor();
  expect(await page.getByText('under maintainance').count()).toBe(0);
});

test('posts that can’t be fetched are logged, not told, and what is kept stays', async () => {
  const { page } = await subscribedPage(shared, 'kept.posts');
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByTitle('Up to date').waitFor();
  const count = (): Promise<number> => page.locator('[data-post]').count();
  await expect.poll(count).toBe(2);
  const logged: string[] = [];
  page.on('console', (entry) => logged.push(entry.text()));
  await page.route('**/user/**', (route) => route.abort());
  await page.reload();
  await page.locator('[data-post]').first().waitFor();
  await expect.poll(() => logged.join('\n')).toContain('Nothing could be fetched');
  expect(await count()).toBe(2);
  expect(await page.locator('[data-toast]').count()).toBe(0);
  expect(await page.getByText('under maintainance').count()).toBe(0);
});

test('an account without posts shows loading dots and a line that says what to do', async () => {
  await shared.sandbox.createAccount({ username: 'empty.hall', posts: 0 });
  const { page, userId } = await subscribedPage(shared, 'has.a.stage', { width: 1000 });
  shared.pages.push(page);
  await call(page, '/user/connectedAccount/addRecord', { userId, igUsername: 'empty.hall' });
  await call(page, '/user/creditsTransaction/addSubscripiton', {
    ...CARD,
    userId,
    igUsername: 'empty.hall',
    packageIndex: 1,
  });
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByRole('button', { name: /Active account @has\.a\.stage/ }).click();
  await page.getByRole('option', { name: /@empty\.hall/ }).click();
  const notice = page.getByRole('status').filter({ hasText: 'No posts yet.' });
  await notice.getByText('Post a picture or a video on Instagram.').waitFor();
  expect(await notice.locator('span[aria-hidden="true"] > span').count()).toBe(3);
});

test('picking another account in the dropdown makes it active and reads its posts, with a hidden like count shown as hidden, never 0', async () => {
  await shared.sandbox.createAccount({ username: 'second.stage', posts: 2 });
  const [hidden] = await shared.sandbox.listPosts('second.stage');
  await shared.sandbox.changePost(hidden?.id ?? '', { hideLikes: true });
  const { page, userId } = await subscribedPage(shared, 'first.stage', { width: 1000 });
  shared.pages.push(page);
  await call(page, '/user/connectedAccount/addRecord', { userId, igUsername: 'second.stage' });
  await page.goto(`${shared.product.url}/dashboard`);
  const [first] = await shared.sandbox.listPosts('first.stage');
  await page.locator(`[data-post="${first?.id}"]`).waitFor();
  await page.getByRole('button', { name: /Active account @first\.stage/ }).click();
  await page.getByRole('option', { name: /@second\.stage/ }).click();
  const card = page.locator(`[data-post="${hidden?.id}"]`);
  await card
    .getByText(/hidden/i)
    .first()
    .waitFor();
  expect(await page.locator(`[data-post="${first?.id}"]`).count()).toBe(0);
  const active = await page.evaluate(() => localStorage.getItem('ovation-client-state'));
  expect(active).toContain('"activeusername":"second.stage"');
  expect(await card.innerText()).not.toMatch(/\b0 (?:organic )?likes/i);
  await page.getByRole('button', { name: /Active account @second\.stage/ }).waitFor();
});

test('a renewal that was declined is said on the dashboard, which stays open, and leads to billing', async () => {
  const { page, userId } = await subscribedPage(shared, 'is.past.due');
  shared.pages.push(page);
  await call(page, '/user/billingInfo/replace', {
    ...CARD,
    userId,
    ccNum: DECLINED_LATER,
  });
  await database.query(`
    update subscription set anchor_at = anchor_at - interval '1 month',
      period_started_at = period_started_at - interval '1 month',
      next_billing_at = next_billing_at - interval '1 month', next_action_at = now()
    from account where account.id = account_id and account.ig_username = 'is.past.due'`);
  await page.goto(`${shared.product.url}/dashboard`);
  const banner = page.getByRole('heading', {
    name: 'Your last payment for @is.past.due was declined',
  });
  await banner.waitFor();
  await page.reload();
  await banner.waitFor();
  await page.getByRole('link', { name: 'Go to billing' }).click();
  await page.waitForURL('**/my-billing');
  await expect
    .poll(async () => (await shared.sandbox.listMails('is.past.due@example.test')).length)
    .toBeGreaterThan(1);
});

test('a customer without any account is told what to do', async () => {
  const page = await creditsOnly('leaves.nothing');
  await database.query(`
    with mine as (select workspace_id, id from account where ig_username = 'leaves.nothing'),
      cleared as (
        update app_user set default_account_id = null from mine
        where app_user.workspace_id = mine.workspace_id returning 1)
    delete from account using mine
    where account.workspace_id = mine.workspace_id and account.id = mine.id
      and (select count(*) from cleared) >= 0`);
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByRole('heading', { name: 'No accounts yet' }).waitFor();
  await page.locator('main').getByRole('button', { name: 'Add account' }).click();
  await page.getByRole('dialog', { name: 'Add new Instagram account' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByText('under maintainance').count()).toBe(0);
});

test('"Log out" in the menu ends the session on the server, clears the stored id, and loads /login anew', async () => {
  const { page: first, userId } = await signedInPage(shared, 'goes.home');
  shared.pages.push(first);
  const page = await (await shared.browser.newContext()).newPage();
  shared.pages.push(page);
  const { email, password } = newCustomer('goes.home');
  await page.goto(`${shared.product.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL('**/subscription');
  await page.goto(`${shared.product.url}/my-settings`);
  await page.getByRole('heading', { name: 'Account settings', level: 1 }).waitFor();
  const cookies = await page.context().cookies();
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => 'isSamePage' in globalThis)).toBe(false);
  expect(await page.evaluate(() => localStorage.getItem('id'))).toBeNull();
  const session = cookies.find(({ name }) => name === 'ovation')?.value ?? '';
  const answer = await fetch(`${shared.product.url}/user/user/findByUserId`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `ovation=${session}` },
    body: JSON.stringify({ userId }),
  });
  expect(answer.status).toBe(401);
});
