import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerBank, ASKS_ALWAYS, fillHostedPage } from '../../web/e2e/bank-customer.ts';
import { newCustomer } from '../../web/e2e/customer.ts';
import { shareProduct } from '../../web/e2e/share-product.ts';
import { registeredPage } from '../../web/e2e/subscriber.ts';
import { type BundleServer, serveBundle } from './bundle-server.ts';

/**
 * Where cards are entered in the gateway's own fields, an app draws none of them: the card is entered, and the
 * bank answered, in the person's browser, where nobody is signed in; the app goes on by itself.
 */
const shared = shareProduct({ cardEntry: 'gateway' });
const customer = newCustomer('pays.in.app');
let ownBrowser: Page;
let bundle: BundleServer;
let app: Page;

beforeAll(async () => {
  ownBrowser = await (await shared.browser.newContext()).newPage();
  await shared.sandbox.createAccount({ username: customer.igUsername, posts: 1 });
  bundle = await serveBundle(shared.product.url);
  app = await registeredPage(
    { ...shared, product: { ...shared.product, url: bundle.url } },
    customer,
  );
  await app.addInitScript(() => {
    const opened: unknown[] = [];
    const request = async (name: string, ...args: unknown[]): Promise<unknown> => {
      if (name === 'openExternal') opened.push(args[0]);
      return name === 'readProblems' ? [] : undefined;
    };
    const shell = { version: '9.9.9', hasServer: true, request, on: () => () => undefined };
    Object.assign(globalThis, { opened, ovationShell: shell });
  });
});
afterAll(() => bundle.stop());

const opened = (): Promise<string[]> =>
  app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);

/** What the app has the system open, in the person's own browser. */
async function inOwnBrowser(nth: number): Promise<Page> {
  await expect.poll(async () => (await opened()).length).toBe(nth);
  await ownBrowser.goto((await opened()).at(-1) ?? '');
  return ownBrowser;
}

const leadBack = (page: Page): Promise<void> =>
  page.getByText('You can close this page and go back there.').waitFor();

test('a card is entered on the gateway’s page in the person’s browser, and the app offers it by itself', async () => {
  await app.goto(`${bundle.url}/subscription`);
  await app.getByRole('button', { name: 'Enter the card there' }).click();
  const own = await inOwnBrowser(1);
  await fillHostedPage(own, ASKS_ALWAYS);
  await answerBank(own, 'Confirm');
  await leadBack(own);
  await app.getByRole('button', { name: 'Pay $9.99 with the card ending in 184' }).waitFor();
  expect(app.frames()).toHaveLength(1);
});

test('the bank is told yes in the person’s browser: the app says that it’s paid, once', async () => {
  await app.getByRole('button', { name: 'Pay $9.99 with the card ending in 184' }).click();
  await app.getByRole('button', { name: 'Go to your bank' }).click();
  await app.getByText('Your bank’s page is open in your browser.').waitFor();
  const own = await inOwnBrowser(2);
  await answerBank(own, 'Confirm');
  await leadBack(own);
  await app.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  await app.waitForURL('**/dashboard');
  const charges = await shared.sandbox.listCharges(customer.email);
  expect(charges.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
});
