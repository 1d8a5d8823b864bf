import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { keepIntercepting, loseAnswer, PUSH } from './bad-answers.ts';
import { holdTimers } from './held-timers.ts';
import { overflow } from './overflow.ts';
import { queueLikes } from './queue-likes.ts';
import { shareProduct } from './share-product.ts';
import { type Spender, spenderPage } from './spender.ts';

const EVERY_CALL = '**/user/**';
/** So long an answer is waited for; then what was asked for waits in the list instead. */
const ANSWER_MS = 8000;

const shared = shareProduct();

/** On the dashboard with a plan, four posts and 2,500 credits; each test goes on with what the one before left. */
let customer: Spender;

beforeAll(async () => {
  customer = await spenderPage(shared, 'queues.likes', { posts: 4 });
  const { page } = customer;
  await keepIntercepting(page.context());
  await page.goto(`${shared.product.url}/dashboard`);
  await card(page, 3).waitFor();
  await badge(page, '2,500').waitFor();
  await canGoOffline(page);
});

async function canGoOffline(page: Page): Promise<void> {
  // The whole replica is here, the credits too.
  await page.getByTitle('Up to date').waitFor();
  // The dialogs that work offline are loaded a moment after the page, in one file (`chunk-groups.ts`).
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/later-')),
  );
}

const card = (page: Page, index: number) => page.locator('[data-post]').nth(index);
const badge = (page: Page, credits: string) =>
  page.getByRole('button', { name: `${credits} credits` });
const changes = (page: Page) => page.getByRole('button', { name: /show changes/ });
const offline = (page: Page, isOffline: boolean) => page.context().setOffline(isOffline);

/** The dialog closes with no toast (D9), and the post says what waits. */
async function queueQuietly(page: Page, index: number, likes: number): Promise<void> {
  await queueLikes(card(page, index), likes);
  await card(page, index).getByText(`${likes} extra likes: waiting for the network.`).waitFor();
  await expect.poll(() => page.locator('[data-toast]').count()).toBe(0);
}

// Shows facts 1.01, 1.15, 2.06, 2.52, 2.55, 2.61, 4.07, 4.08, 4.11, 5.10, 8.13, 8.14, 8.15, 9.08.
test('extra likes ordered offline wait, through a reload too, and are placed exactly once when the network is back', async () => {
  const { page, credits } = customer;
  await offline(page, true);
  await queueQuietly(page, 0, 30);
  await badge(page, '2,470').waitFor();
  await page.route(EVERY_CALL, (route) => route.abort());
  await offline(page, false);
  await page.reload();
  await card(page, 0).getByText('30 extra likes: waiting for the network.').waitFor();
  await badge(page, '2,470').waitFor();
  await card(page, 0).getByRole('link').click();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText('30 extra likes: waiting for the network.').waitFor();
  await receipt.getByText('30 bought with credits').waitFor();
  expect(await credits()).toBe(2500);
  // The first answer is lost after the server placed the order.
  await page.unroute(EVERY_CALL);
  await page.route(PUSH, loseAnswer, { times: 1 });
  // Somebody looks at the page again, so it doesn't wait for its next try.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await changes(page).waitFor({ state: 'hidden' });
  await badge(page, '2,470').waitFor();
  expect(await credits()).toBe(2470);
  await page.reload();
  await card(page, 0).getByText('30 likes delivered').waitFor();
  await badge(page, '2,470').waitFor();
  await expect.poll(() => page.getByText('waiting for the network').count()).toBe(0);
});

test('the list of what waits works by keyboard alone, and makes a phone’s page no wider', async () => {
  const { page } = customer;
  await canGoOffline(page);
  await offline(page, true);
  await queueQuietly(page, 1, 30);
  await queueQuietly(page, 2, 30);
  await page.setViewportSize({ width: 390, height: 900 });
  await changes(page).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your changes' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => changes(page).evaluate((el) => el.matches(':focus'))).toBe(true);
  expect(await overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await changes(page).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your changes' });
  await dialog
    .getByRole('button', { name: /^Discard/ })
    .first()
    .focus();
  await page.keyboard.press('Space');
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
  await expect
    .poll(() => dialog.getByRole('list').evaluate((el) => el.matches(':focus')))
    .toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.getByText('Everything has been sent').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});

test('a log-out while something waits asks first: stay, send now, or discard', async () => {
  const { page, credits, logIn, userId } = customer;
  await offline(page, true);
  await queueQuietly(page, 3, 30);
  await logOut(page);
  const dialog = page.getByRole('dialog', { name: 'Log out?' });
  await dialog.getByText('30 extra likes for').waitFor();
  await dialog.getByText('nothing can be sent right now').waitFor();
  await dialog.getByRole('button', { name: 'Discard and log out' }).click();
  await dialog.getByText('We couldn’t reach the server, so you may still be logged in').waitFor();
  await dialog.getByRole('button', { name: 'Stay logged in' }).click();
  await card(page, 3).getByText('30 extra likes: waiting for the network.').waitFor();
  // Nothing is sent by itself before the choice: there would be none any more.
  const [isAsked, isChosen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(PUSH, async (route) => {
    isAsked.resolve();
    await isChosen.promise;
    await route.fallback();
  });
  await offline(page, false);
  await isAsked.promise;
  await holdTimers(page, ANSWER_MS);
  await logOut(page);
  await dialog.getByRole('button', { name: 'Send now and log out' }).click();
  isChosen.resolve();
  await page.waitForURL('**/login');
  const databases = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name),
  );
  expect(databases).not.toContain(`ovation-${userId}`);
  await logIn();
  expect(await credits()).toBe(2440);
});

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}
