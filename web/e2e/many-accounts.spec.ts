import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { tabTo } from './keyboard.ts';
import { overflow } from './overflow.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();
const NAME = 'changes.many';
let page: Page;

beforeAll(async () => {
  ({ page } = await subscribedPage(shared, NAME));
  await page.goto(`${shared.product.url}/my-subscriptions?sort=-amount`);
  await grid().waitFor();
});

const grid = () => page.getByRole('grid', { name: 'Connected accounts' });
const dialog = () =>
  page.getByRole('dialog', {
    name: /^(?:Change plans|Delivery settings|(?:Check|Proposed|Recent) changes)$/,
  });
const button = (name: string | RegExp) => dialog().getByRole('button', { name });

async function press(name: string | RegExp): Promise<void> {
  await tabTo(page, button(name));
  await page.keyboard.press('Enter');
}

test('with the keyboard alone: choose accounts, change their plan, see the price, apply; pause, and undo it', async () => {
  await tabTo(page, grid());
  await page.keyboard.press('Control+a');
  await tabTo(page, page.getByRole('button', { name: 'Change plans' }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog().getByLabel('New plan', { exact: true }));
  await page.keyboard.press('ArrowDown');
  await press('Check the changes');
  await dialog().getByText('is charged to the card ending in').waitFor();
  await press(/^Change 1 plan, \+\$7\.01 a month$/);
  await dialog().getByText('Done. 1 change made. $').waitFor();
  // What was charged isn’t undone.
  await expect.poll(() => button(/^Undo/).count()).toBe(0);
  await press('Done');
  await dialog().waitFor({ state: 'hidden' });

  await tabTo(page, page.getByRole('button', { name: 'Change plans' }));
  await page.keyboard.press('Enter');
  await tabTo(page, dialog().getByLabel('For 1 account', { exact: true }));
  await page.keyboard.press('ArrowDown');
  await dialog().getByLabel('Pause until', { exact: true }).waitFor();
  await press('Check the changes');
  await dialog().getByText('Nothing is charged today.').waitFor();
  await press('Pause 1 plan');
  await dialog().getByText('Done. 1 change made.').waitFor();
  await press('Undo 1 change');
  await dialog().getByText('Done. 1 change undone.').waitFor();
  // Light and dark, as wide as a phone and as a desk.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page, colorScheme === 'light' ? 'all' : 'colours');
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await press('Done');
  await dialog().waitFor({ state: 'hidden' });
});

test('a file of 20,000 lines is read beside the page: one account is ours, the others stay unknown', async () => {
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const upload = page.getByRole('dialog', { name: 'Upload a CSV' });
  const others = Array.from({ length: 19_999 }, (_, nth) => `nobody.${nth};100;=1+1`);
  const text = ['Account;Plan;Tags', ...others, `${NAME};500;VIP`, ''].join('\r\n');
  const file = { name: 'accounts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await upload.getByLabel('CSV file').setInputFiles(file);
  await upload.getByText('20,000 rows: 1 with changes, 0 without, 19,999 with errors.').waitFor();
  await upload
    .getByText('Line 2, Account: @nobody.0 isn’t one of your connected accounts.')
    .waitFor();
  await upload.getByRole('button', { name: 'Check 2 changes' }).click();
  await button(/^Make 2 changes, \+\$31\.00 a month$/).click();
  await dialog().getByText('Done. 2 changes made. $').waitFor();
  await dialog().getByRole('button', { name: 'Done', exact: true }).click();
  await grid().getByText('VIP').waitFor();
  await expect
    .poll(() => grid().getByRole('gridcell', { name: '500', exact: true }).count())
    .toBe(1);
});

test('names that are pasted are checked, added by one operation, in the table at once, and taken back', async () => {
  const names = [`${NAME}.b`, `${NAME}.c`];
  for (const username of names) await shared.sandbox.createAccount({ username, posts: 1 });
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByRole('button', { name: 'Paste several' }).click();
  const adding = page.getByRole('dialog', { name: 'Add several accounts' });
  const pasted = [NAME, ...names, `${NAME}.nobody`, 'no-name'];
  await adding.getByLabel('Instagram usernames').fill(pasted.join('\n'));
  await adding.getByRole('button', { name: 'Check the names' }).click();
  await adding.getByText('These can’t be usernames: no-name.').waitFor();
  await adding.getByText(`1 account is already connected: @${NAME}.`).waitFor();
  await adding.getByRole('button', { name: 'Add 3 accounts' }).click();
  await adding.getByText('Done. 2 accounts added, 1 failed.').waitFor();
  await adding.getByText(`We can’t read @${NAME}.nobody on Instagram.`).waitFor();
  await expect.poll(() => grid().getByText(`@${names[1]}`).count()).toBe(1);
  await adding.getByRole('button', { name: 'Undo 2 changes' }).click();
  await adding.getByText('Done. 2 changes undone.').waitFor();
  await expect.poll(() => grid().getByText(`@${names[1]}`).count()).toBe(0);
});
