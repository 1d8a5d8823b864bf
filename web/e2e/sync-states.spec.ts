import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { keepIntercepting } from './bad-answers.ts';
import { newCustomer } from './customer.ts';
import { writeMeta } from './local-meta.ts';
import { shareProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';
import { signedInPage } from './subscriber.ts';

const shared = shareProduct();
const HOUR_MS = 60 * 60_000;

const cards = (page: Page) => page.locator('[data-post]');
const state = (page: Page, kind: string) => page.locator(`header [data-kind="${kind}"]`);
const isLive = (page: Page) => state(page, 'live').waitFor();

async function spender(igUsername: string): Promise<Spender & { context: BrowserContext }> {
  const customer = await spenderPage(shared, igUsername);
  shared.pages.push(customer.page);
  const context = customer.page.context();
  await keepIntercepting(context);
  return { ...customer, context };
}

async function openDashboard(page: Page): Promise<void> {
  await page.goto(`${shared.product.url}/dashboard`);
  await isLive(page);
  await expect.poll(() => cards(page).count()).toBe(2);
}

test('a copy whose browser has another person’s session shows what it holds, nothing of theirs, and asks to log in again', async () => {
  const { page, userId } = await spender('owns.the.copy');
  const other = await signedInPage(shared, 'has.the.session');
  await other.page.context().close();
  await openDashboard(page);
  const form = newCustomer('has.the.session');
  const answer = await page.request.post(`${shared.product.url}/user/user/login`, {
    form: { ...form },
  });
  expect(answer.ok()).toBe(true);
  await page.reload();
  await state(page, 'log_in_again').first().waitFor();
  await page.getByText(/Your session has ended\. This is what we last loaded.*As of/).waitFor();
  await expect.poll(() => cards(page).count()).toBe(2);
  const kept = await page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    texts: JSON.stringify(localStorage) + document.body.innerText,
  }));
  expect(kept.databases).toEqual([`ovation-${userId}`]);
  expect(kept.texts).not.toContain('has.the.session');
  expect(kept.texts).not.toContain(other.userId);

  const { email, password } = newCustomer('owns.the.copy');
  await page.getByRole('button', { name: 'Log in again' }).click();
  await page.waitForURL('**/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await isLive(page);
});

test('of two tabs without locks the first stands back and shows what the other brings, and leads again once that is gone', async () => {
  const { page, context, order } = await spender('stands.back');
  await context.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'locks'));
  await page.clock.install();
  await openDashboard(page);
  const second = await context.newPage();
  await openDashboard(second);
  await order(20);
  for (const tab of [page, second]) {
    await tab.getByRole('button', { name: '2,480 credits' }).waitFor();
  }
  await expect.poll(() => [page, second].map((tab) => tab.workers().length)).toEqual([0, 1]);
  await isLive(page);

  await second.close();
  await order(20);
  await expect
    .poll(async () => {
      // So long the other one may be silent.
      await page.clock.fastForward(10_000);
      return page.workers().length;
    })
    .toBe(1);
  await page.getByRole('button', { name: '2,460 credits' }).waitFor();
  await isLive(page);
});

test('a part of the copy that may not be read anew yet stays as it was, the frame says so and as of when, until it may', async () => {
  const { page, context, order } = await spender('waits.to.read');
  /** The server's next answer voids what is held of the workspace. */
  let isVoid = false;
  let workspace = '';
  await context.route('**/user/sync/pull?*', async (route) => {
    if (!isVoid) return route.fallback();
    isVoid = false;
    const response = await route.fetch();
    const answer = (await response.json()) as { scopes: Record<string, unknown> };
    workspace = Object.keys(answer.scopes).find((scope) => scope.startsWith('w:')) ?? '';
    const { [workspace]: _, ...scopes } = answer.scopes;
    return route.fulfill({ response, json: { ...answer, scopes, resync: [workspace] } });
  });
  // Only from where nothing is pulled: a pull that a page no longer ends would take the answer.
  const leave = (): Promise<unknown> => page.goto(`${shared.product.url}/user/about`);
  await openDashboard(page);
  await leave();
  isVoid = true;
  await page.goto(`${shared.product.url}/dashboard`);
  await isLive(page);
  expect(isVoid).toBe(false);

  await leave();
  isVoid = true;
  await writeMeta(page, 'as-of', Date.now() - HOUR_MS);
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByText(/Loading the latest\. This is what we last loaded\. As of/).waitFor();
  await state(page, 'syncing').waitFor();
  await order(20);
  // The money is followed, the posts are not.
  await page.getByRole('button', { name: '2,480 credits' }).waitFor();
  expect(await state(page, 'syncing').count()).toBe(1);
  expect(await page.getByText('20 bought with credits').count()).toBe(0);

  await leave();
  await writeMeta(page, `resynced:${workspace}`, Date.now() - HOUR_MS);
  await page.goto(`${shared.product.url}/dashboard`);
  await isLive(page);
  await cards(page).first().getByText('20 bought with credits').waitFor();
});
