import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { type SandboxControl, sandboxControl } from './sandbox-control.ts';
import { signedInPage } from './subscriber.ts';

const BROKEN = 'Unexpected Application Error!';

const shared = shareProduct();
let browser: Browser;
let product: Product;
let sandbox: SandboxControl;
/** A visitor's, for all tests but the one of a customer. */
let page: Page;

beforeAll(async () => {
  ({ product, browser } = shared);
  sandbox = sandboxControl(product.sandboxUrl);
  page = await (await browser.newContext()).newPage();
});

async function expectPage(page: Page, title: string, heading: string | RegExp): Promise<void> {
  await page
    .getByRole('heading', { level: 1, name: heading })
    .first()
    .waitFor({ state: 'attached' });
  await expect.poll(() => page.title()).toBe(`${title} · Ovation`);
}

// Shows fact 2.09.
test('an unknown path, a page that throws and a chunk that is lost show "Unexpected Application Error!"', async () => {
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
  await page.unroute('**/entry-*.js');
});

// Shows facts 2.01, 2.02.
test('the page that asks for the code knows its address after a reload too', async () => {
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
  const { page: theirs } = await signedInPage({ browser, product, sandbox }, 'was.here');
  shared.pages.push(theirs);
  await theirs.goto(`${product.url}/my-settings`);
  await expectPage(theirs, 'Account settings', 'Account settings');
  await theirs.getByTitle('Up to date').waitFor();
  await theirs.context().clearCookies();
  const seen: string[] = [];
  theirs.on('framenavigated', (frame) => seen.push(new URL(frame.url()).pathname));
  await theirs.getByRole('button', { name: /^Menu/ }).click();
  await theirs.getByRole('menuitem', { name: 'Billing' }).click();
  await theirs.waitForURL(/\/login\?next=%2Fmy-/);
  await theirs.getByLabel('Password', { exact: true }).waitFor();
  expect(
    await theirs.evaluate(() => [localStorage.getItem('id'), localStorage.length > 0]),
  ).toEqual([null, true]);
  expect(seen.filter((path) => path === '/login')).toHaveLength(1);
  expect(seen.at(-1)).toBe('/login');
});

// Shows facts 2.15, 3.18.
test('whoever has a stored id is sent to /dashboard on load; a made-up one shows nothing of anybody and leads to /login', async () => {
  const madeUp = '0192d3c0-0000-7000-8000-000000000001';
  await page.evaluate((id) => {
    localStorage.setItem('id', id);
    localStorage.setItem('inSubscription', 'true');
  }, madeUp);
  const asked = page.waitForRequest((request) => request.url() === `${product.url}/dashboard`);
  await page.goto(product.url);
  await asked;
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('inSubscription'))).toBeNull();
  await expect.poll(() => page.locator('[data-post]').count()).toBe(0);
});
