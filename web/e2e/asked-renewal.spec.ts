import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { answerBank, ASKS_ALWAYS, fillGatewayCheckout, payUntilBank } from './bank-customer.ts';
import { newCustomer } from './customer.ts';
import { makeDue } from './make-due.ts';
import { type SingleProduct, findPorts, type Ports, startEmbedded } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { workersBrowser } from './share-product.ts';
import { signedInPage } from './subscriber.ts';

/** A renewal that its bank lets through only with the customer there. */
const NAME = 'due.again';
let ports: Ports;
let product: SingleProduct;
let browser: Browser;
let page: Page;

const start = async (from: string): Promise<void> => {
  product = await startEmbedded(from, 'off', { ports, settings: { CARD_ENTRY: 'gateway' } });
};
const sandbox = () => sandboxControl(product.sandboxUrl);
const charges = async (): Promise<number> => {
  const all = await sandbox().listCharges(newCustomer(NAME).email);
  return all.filter(({ status }) => status === 'succeeded').length;
};

beforeAll(async () => {
  ports = await findPorts();
  [, browser] = await Promise.all([start(inject('startFrom').directory), workersBrowser()]);
});
afterAll(async () => {
  await page.context().close();
  await product.stop();
});

const waiting = () => page.getByRole('region', { name: 'Waiting for you' });
const askedAgain = () =>
  page.getByRole('heading', { name: `Your bank asks you to confirm $9.99 for @${NAME}` });

async function payRenewalUntilBank(): Promise<void> {
  await waiting().getByRole('button', { name: 'Pay $9.99' }).click();
  await page.getByRole('heading', { name: 'Your bank asks you to confirm $9.99.' }).waitFor();
  await page.getByRole('button', { name: 'Go to your bank' }).click();
  await page.getByRole('heading', { name: 'Confirm $9.99' }).waitFor();
}

test('a plan is paid with a card whose bank asks each time', async () => {
  const journeys = { browser, product, sandbox: sandbox() };
  ({ page } = await signedInPage(journeys, NAME));
  await page.goto(`${product.url}/subscription`);
  await fillGatewayCheckout(page, { number: ASKS_ALWAYS });
  await payUntilBank(page, '$9.99');
  await answerBank(page, 'Confirm');
  await page.waitForURL('**/dashboard');
  expect(await charges()).toBe(1);
});

test('a month later nothing is charged without them: a mail and the dashboard say so, and lead to one page', async () => {
  await page.goto('about:blank');
  await product.end();
  await makeDue(product.directory);
  const former = product;
  await start(former.directory);
  await former.stop();
  await page.goto(`${product.url}/dashboard`);
  await askedAgain().waitFor();
  const mails = async (): Promise<string> =>
    (await sandbox().listMails(newCustomer(NAME).email)).map(({ text }) => text).join('\n');
  await expect.poll(mails).toContain('/my-billing');
  await page.getByRole('link', { name: 'Confirm the payment' }).click();
  await waiting().getByText(`Plan renewal for @${NAME}`).waitFor();
  expect(await charges()).toBe(1);
});

test('the bank is told no: what was refused is said, nothing is charged, and it still waits', async () => {
  await payRenewalUntilBank();
  await answerBank(page, 'Refuse');
  const alert = page.getByRole('alert').filter({ hasText: 'Unable to process the payment' });
  await alert.getByText(`Plan renewal for @${NAME}`).waitFor();
  await alert.getByText('You were not charged.').waitFor();
  await alert.getByRole('link', { name: 'Go to billing' }).click();
  await waiting().getByText(`Plan renewal for @${NAME}`).waitFor();
  expect(await charges()).toBe(1);
});

test('the bank is told yes: one charge, the plan has another month, and nothing waits any more', async () => {
  await payRenewalUntilBank();
  await answerBank(page, 'Confirm');
  await page.getByText(`You paid $9.99. @${NAME}’s plan is paid for another month.`).waitFor();
  expect(await charges()).toBe(2);
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await page.locator('[data-post]').first().waitFor();
  await expect.poll(() => askedAgain().count()).toBe(0);
  await page.goto(`${product.url}/my-billing`);
  await page.getByRole('heading', { name: 'Transaction history' }).waitFor();
  await expect.poll(() => waiting().count()).toBe(0);
});
