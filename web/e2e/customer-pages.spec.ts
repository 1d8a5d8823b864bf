import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer } from './customer.ts';
import { followTo } from './open-screen.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();

const NAME = 'ada.settles';
let page: Page;

beforeAll(async () => {
  ({ page } = await subscribedPage(shared, NAME, { reducedMotion: 'no-preference' }));
  await page.goto(`${shared.product.url}/help`);
});

async function visit(path: string, title: string): Promise<void> {
  await followTo(page, path);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/** Over how many lines a table on a tablet writes the customer's username, once its letters are there. */
async function linesAt820(table: Locator): Promise<number> {
  await page.setViewportSize({ width: 820, height: 900 });
  await page.evaluate(async () => void (await document.fonts.ready));
  const lines = await table
    .getByText(`@${NAME}`)
    .evaluate((name) => new Set(Array.from(name.getClientRects(), ({ top }) => top)).size);
  await page.setViewportSize({ width: 1280, height: 900 });
  return lines;
}

// Shows fact 2.51.
test('the menu leads to account settings, billing and subscriptions, by keyboard', async () => {
  await visit('/my-subscriptions', 'Subscriptions');
  for (const [item, title] of [
    ['Account settings', 'Account settings'],
    ['Billing', 'Billing'],
    ['Subscriptions', 'Subscriptions'],
  ] as const) {
    await page.getByRole('button', { name: /^Menu/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: item }).press('Enter');
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  }
  expect(new URL(page.url()).pathname).toBe('/my-subscriptions');
});

// Shows facts 2.67, 2.69, 2.70, 2.71, 2.72.
test('the e-mail address looks read-only, and a username stands on one line in the tables of a tablet', async () => {
  await visit('/my-settings', 'Account settings');
  const ground = (field: Locator) =>
    field.evaluate((element) => getComputedStyle(element).backgroundColor);
  const email = page.getByRole('textbox', { name: 'Email' }).first();
  expect(await ground(email)).not.toBe(
    await ground(page.getByLabel('Phone', { exact: true }).first()),
  );
  await visit('/my-billing', 'Billing');
  const payments = page.getByRole('table', { name: 'Transaction history' });
  await payments.getByText('$9.99').waitFor();
  expect(await linesAt820(payments)).toBe(1);
  await visit('/my-subscriptions', 'Subscriptions');
  expect(await linesAt820(page.getByRole('table', { name: 'Connected accounts' }))).toBe(1);
});

test('the density is there again after a reload, and a download is a file', async () => {
  await visit('/my-settings', 'Account settings');
  await page.getByLabel('Compact').check();
  await page.reload();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset['density']))
    .toBe('compact');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toContain(newCustomer(NAME).email);
  await page.getByText('(this device)').waitFor();
});

// Shows fact 2.57.
test('every account dialog gives the focus back to what opened it', async () => {
  await visit('/my-subscriptions', 'Subscriptions');
  const opener = page.getByRole('button', { name: `Manage @${NAME}` });
  for (const item of ['Change username', 'Manage subscription', 'Delivery settings']) {
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Manage account' }).waitFor();
    await page.getByRole('button', { name: item }).press('Enter');
    await page.getByRole('dialog', { name: item }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => opener.evaluate((el) => el.matches(':focus'))).toBe(true);
  }
  const badge = page.getByRole('button', { name: /credits/ }).first();
  await badge.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Buy credits' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => badge.evaluate((el) => el.matches(':focus'))).toBe(true);
});
