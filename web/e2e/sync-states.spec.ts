import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { keepIntercepting } from './bad-answers.ts';
import { newCustomer } from './customer.ts';
import { shareProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';
import { signedInPage } from './subscriber.ts';

const shared = shareProduct();

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

test('a replica whose browser has another person’s session is neither shown nor lost, and nothing of theirs comes', async () => {
  const { page, userId } = await spender('owns.the.replica');
  const other = await signedInPage(shared, 'has.the.session');
  await other.page.context().close();
  await openDashboard(page);
  const form = newCustomer('has.the.session');
  const answer = await page.request.post(`${shared.product.url}/user/user/login`, {
    form: { ...form },
  });
  expect(answer.ok()).toBe(true);
  await page.reload();
  await page.waitForURL('**/login');
  await page.getByLabel('Password', { exact: true }).waitFor();
  const kept = await page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    texts: JSON.stringify(localStorage) + document.body.innerText,
  }));
  expect(kept.databases).toEqual([`ovation-${userId}`]);
  expect(kept.texts).not.toContain('has.the.session');
  expect(await page.locator('body').innerText()).not.toContain('owns.the.replica');
  expect(kept.texts).not.toContain(other.userId);

  const { email, password } = newCustomer('owns.the.replica');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await isLive(page);
});
