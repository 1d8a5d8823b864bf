import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { type SandboxControl, sandboxControl } from './sandbox-control.ts';
import { openMarked, signedInPage } from './subscriber.ts';

const BROKEN = 'Unexpected Application Error!';

const shared = shareProduct();
let browser: Browser;
let product: Product;
let sandbox: SandboxControl;
const pages: Page[] = [];

beforeAll(() => {
  ({ product, browser } = shared);
  sandbox = sandboxControl(product.sandboxUrl);
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

async function visitor(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  pages.push(page);
  return page;
}

async function expectPage(page: Page, title: string, heading: string | RegExp): Promise<void> {
  await page
    .getByRole('heading', { level: 1, name: heading })
    .first()
    .waitFor({ state: 'attached' });
  await expect.poll(() => page.title()).toBe(`${title} · Ovation`);
}

// Shows fact 2.09.
test('an unknown path, a page that throws and a chunk that is lost show "Unexpected Application Error!"', async () => {
  const page = await visitor();
  await page.goto(`${product.url}/nothing/here`);
  await expectPage(page, BROKEN, BROKEN);
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expectPage(page, 'Applause for every post', /Likes for every/);
  await page.route('**/entry-*.js', (route) => route.abort());
  await page.goto(`${product.url}/login`);
  await expectPage(page, BROKEN, BROKEN);
  await page.unroute('**/entry-*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expectPage(page, 'Log in', 'Log in');
  await page.route('**/entry-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
  );
  await page.goto(`${product.url}/signup`);
  await expectPage(page, BROKEN, BROKEN);
  await expect.poll(() => page.getByRole('button', { name: 'Reload the page' }).count()).toBe(1);
});

// Shows facts 2.01, 2.02.
test('the page that asks for the code knows its address after a reload too', async () => {
  const page = await visitor();
  await page.goto(`${product.url}/verify-email`);
  await expectPage(page, 'Verify Your Email', 'Verify Your Email');
  await page.getByLabel('Email', { exact: true }).fill('nobody@example.test');
  await page.getByRole('button', { name: 'Send Verification Email' }).click();
  await expectPage(page, 'Enter OTP', 'Enter OTP');
  await page.reload();
  await expectPage(page, 'Enter OTP', 'Enter OTP');
  await page.getByText('nobody@example.test').waitFor();
  expect(new URL(page.url()).pathname).toBe('/confirm-otp');
});

// Shows fact 2.39.
test('a stored id whose session has ended leads to /login once, without bouncing', async () => {
  const { page } = await signedInPage({ browser, product, sandbox }, 'was.here');
  pages.push(page);
  await page.goto(`${product.url}/my-settings`);
  await expectPage(page, 'Account settings', 'Account settings');
  await page.getByTitle('Up to date').waitFor();
  await page.context().clearCookies();
  const seen: string[] = [];
  page.on('framenavigated', (frame) => seen.push(new URL(frame.url()).pathname));
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Billing' }).click();
  await page.waitForURL(/\/login\?next=%2Fmy-/);
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(await page.evaluate(() => [localStorage.getItem('id'), localStorage.length > 0])).toEqual([
    null,
    true,
  ]);
  expect(seen.filter((path) => path === '/login')).toHaveLength(1);
  expect(seen.at(-1)).toBe('/login');
});

// Shows facts 2.15, 3.18.
test('whoever has a stored id is sent to /dashboard on load; a made-up one shows nothing of anybody and leads to /login', async () => {
  const madeUp = '0192d3c0-0000-7000-8000-000000000001';
  const page = await openMarked(await browser.newContext(), product, madeUp, true);
  pages.push(page);
  const asked = page.waitForRequest((request) => request.url() === `${product.url}/dashboard`);
  await page.goto(product.url);
  await asked;
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('inSubscription'))).toBeNull();
  await expect.poll(() => page.locator('[data-post]').count()).toBe(0);
});
