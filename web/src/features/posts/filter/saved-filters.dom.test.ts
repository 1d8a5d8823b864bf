import { expect, test } from 'vitest';
import { LocalDatabase } from '#web/replica/store/local-database.ts';
import { saveFilter, SAVED_FILTER_LIMIT } from '#web/replica/queries/saved-filters.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const replica = {
  post: [
    postRow({ id: '1', caption: 'A morning at the harbour' }),
    postRow({ id: '2', caption: 'Bread', takenAt: '2026-11-20T09:10:00.000Z' }),
  ],
};
const open = (path: string, isOnline = true): Promise<Page> =>
  openPage(path, {
    user: OWNER,
    replica,
    status: isOnline ? { kind: 'live' } : { kind: 'offline', asOf: undefined },
    platform: { isOnline: () => isOnline },
  });
const saved = (page: Page) => page.getByRole('list', { name: 'Saved filters' });
const name = (page: Page) => page.getByLabel('Name of this filter');

async function save(page: Page, called?: string): Promise<void> {
  await page.button('Save for later').click();
  if (called !== undefined) await name(page).fill(called);
  await page.button('Save').click();
}

test('without network a filter is named, picked again, and picked once more lets all posts through', async () => {
  const page = await open('/dashboard?sort=likes&q=bread', false);
  await page.button('Filter').click();
  await save(page, ' Bread ');
  const chip = saved(page).getByRole('button', { name: 'Bread', exact: true });
  expect(await chip.getAttribute('aria-pressed')).toBe('true');
  await chip.click();
  await page.waitForPath('/dashboard');
  await expect.poll(() => page.getByLabel('Sort posts').inputValue()).toBe('newest');
  await chip.click();
  await page.waitForPath('/dashboard?sort=likes&q=bread');
});

test('a filter comes with a name, and needs one', async () => {
  const page = await open('/dashboard?sort=likes&filter=in-progress');
  await page.getByRole('button', { name: /^Filter/ }).click();
  await page.button('Save for later').click();
  expect(await name(page).inputValue()).toBe('In progress, most likes first');
  await name(page).fill('  ');
  await page.button('Save').click();
  await page.getByText('Give the filter a name.').waitFor();
  expect(saved(page).count()).toBe(0);
});

test('a filter that was named, or not after all, gives the focus back', async () => {
  const page = await open('/dashboard?sort=likes');
  await page.button('Filter').click();
  await page.button('Save for later').click();
  expect(await name(page).isFocused()).toBe(true);
  await page.button('Cancel').click();
  expect(await page.button('Save for later').isFocused()).toBe(true);
  await save(page, 'Best');
  await saved(page).waitFor();
  expect(await page.button('Save for later').isFocused()).toBe(true);
});

test('one that is removed is gone, and the focus moves to the one beside', async () => {
  const page = await open('/dashboard?sort=likes');
  await page.button('Filter').click();
  await save(page, 'Best');
  await page.getByLabel('Sort posts').selectOption('oldest');
  await save(page, 'First');
  await saved(page).getByRole('button', { name: 'Remove the filter First' }).click();
  await expect.poll(() => saved(page).texts()).toEqual(['Best']);
  expect(await saved(page).getByRole('button', { name: 'Best', exact: true }).isFocused()).toBe(
    true,
  );
  await saved(page).getByRole('button', { name: 'Remove the filter Best' }).click();
  await saved(page).waitFor({ state: 'gone' });
});

test('the palette picks a saved filter from another page', async () => {
  const page = await open('/dashboard?sort=likes&q=bread');
  await page.button('Filter').click();
  await save(page, 'Rolls and bread');
  await saved(page).waitFor();
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Billing' }).click();
  await page.waitForPath('/my-billing');
  await page.button('Find anything').click();
  await page.getByLabel('Find a command').fill('rolls');
  await page.getByRole('dialog').getByRole('button', { name: 'Rolls and bread' }).click();
  await page.waitForPath('/dashboard?sort=likes&q=bread');
  expect(await page.getByLabel('Search captions').inputValue()).toBe('bread');
});

test('a list that is full says so, and what was typed stays', async () => {
  const page = await open('/dashboard');
  const db = new LocalDatabase(OWNER.id);
  for (let nth = 0; nth < SAVED_FILTER_LIMIT; nth += 1) {
    await saveFilter(db, { name: `No. ${nth}`, search: '?sort=oldest' });
  }
  db.close();
  await page.button('Filter').click();
  await page.getByLabel('Sort posts').selectOption('likes');
  await save(page, 'Best');
  await page.getByText('You have 20 saved filters. Remove one first.').waitFor();
  expect(await name(page).inputValue()).toBe('Best');
});
