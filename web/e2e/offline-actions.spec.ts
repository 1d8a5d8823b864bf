import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
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

/** A customer on the dashboard with a plan, two posts and 2,500 credits. */
async function spender(igUsername: string): Promise<Spender> {
  const customer = await spenderPage(shared, igUsername);
  shared.pages.push(customer.page);
  await keepIntercepting(customer.page.context());
  await openDashboard(customer.page);
  return customer;
}

async function openDashboard(page: Page): Promise<void> {
  await page.goto(`${shared.product.url}/dashboard`);
  await card(page, 1).waitFor();
  await badge(page, '2,500').waitFor();
  // The whole copy is here, the credits too.
  await page.getByTitle('Up to date').waitFor();
  // What works offline is loaded a moment after the page.
  await page.waitForFunction(() =>
    ['extra-likes-dialog', 'delivery-settings-drawer', 'manage-account-dialog'].every((dialog) =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes(dialog)),
    ),
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
  expect(await page.getByText(/buy likes|on their way/).count()).toBe(0);
}

test('extra likes ordered offline wait, through a reload too, and are placed exactly once when the network is back', async () => {
  const { page, credits } = await spender('queues.once');
  await offline(page, true);
  await queueQuietly(page, 0, 30);
  await badge(page, '2,470').waitFor();
  await card(page, 0).getByText('30 bought with credits').waitFor();
  await page.route(EVERY_CALL, (route) => route.abort());
  await offline(page, false);
  await page.reload();
  await card(page, 0).getByText('30 extra likes: waiting for the network.').waitFor();
  await badge(page, '2,470').waitFor();
  await card(page, 0).getByRole('link').click();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText('30 extra likes: waiting for the network.').waitFor();
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
  await card(page, 0).getByText('30 bought with credits').waitFor();
  await badge(page, '2,470').waitFor();
  expect(await page.getByText('waiting for the network').count()).toBe(0);
});

test('what the server refuses on reconnect is said with its reason, and can be sent again or discarded', async () => {
  const { page, credits, order, buy } = await spender('refused.later');
  await offline(page, true);
  await queueQuietly(page, 0, 40);
  await queueQuietly(page, 1, 60);
  // Meanwhile another device spends nearly everything.
  await order(2480);
  await offline(page, false);
  await page
    .getByText(/^Unable to buy likes: /)
    .first()
    .waitFor();
  await badge(page, '20').waitFor();
  await card(page, 0).getByText('40 extra likes were refused.').waitFor();
  await changes(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your changes' });
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2);
  await dialog
    .getByText(/Refused: .*20 credits/)
    .first()
    .waitFor();
  await holdTimers(page, ANSWER_MS);
  const refusedAgain = page.waitForResponse(PUSH);
  await dialog.getByRole('button', { name: /^Retry: 40 extra likes/ }).click();
  await refusedAgain;
  await expect.poll(() => dialog.getByText(/Refused: .*20 credits/).count()).toBe(2);
  await buy();
  await badge(page, '2,520').waitFor();
  await dialog.getByRole('button', { name: /^Retry: 40 extra likes/ }).click();
  await page.getByText(/^Done: 40 extra likes/).waitFor();
  await dialog.getByRole('button', { name: /^Discard: 60 extra likes/ }).click();
  await dialog.getByText('Nothing is waiting').waitFor();
  await page.keyboard.press('Escape');
  await badge(page, '2,480').waitFor();
  expect(await credits()).toBe(2480);
});

test('delivery settings and the account shown are changed offline, and the server has them afterwards', async () => {
  const { page, addAccount, delivery } = await spender('settings.offline');
  await addAccount('second.account');
  await page.getByRole('option', { name: /second\.account/ }).waitFor();
  await offline(page, true);
  await page.getByRole('button', { name: 'Manage account' }).click();
  await page.getByRole('button', { name: /Delivery settings/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Delivery settings' });
  await drawer.getByLabel('Delivery speed').selectOption('2 Hours');
  await drawer.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Delivery settings will be saved when you’re back online').waitFor();
  await page.getByRole('option', { name: /second\.account/ }).click();
  await changes(page).click();
  const dialog = page.getByRole('dialog', { name: 'Your changes' });
  await dialog.getByText('Delivery settings of @settings.offline').waitFor();
  await dialog.getByText('@second.account as the account shown').waitFor();
  expect((await delivery()).speed).toBe('Instant');
  await offline(page, false);
  await dialog.getByText('Nothing is waiting').waitFor();
  expect((await delivery()).speed).toBe('2 Hours');
});

test('orders queued in two tabs are each placed once, and both tabs agree', async () => {
  const { page, credits } = await spender('two.tabs');
  const other = await page.context().newPage();
  await openDashboard(other);
  await offline(page, true);
  await queueQuietly(page, 0, 30);
  await queueQuietly(other, 1, 50);
  for (const tab of [page, other]) {
    await badge(tab, '2,420').waitFor();
    await tab.getByText('2 waiting').first().waitFor();
  }
  await offline(page, false);
  for (const tab of [page, other]) {
    await changes(tab).waitFor({ state: 'hidden' });
    await badge(tab, '2,420').waitFor();
    await card(tab, 0).getByText('30 bought with credits').waitFor();
    await card(tab, 1).getByText('50 bought with credits').waitFor();
  }
  expect(await credits()).toBe(2420);
});

test('a log-out while something waits asks first: stay, send now, or discard', async () => {
  const { page, credits, logIn, userId } = await spender('leaves.late');
  await offline(page, true);
  await queueQuietly(page, 0, 30);
  await logOut(page);
  const dialog = page.getByRole('dialog', { name: 'Log out?' });
  await dialog.getByText('30 extra likes for').waitFor();
  await dialog.getByRole('button', { name: 'Send now and log out' }).click();
  await dialog.getByText('You’re still logged in, and your changes are still here.').waitFor();
  await dialog.getByRole('button', { name: 'Discard and log out' }).click();
  await dialog.getByText('We couldn’t reach the server, so you may still be logged in').waitFor();
  await dialog.getByRole('button', { name: 'Stay logged in' }).click();
  await card(page, 0).getByText('30 extra likes: waiting for the network.').waitFor();
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
  expect(await credits()).toBe(2470);
});

test('a discarded change never reaches the server, also when it is discarded by logging out', async () => {
  const { page, credits, logIn } = await spender('discards.all');
  await offline(page, true);
  await queueQuietly(page, 0, 30);
  await page.route(PUSH, (route) => route.abort());
  await queueQuietly(page, 1, 50);
  await changes(page).click();
  const list = page.getByRole('dialog', { name: 'Your changes' });
  await list.getByRole('button', { name: /^Discard: 50 extra likes/ }).click();
  await page.keyboard.press('Escape');
  await badge(page, '2,470').waitFor();
  await logOut(page);
  const dialog = page.getByRole('dialog', { name: 'Log out?' });
  await offline(page, false);
  await dialog.getByRole('button', { name: 'Discard and log out' }).click();
  await page.waitForURL('**/login');
  await logIn();
  expect(await credits()).toBe(2500);
});

test('what is being sent at a log-out is not called discarded: the dialog says that it may be carried out', async () => {
  const { page, credits, logIn } = await spender('leaves.sending');
  const onItsWay = page.getByText('What’s being sent can’t be undone');
  const dialog = page.getByRole('dialog', { name: 'Log out?' });
  await offline(page, true);
  await queueQuietly(page, 0, 30);
  await logOut(page);
  await dialog.getByText('30 extra likes for').waitFor();
  expect(await onItsWay.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Stay logged in' }).click();
  // The server places the order, and its answer never comes.
  const placed = Promise.withResolvers<void>();
  await page.route(PUSH, async (route) => {
    // The server may close a kept connection just as it is used again.
    await route.fetch({ maxRetries: 2 }).then(
      () => placed.resolve(),
      () => undefined,
    );
  });
  await offline(page, false);
  await placed.promise;
  await logOut(page);
  await onItsWay.waitFor();
  await dialog.getByRole('button', { name: 'Discard and log out' }).click();
  await page.waitForURL('**/login');
  await logIn();
  expect(await credits()).toBe(2470);
});

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

test('the list and the log-out question are free of violations axe can find, at 390 px too, and work by keyboard alone', async () => {
  const { page } = await spender('keys.offline');
  await offline(page, true);
  await queueQuietly(page, 0, 30);
  await queueQuietly(page, 1, 30);
  for (const [colorScheme, width] of [
    ['light', 390],
    ['dark', 1440],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    await changes(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Your changes' }).waitFor();
    await expectAccessible(page, '[role="dialog"]');
    await page.keyboard.press('Escape');
    await expect.poll(() => changes(page).evaluate((el) => el.matches(':focus'))).toBe(true);
    await logOut(page);
    await page.getByRole('dialog', { name: 'Log out?' }).waitFor();
    await expectAccessible(page, '[role="dialog"]');
    await page.keyboard.press('Escape');
    expect(await overflow(page)).toBe(0);
  }
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
  await dialog.getByText('Nothing is waiting').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});
