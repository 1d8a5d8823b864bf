import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { fetchAgain } from './bad-answers.ts';
import { tabTo } from './keyboard.ts';
import { overflow } from './overflow.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();
const NAME = 'ada.has.many';
const OTHERS = 400;
let page: Page;

beforeAll(async () => {
  ({ page } = await subscribedPage(shared, NAME));
  await page.route('**/user/sync/snapshot?*', addAccounts);
  // What is changed waits here: the server doesn’t have these accounts.
  await page.route('**/user/sync/push?*', (route) => route.abort());
  await page.goto(`${shared.product.url}/my-subscriptions`);
  await grid().waitFor();
  await page.getByText('@client.account0001').waitFor();
});

const grid = () => page.getByRole('grid', { name: 'Connected accounts' });
const selected = () => page.getByRole('group', { name: 'Selected accounts' });

type Line = {
  entity?: string;
  rows?: Array<[string, number, object]>;
  count?: unknown;
  end?: true;
};

/** Answers with hundreds of accounts more than the server has, like its first one. */
async function addAccounts(route: Route): Promise<void> {
  const response = await fetchAgain(route);
  if (!response.ok() || new URL(route.request().url()).searchParams.has('account')) {
    return route.fulfill({ response });
  }
  const lines = (await response.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const chunk = lines.find(({ entity }) => entity === 'account');
  const [first] = chunk?.rows ?? [];
  if (!chunk || !first) return route.fulfill({ response });
  const [, version, row] = first;
  const made = Array.from({ length: OTHERS }, (_, nth): [string, number, object] => {
    const accountId = `0192d3c0-0000-7000-8000-${String(nth).padStart(12, '0')}`;
    const igUsername = `${nth < 300 ? 'client' : 'other'}.account${String(nth).padStart(4, '0')}`;
    return [accountId, version, { ...row, accountId, igUsername, igId: String(9000 + nth) }];
  });
  for (let from = 0; from < OTHERS; from += 100) {
    lines.splice(lines.indexOf(chunk) + 1, 0, { ...chunk, rows: made.slice(from, from + 100) });
  }
  const end = lines.at(-1);
  if (end?.end) end.count = Number(end.count) + OTHERS;
  return route.fulfill({
    status: 200,
    contentType: 'application/x-ndjson',
    body: lines.map((line) => JSON.stringify(line)).join('\n') + '\n',
  });
}

test('with the keyboard alone: find accounts, select dozens of them, tag them offline, see the tag', async () => {
  // The dialogs that work offline are loaded a moment after the page, in one file (`chunk-groups.ts`).
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/later-')),
  );
  await page.context().setOffline(true);
  await page.getByTitle('Offline', { exact: true }).waitFor();
  await tabTo(page, page.getByRole('searchbox', { name: 'Search accounts' }));
  await page.keyboard.type('client');
  await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('302');
  await tabTo(page, grid());
  // Further than is in sight and four too far, and back: the range shrinks.
  for (let row = 0; row < 29; row += 1) await page.keyboard.press('Shift+ArrowDown');
  await selected().getByText('30 selected').waitFor();
  for (let row = 0; row < 4; row += 1) await page.keyboard.press('Shift+ArrowUp');
  await selected().getByText('26 selected').waitFor();
  await tabTo(page, selected().getByRole('button', { name: 'Change tags' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change tags' });
  await dialog.waitFor();
  await tabTo(page, dialog.getByLabel('Add a tag'));
  await page.keyboard.type('Spring');
  await page.keyboard.press('Enter');
  await dialog.getByText('will be added to 26').waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('region', { name: 'What changes' }).waitFor();
  await tabTo(page, dialog.getByRole('button', { name: 'Change the tags of 26 accounts' }));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await tabTo(page, grid());
  await page.keyboard.press('Control+Home');
  await grid().locator('[data-row="0"]').getByText('Spring').waitFor();
  await page.keyboard.press('Control+a');
  await selected().getByText('All 300 that match').waitFor();
  await page.context().setOffline(false);
});

test('however many accounts there are, only those near the sight exist', async () => {
  const drawn = await grid().evaluate(async (element) => {
    let peak = 0;
    for (let top = 0; top < element.scrollHeight; top += 2000) {
      element.scrollTop = top;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      peak = Math.max(peak, element.querySelectorAll('[data-row]').length);
    }
    return peak;
  });
  expect(drawn).toBeGreaterThan(10);
  expect(drawn).toBeLessThan(80);
});

test('a row says on a phone how large the plan is', async () => {
  await page.setViewportSize({ width: 390, height: 900 });
  const plans = grid().locator('[data-label="Plan"]');
  await expect.poll(() => plans.first().isVisible()).toBe(true);
});

test('axe finds nothing on the desk, and nothing hangs over, light and dark, from 390 px on', async () => {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 820, 1440]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
      await expectAccessible(page, colorScheme === 'light' ? 'all' : 'colours');
    }
  }
});
