import { expect, test } from 'vitest';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

const [ADA, BOB] = ['17841400000000001', '17841400000000002'];
const HARBOUR = postRow({ id: '1', caption: 'A morning at the harbour' });
const BREAD = postRow({
  id: '2',
  caption: 'Bread',
  takenAt: '2026-11-20T09:10:00.000Z',
  edge_media_preview_like: { count: 900 },
});
const OF_BOB = postRow(
  { id: '3', igId: BOB, caption: 'Rolls', takenAt: '2026-11-19T09:10:00.000Z' },
  1,
);
const replica = { post: [HARBOUR, BREAD, OF_BOB] };
const both = [accountExample(), accountExample({ igUsername: 'bob.bakes', igId: BOB })];
const user = userExample({ connectedAccounts: both });
const open = (path: string): Promise<Page> => openPage(path, { user, replica });
const cards = (page: Page) => page.locator('[data-post]');
/** The posts that are shown, in their order. */
const shown = (page: Page): string =>
  cards(page)
    .getByRole('link')
    .all()
    .map(({ id }) => id)
    .join(' ');

test('a search, a sort and a filter stand in the address, and a reload keeps them', async () => {
  const page = await open('/dashboard');
  await expect.poll(() => shown(page)).toBe('post-1 post-2');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Sort posts').selectOption('likes');
  await page.waitForPath('/dashboard?sort=likes');
  await expect.poll(() => shown(page)).toBe('post-2 post-1');
  await page.getByLabel('Search captions').fill('bread');
  await page.waitForPath('/dashboard?sort=likes&q=bread');
  await page.getByLabel('Likes', { exact: true }).selectOption('In progress');
  await page.waitForPath('/dashboard?sort=likes&filter=in-progress&q=bread');
  await expect.poll(() => shown(page)).toBe('post-2');

  const again = await open('/dashboard?sort=likes&filter=in-progress&q=bread');
  await expect.poll(() => shown(again)).toBe('post-2');
  expect(await again.getByLabel('Search captions').inputValue()).toBe('bread');
  expect(await again.getByLabel('Sort posts').inputValue()).toBe('likes');
});

test('a search that is taken back just when the address has it stays taken back', async () => {
  const pause = holdTimers(250);
  const page = await open('/dashboard');
  await page.getByLabel('Search captions').fill('nowhere');
  await expect.poll(() => pause.count()).toBe(1);
  await page.getByText('No matching posts').waitFor();
  pause.end();
  await page.waitForPath('/dashboard?q=nowhere');
  await page.getByRole('button', { name: 'Show all posts' }).click();
  await expect.poll(() => pause.count()).toBe(1);
  pause.end();
  await page.waitForPath('/dashboard');
  await expect.poll(() => shown(page)).toBe('post-1 post-2');
  expect(await page.getByLabel('Search captions').inputValue()).toBe('');
});

test('going back takes a sort away, and what was searched before stays', async () => {
  const page = await open('/dashboard?q=bread');
  await expect.poll(() => shown(page)).toBe('post-2');
  await page.getByLabel('Sort posts').selectOption('oldest');
  await page.waitForPath('/dashboard?sort=oldest&q=bread');
  history.back();
  await page.waitForPath('/dashboard?q=bread');
  await expect.poll(() => page.getByLabel('Sort posts').inputValue()).toBe('newest');
  expect(await page.getByLabel('Search captions').inputValue()).toBe('bread');
});

test('a receipt opens over what was filtered, and Escape leads back to it', async () => {
  const page = await open('/dashboard?sort=likes');
  await cards(page).first().getByRole('link').click();
  await page.waitForPath('/dashboard?sort=likes&post=2');
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText('Bread').waitFor();
  await receipt.press('Escape');
  await page.waitForPath('/dashboard?sort=likes');
  await expect.poll(() => receipt.count()).toBe(0);
});

test('all accounts at once: their posts stand together by time, each with its account’s name', async () => {
  const page = await open('/dashboard?accounts=all');
  await expect.poll(() => shown(page)).toBe('post-1 post-2 post-3');
  await cards(page).last().getByText('@bob.bakes').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Posts by All accounts' }).waitFor();
  const one = await open('/dashboard');
  await expect.poll(() => shown(one)).toBe('post-1 post-2');
  expect(cards(one).getByText('@ada.paints').count()).toBe(0);
});

test('a customer of one account has no list of all', async () => {
  const page = await openPage('/dashboard?accounts=all', { user: userExample(), replica });
  await expect.poll(() => shown(page)).toBe('post-1 post-2');
  await page.getByRole('heading', { level: 1, name: 'Posts by @ada.paints' }).waitFor();
});

test('the beginning of a caption stands on its card', async () => {
  const caption = `#${'applause'.repeat(275)}`;
  const page = await openPage('/dashboard', {
    user: userExample(),
    replica: { post: [postRow({ id: '1', igId: ADA, caption })] },
  });
  await expect.poll(() => cards(page).locator('p[dir]').texts()).toEqual([caption.slice(0, 200)]);
});
