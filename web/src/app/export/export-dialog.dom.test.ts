import { expect, test } from 'vitest';
import type { Platform } from '#shared/platform.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { accountIdOf, postRow } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { orderExample } from '#web/testing/examples.ts';

const post = postRow({ id: '1', caption: 'A morning at the harbour' });
const orders = Array.from({ length: 5 }, (_, nth) => ({
  ...orderExample({ postId: '1', ordered: 50, delivered: 20 + nth }),
  id: `0192d3c0-0000-7000-8000-00000000000${nth}`,
  accountId: accountIdOf(0),
}));

function savingTo(saved: string[]): Partial<Platform> {
  return { saveFile: (name, content) => void saved.push(name, String(content)) };
}
const sample = (page: Page) => page.getByRole('dialog', { name: 'What’s in the file' });
const lines = (page: Page) => sample(page).locator('thead th').texts().slice(1);
/** What the first lines have in a column. */
const column = (page: Page, name: string) =>
  sample(page).locator('tbody tr').filter({ hasText: name }).first().locator('td').texts();

test('without network the receipts’ first lines, captions and totals are shown before they are saved', async () => {
  const saved: string[] = [];
  const page = await openPage('/dashboard', {
    user: OWNER,
    replica: { post: [post], order: orders },
    status: { kind: 'offline', asOf: undefined },
    platform: { ...savingTo(saved), isOnline: () => false },
  });
  await page.button('Export receipts').click();
  await sample(page).getByText('5 rows, 22 columns. Here’s how it starts.').waitFor();
  expect(lines(page)).toEqual(['Line 2', 'Line 3', 'Line 4']);
  expect(sample(page).locator('tbody th').count()).toBe(22);
  expect(column(page, 'Caption')).toEqual(Array(3).fill('A morning at the harbour'));
  expect(column(page, 'Delivered')).toEqual(['24', '23', '22']);
  expect(column(page, 'Order')).toEqual(Array(3).fill('A unique ID'));
  await sample(page).getByText('Totals: Ordered 250, Delivered 110, Remains 150.').waitFor();
  expect(saved).toEqual([]);
  await sample(page).getByRole('button', { name: 'Save as CSV' }).click();
  await sample(page).waitFor({ state: 'gone' });
  expect(saved[0]).toBe('receipts-ada.paints.csv');
  expect(saved[1]?.trim().split('\r\n')).toHaveLength(6);
  expect(saved[1]).toContain(orders[0]?.id);
});

test('a receipt is saved as CSV or as JSON', async () => {
  const saved: string[] = [];
  const page = await openPage('/dashboard?post=1', {
    user: OWNER,
    replica: { post: [post], order: orders.slice(0, 1) },
    platform: savingTo(saved),
  });
  await page.button('Export').click();
  await sample(page).getByRole('button', { name: 'Save as JSON' }).click();
  expect(saved[0]).toMatch(/^receipt-.*\.json$/);
  expect(JSON.parse(saved[1] ?? '')).toMatchObject({
    post: { id: '1' },
    orders: [{ ordered: 50 }],
  });
});

test('of a table what is searched for is shown and saved', async () => {
  const saved: string[] = [];
  const page = await openPage('/my-subscriptions', {
    user: OWNER,
    replica: {},
    platform: savingTo(saved),
  });
  await page.button('Download CSV').click();
  await sample(page).getByText('1 row, ').waitFor();
  expect(column(page, 'Account')[0]).toContain('ada.paints');
  await page.getByRole('button', { name: 'Close' }).click();
  await sample(page).waitFor({ state: 'gone' });
  expect(saved).toEqual([]);
});
