import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { type SandboxControl, sandboxControl } from './sandbox-control.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';

const NAME = 'walks.around';
const PUBLIC = [
  ['/', 'Applause for every post', /Applause/],
  ['/login', 'Log in', 'Log in'],
  ['/signup', 'Sign up', 'Sign up'],
  ['/verify-email', 'Verify Your Email', 'Verify Your Email'],
  ['/terms-of-service', 'Terms of service', 'Terms of service'],
  ['/privacy-policy', 'Privacy policy', 'Privacy policy'],
] as const;
const CUSTOMERS = [
  ['/dashboard', 'Dashboard', /Posts of/],
  ['/my-settings', 'Account settings', 'Account settings'],
  ['/my-billing', 'Billing', 'Billing'],
  ['/my-subscriptions', 'Subscriptions', 'Subscriptions'],
  ['/subscription', 'Secure checkout', 'Secure checkout'],
  [
    `/other-account-subscription?packageValue=2&defaultIgUsername=${NAME}`,
    'Secure checkout',
    'Secure checkout',
  ],
  ['/payment/credits', 'Secure checkout', 'Secure checkout'],
] as const;
const BROKEN = 'Unexpected Application Error!';

const shared = shareProduct();
let browser: Browser;
let product: Product;
let sandbox: SandboxControl;
/** A subscriber's page, for all tests that only read. */
let customer: Page;
const foreign: string[] = [];
const pages: Page[] = [];

beforeAll(async () => {
  ({ product, browser } = shared);
  sandbox = sandboxControl(product.sandboxUrl);
  ({ page: customer } = await subscribedPage({ browser, product, sandbox }, NAME));
  watch(customer);
});
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

/** Notes every request and socket of a page that is for another host than the product's own. */
function watch(page: Page): void {
  const note = (url: string): void => {
    if (/^(?:https?|wss?):/.test(url) && new URL(url).host !== new URL(product.url).host) {
      foreign.push(url);
    }
  };
  page.context().on('request', (request) => note(request.url()));
  page.on('websocket', (socket) => note(socket.url()));
}

async function visitor(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  pages.push(page);
  watch(page);
  return page;
}

async function expectPage(page: Page, title: string, heading: string | RegExp): Promise<void> {
  await page
    .getByRole('heading', { level: 1, name: heading })
    .first()
    .waitFor({ state: 'attached' });
  await expect.poll(() => page.title()).toBe(`${title} · Ovation`);
}

test('every public page opens at its own address and on reload, under its own title', async () => {
  const page = await visitor();
  for (const [path, title, heading] of PUBLIC) {
    await page.goto(product.url + path);
    await expectPage(page, title, heading);
    await page.reload();
    await expectPage(page, title, heading);
    expect(new URL(page.url()).pathname).toBe(path);
  }
  await page.goto(`${product.url}/verify-email`);
  await page.getByLabel('Email').fill('nobody@example.test');
  await page.getByRole('button', { name: 'Send Verification Email' }).click();
  await expectPage(page, 'Enter OTP', 'Enter OTP');
  await page.reload();
  await expectPage(page, 'Enter OTP', 'Enter OTP');
});

test('every page of a customer opens at its own address and on reload, under its own title', async () => {
  for (const [path, title, heading] of CUSTOMERS) {
    await customer.goto(product.url + path);
    await expectPage(customer, title, heading);
    await customer.reload();
    await expectPage(customer, title, heading);
    expect(customer.url()).toBe(product.url + path);
  }
});

test('a visitor is sent to /login from every page of a customer', async () => {
  const page = await visitor();
  for (const [path] of CUSTOMERS) {
    await page.goto(product.url + path);
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
  }
});

test('a customer without a plan is sent from /dashboard to /subscription; every other page opens', async () => {
  const { page } = await signedInPage({ browser, product, sandbox }, 'no.plan.yet');
  pages.push(page);
  await page.goto(`${product.url}/dashboard`);
  await page.waitForURL('**/subscription');
  for (const path of ['/my-settings', '/my-billing', '/my-subscriptions', '/payment/credits']) {
    await page.goto(product.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
  }
});

test('an unknown path, a page that throws and a chunk that is lost show "Unexpected Application Error!"', async () => {
  const page = await visitor();
  await page.goto(`${product.url}/nothing/here`);
  await expectPage(page, BROKEN, BROKEN);
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expectPage(page, 'Applause for every post', /Applause/);
  await page.route('**/login-page-*.js', (route) => route.abort());
  await page.goto(`${product.url}/login`);
  await expectPage(page, BROKEN, BROKEN);
  await page.unroute('**/login-page-*.js');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await expectPage(page, 'Log in', 'Log in');
  await page.route('**/signup-page-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
  );
  await page.goto(`${product.url}/signup`);
  await expectPage(page, BROKEN, BROKEN);
  expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(1);
});

test('nothing is shown until the kept state is restored; after 5 s it is given up, and the page works', async () => {
  const page = await visitor();
  await page.clock.install({ time: new Date('2026-11-20T12:00:00Z') });
  await page.clock.pauseAt(new Date('2026-11-20T12:00:01Z'));
  await page.addInitScript(() => {
    const own = Object.getOwnPropertyDescriptor(Storage.prototype, 'getItem');
    const read = own?.value as (key: string) => string | null;
    Storage.prototype.getItem = function getItem(key: string): string | null {
      if (key !== 'ovation-client-state') return read.call(this, key);
      Object.assign(globalThis, { isAsked: true });
      return new Promise(() => undefined) as unknown as string;
    };
  });
  await page.goto(`${product.url}/login`);
  await expect.poll(() => page.evaluate(() => 'isAsked' in globalThis)).toBe(true);
  await page.clock.runFor(4500);
  expect((await page.locator('#root').innerText()).trim()).toBe('');
  await page.clock.runFor(1000);
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.getByText('The email address or the password is wrong.').first().waitFor();
});

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

test('a made-up id and inSubscription show nothing of anybody and lead to /login', async () => {
  const page = await visitor();
  await page.goto(`${product.url}/login`);
  await page.evaluate(() => {
    localStorage.setItem('id', '0192d3c0-0000-7000-8000-000000000001');
    localStorage.setItem('inSubscription', 'true');
  });
  await page.goto(`${product.url}/dashboard`);
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('inSubscription'))).toBeNull();
  expect(await page.locator('[data-post]').count()).toBe(0);
});

test('no page asks anybody but the product’s own host, with every dialog opened and every call made', async () => {
  await customer.goto(`${product.url}/dashboard`);
  await customer.locator('[data-post]').first().waitFor();
  await customer
    .getByRole('button', { name: /Extra likes/ })
    .first()
    .click();
  await customer.getByRole('dialog').waitFor();
  for (const [path] of CUSTOMERS) {
    await customer.goto(product.url + path);
    await customer.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    const named = await customer
      .locator('link[href], script[src], img[src], iframe, source, video')
      .evaluateAll((all) =>
        all.map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? one.outerHTML),
      );
    const hosts = named.map((url) => new URL(url, product.url)).map(({ origin }) => origin);
    expect([...new Set(hosts)]).toEqual([product.url]);
  }
  expect(foreign).toEqual([]);
});
