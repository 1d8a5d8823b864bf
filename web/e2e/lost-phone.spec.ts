import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSession, findSessions } from '#shared/contract/people/own-account.ts';
import { login } from '#shared/contract/people/user.ts';
import { newCustomer } from './customer.ts';
import { type FrontServer, serveInFront } from './front-server.ts';
import { leftBehind, notedGone, noteWhenGone } from './left-behind.ts';
import { followTo } from './open-screen.ts';
import type { Product } from './product.ts';
import { loadLikesDialog, queueLikes } from './queue-likes.ts';
import { shareProduct } from './share-product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { spenderPage } from './spender.ts';

const NAME = 'lost.phone';
const SIGNED_OUT = 'This device was logged out from another one.';

const shared = shareProduct();
let product: Product;
let front: FrontServer;
let browser: Browser;
let phone: BrowserContext;
let page: Page;

beforeAll(async () => {
  ({ product, browser } = shared);
  front = await serveInFront(product.url);
  const sandbox = sandboxControl(product.sandboxUrl);
  const journeys = { browser, product: { ...product, url: front.url }, sandbox };
  ({ page } = await spenderPage(journeys, NAME, { width: 390, height: 844 }));
  phone = page.context();
});
afterAll(async () => {
  await front.stop();
});

/** Also one that knows the page to go on to. */
const isLogin = ({ pathname }: URL): boolean => pathname === '/login';
const card = () => page.locator('[data-post]').first();
const isLive = () => page.locator('header [data-kind="live"]').waitFor();

async function logIn(): Promise<void> {
  const { email, password } = newCustomer(NAME);
  if (!isLogin(new URL(page.url(), front.url))) await page.goto(`${front.url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/**
 * The customer at home, past the network of the phone: signs out every other device.
 * @returns when the first of them was asked for, ms since the epoch
 */
async function signOutFromHome(): Promise<number> {
  const { email, password } = newCustomer(NAME);
  const home = await fetch(product.url + login.path, {
    method: 'POST',
    body: new URLSearchParams({ email, password }),
  });
  const cookie = home.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const { data: user } = (await home.json()) as { data: { id: string } };
  const call = async (path: string, fields: object): Promise<unknown> => {
    const answer = await fetch(product.url + path, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ userId: user.id, ...fields }),
    });
    return ((await answer.json()) as { data: unknown }).data;
  };
  const devices = (await call(findSessions.path, {})) as Array<{ id: string; isThis: boolean }>;
  const askedAt = Date.now();
  for (const { id, isThis } of devices) {
    if (!isThis) await call(endSession.path, { sessionId: id });
  }
  return askedAt;
}

/** What the phone still has: tables with records of each replica, pictures, texts. */
const kept = async () => ({
  ...(await leftBehind(page)),
  texts: await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => !key.startsWith('mantine')),
  ),
});

test('a phone that is connected shows and keeps nothing as soon as it is signed out from elsewhere, and says why', async ({
  annotate,
}) => {
  await page.goto(`${front.url}/dashboard`);
  await card().waitFor();
  await isLive();
  await noteWhenGone(page);
  const askedAt = await signOutFromHome();
  await page.waitForURL(isLogin);
  const goneAt = await notedGone(page);
  expect(goneAt).toBeDefined();
  await annotate(
    `its posts were gone ${Number(goneAt) - askedAt} ms after the sign-out was asked for`,
  );
  await page.getByText(`${SIGNED_OUT} Nothing is kept on this device.`).waitFor();
  expect(await kept()).toEqual({ records: {}, images: [], texts: ['session-ended'] });
  await page.goto(`${front.url}/dashboard`);
  await page.getByText(SIGNED_OUT).waitFor();
  expect(await page.locator('body').innerText()).not.toContain(NAME);
});

test('a phone without network loses everything at its next contact, but for an unsent order, which its owner is offered after the next log-in', async () => {
  await logIn();
  await card().waitFor();
  await isLive();
  expect((await kept()).texts).not.toContain('session-ended');
  await loadLikesDialog(card());
  front.isThere = false;
  await page.locator('header [data-kind="offline"]').waitFor();
  await queueLikes(card(), 30);
  await signOutFromHome();
  front.isThere = true;
  await page.waitForURL(isLogin);
  await page.getByText('Only changes that were never sent are kept on this device').waitFor();
  const { records, images } = await kept();
  expect(records).toEqual({ meta: 3, outbox: 1, patch: expect.any(Number) });
  expect(images).toEqual([]);
  await page.reload();
  await page.getByText(SIGNED_OUT).waitFor();
  expect(await page.locator('body').innerText()).not.toContain(NAME);

  await logIn();
  const offered = page.getByRole('dialog', { name: 'Your changes' });
  await offered.getByText('Nothing is sent until you say so.').waitFor();
  await offered.getByText(/^30 extra likes/).waitFor();
  await offered.getByRole('button', { name: 'Send' }).click();
  await offered.getByText('Everything has been sent').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '2,470 credits' }).waitFor();
  await expect.poll(async () => (await kept()).records['outbox']).toBeUndefined();
});

test('a phone that is off loses everything when it is opened again', async () => {
  await page.goto('about:blank');
  await signOutFromHome();
  await page.goto(`${front.url}/dashboard`);
  await page.waitForURL(isLogin);
  await page.getByText(`${SIGNED_OUT} Nothing is kept on this device.`).waitFor();
  expect((await kept()).records).toEqual({});
});

const replicas = () =>
  page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));

test('a phone that has lost its cookie as well shows nothing, and its owner finds everything again', async () => {
  await logIn();
  await card().waitFor();
  await isLive();
  const before = await replicas();
  expect(before).toHaveLength(1);
  await page.goto('about:blank');
  await signOutFromHome();
  await phone.clearCookies();
  await page.goto(`${front.url}/my-billing`);
  await page.waitForURL(isLogin);
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(await page.locator('body').innerText()).not.toContain(NAME);
  // The replica stays for the same person.
  expect(await replicas()).toEqual(before);

  await logIn();
  await page.waitForURL('**/my-billing');
  await isLive();
  await followTo(page, '/dashboard');
  await card().waitFor();
});

test('after the account is deleted the log-in page says so', async () => {
  await followTo(page, '/my-settings');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByLabel('Your password, to delete your account').fill(newCustomer(NAME).password);
  await page.getByRole('button', { name: 'Delete everything now' }).click();
  await page.waitForURL(isLogin);
  await page
    .getByText(/account (?:was|has been) deleted\. Nothing is kept on this device\./)
    .waitFor();
  expect((await kept()).records).toEqual({});
});
