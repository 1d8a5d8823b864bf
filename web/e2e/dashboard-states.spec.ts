import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { newCustomer } from './customer.ts';
import { type Product, startOnPostgres } from './product.ts';
import { type SandboxControl, sandboxControl } from './sandbox-control.ts';
import { CARD, signedInPage, subscribedPage } from './subscriber.ts';

/** Saved without trouble, declined whenever it is charged. */
const DECLINED_LATER = '4000000000000341';

let browser: Browser;
let product: Product;
let sandbox: SandboxControl;
let database: pg.Client;
const pages: Page[] = [];

beforeAll(async () => {
  const [started, launched] = await Promise.all([startOnPostgres(), launchBrowser()]);
  [product, browser] = [started, launched];
  sandbox = sandboxControl(product.sandboxUrl);
  database = new pg.Client({ connectionString: started.databaseUrl });
  await database.connect();
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});
afterAll(async () => {
  await database.end();
  await browser.close();
  await product.stop();
});

const journeys = () => ({ browser, product, sandbox });

async function call(page: Page, path: string, data: object): Promise<void> {
  const answer = await page.request.post(product.url + path, { data });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
}

/** A customer who has bought credits and no plan: nothing of the account is kept anywhere. */
async function creditsOnly(igUsername: string): Promise<Page> {
  const { page, userId } = await signedInPage(journeys(), igUsername);
  pages.push(page);
  await call(page, '/user/creditsTransaction/addRecord', {
    ...CARD,
    userId,
    credits: 2500,
    amount: 10,
  });
  await page.context().addInitScript(() => localStorage.setItem('inSubscription', 'true'));
  return page;
}

test('picking another account in the dropdown makes it active and reads its posts, with a hidden like count shown as hidden, never 0', async () => {
  await sandbox.createAccount({ username: 'second.stage', posts: 2 });
  const [hidden] = await sandbox.listPosts('second.stage');
  await sandbox.changePost(hidden?.id ?? '', { hideLikes: true });
  const { page, userId } = await subscribedPage(journeys(), 'first.stage', { width: 1000 });
  pages.push(page);
  await call(page, '/user/connectedAccount/addRecord', { userId, igUsername: 'second.stage' });
  await page.goto(`${product.url}/dashboard`);
  const [first] = await sandbox.listPosts('first.stage');
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
  const { page, userId } = await subscribedPage(journeys(), 'is.past.due');
  pages.push(page);
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
  await page.goto(`${product.url}/dashboard`);
  const banner = page.getByRole('heading', {
    name: 'The last charge for @is.past.due was declined',
  });
  await banner.waitFor({ timeout: 60_000 });
  await page.reload();
  await banner.waitFor();
  await page.getByRole('link', { name: 'Go to billing' }).click();
  await page.waitForURL('**/my-billing');
  await expect
    .poll(async () => (await sandbox.listMails('is.past.due@example.test')).length)
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
  await page.goto(`${product.url}/dashboard`);
  await page.getByRole('heading', { name: 'No account connected' }).waitFor();
  await page.locator('main').getByRole('button', { name: 'Add account' }).click();
  await page.getByRole('dialog', { name: 'Add new Instagram account' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByText('under maintainance').count()).toBe(0);
});

test('"Log out" in the menu ends the session on the server, clears the stored id, and loads /login anew', async () => {
  const { page: first, userId } = await signedInPage(journeys(), 'goes.home');
  pages.push(first);
  const page = await (await browser.newContext()).newPage();
  pages.push(page);
  const { email, password } = newCustomer('goes.home');
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL('**/subscription');
  await page.goto(`${product.url}/my-settings`);
  await page.getByRole('heading', { name: 'Account settings', level: 1 }).waitFor();
  const cookies = await page.context().cookies();
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  await expect.poll(() => page.evaluate(() => 'isSamePage' in globalThis)).toBe(false);
  expect(await page.evaluate(() => localStorage.getItem('id'))).toBeNull();
  const session = cookies.find(({ name }) => name === 'ovation')?.value ?? '';
  const answer = await fetch(`${product.url}/user/user/findByUserId`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `ovation=${session}` },
    body: JSON.stringify({ userId }),
  });
  expect(answer.status).toBe(401);
});
