import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer } from './customer.ts';
import { followTo } from './open-screen.ts';
import { payByKeyboard, press, tabTo, type } from './keyboard.ts';
import type { Product } from './product.ts';
import { mailedCode } from './mailed-code.ts';
import { shareProduct } from './share-product.ts';
import { type SandboxControl, sandboxControl } from './sandbox-control.ts';

const AMEX = { number: '378282246310005', cvv: '1234' };
const ada = newCustomer('ada.types');

const shared = shareProduct();
let browser: Browser;
let product: Product;
let sandbox: SandboxControl;
/** One customer's page through all journeys: nothing here is ever clicked. */
let page: Page;

beforeAll(async () => {
  ({ product, browser } = shared);
  sandbox = sandboxControl(product.sandboxUrl);
  for (const username of [ada.igUsername, 'ada.second', 'ada.renamed']) {
    await sandbox.createAccount({ username });
  }
  page = await (await browser.newContext({ viewport: { width: 1000, height: 900 } })).newPage();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
/** What was paid, in cents. */
const charged = async (): Promise<number[]> => {
  const charges = await sandbox.listCharges(ada.email);
  return charges.flatMap(({ status, amountCents }) => (status === 'succeeded' ? amountCents : []));
};

async function manage(igUsername: string, item: string): Promise<void> {
  await followTo(page, '/my-subscriptions');
  await choose(igUsername, item);
}

async function choose(igUsername: string, item: string): Promise<void> {
  await press(page, button(`Manage @${igUsername}`));
  await press(page, dialog('Manage account').getByRole('button', { name: item }));
  await dialog(item).waitFor();
}

test('with the keyboard alone: sign up, pay, dashboard', async () => {
  await page.goto(`${product.url}/signup`);
  await type(page, 'Name', ada.name);
  await type(page, 'Email', ada.email);
  await type(page, 'Password', ada.password);
  await type(page, 'Instagram username', ada.igUsername);
  await type(page, 'Phone', ada.phone);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/subscription');
  await payByKeyboard(page, AMEX);
  await dialog('Payment Successful').waitFor();
  await page.waitForURL('**/dashboard');
  await page.locator('[data-post]').first().waitFor();
  expect(await charged()).toEqual([999]);
});

// Shows facts 1.16, 2.07, 2.56, 2.83, 4.05, 8.10, 8.11.
test('with the keyboard alone: add an account, pay for it', async () => {
  await press(page, button('Add account'));
  await dialog('Add new Instagram account').waitFor();
  await type(page, 'Instagram username', 'ada.second');
  await page.keyboard.press('Enter');
  await press(page, button('Add this account'));
  await page.waitForURL('**/other-account-subscription?*');
  await type(page, 'Choose Your plan', '100 likes');
  await press(page, button('Pay $17.00 with the card ending in 005'));
  await dialog('Payment Successful').waitFor();
  await page.waitForURL('**/dashboard');
  await page.getByText('@ada.second').first().waitFor();
  expect(await charged()).toEqual([999, 1700]);
});

// Shows facts 1.01, 1.15, 2.06, 2.52, 2.55, 2.61, 2.74, 2.75, 2.76, 2.77, 4.07, 4.08, 4.11, 5.10, 8.13, 8.14, 8.15, 9.08.
test('with the keyboard alone: buy credits, send extra likes', async () => {
  await press(page, button(/^[\d,]+ credits/));
  await dialog('Buy credits').waitFor();
  await tabTo(page, dialog('Buy credits').getByRole('radio').first());
  await page.keyboard.press('Space');
  await press(page, button('Go to payment'));
  await page.waitForURL('**/payment/credits');
  await press(page, button('Pay $10.00 with the card ending in 005'));
  await page.waitForURL('**/dashboard');
  await page.getByTitle('Up to date').waitFor();
  await page.locator('[data-post]').first().waitFor();
  await tabTo(page, page.locator('[data-post]').first().getByRole('link'));
  await press(
    page,
    page
      .locator('[data-post]')
      .first()
      .getByRole('button', { name: /Extra likes/ }),
  );
  await dialog('Send extra likes').waitFor();
  await type(page, 'Likes', '40', dialog('Send extra likes'));
  await page.keyboard.press('Enter');
  await page.getByText('40 likes are on their way', { exact: true }).waitFor();
  await button(/^2,960 credits/).waitFor();
  expect(await charged()).toEqual([999, 1700, 1000]);
});

test('with the keyboard alone: rename', async () => {
  // With motion dialogs come and go before this, and the menu after it.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await manage(ada.igUsername, 'Change username');
  await type(page, 'New Instagram username', 'ada.renamed');
  await page.keyboard.press('Enter');
  await page.waitForURL('**defaultIgUsername=ada.renamed');
  await page.getByText('@ada.renamed already has a plan with 50 likes per post').waitFor();
  expect(await charged()).toEqual([999, 1700, 1000]);
});

// Shows facts 2.59, 4.17, 4.18.
test('with the keyboard alone: change the plan', async () => {
  await manage('ada.second', 'Manage subscription');
  await type(page, 'Choose Your plan', '250');
  await press(page, button('Next'));
  await dialog('Manage subscription').getByText('Total today').waitFor();
  await press(page, button('Confirm & Pay'));
  await page.getByText('Done. Your next post gets').waitFor();
  expect(await charged()).toHaveLength(4);
});

test('with the keyboard alone: pause, cancel, money back, with the focus where one reads on', async () => {
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog('Manage subscription').count()).toBe(0);
  };
  // The focus is on what opens it.
  const openAgain = async (): Promise<void> => {
    await close();
    await choose('ada.second', 'Manage subscription');
  };
  const leave = async (wayOut: RegExp | string): Promise<void> => {
    await press(page, button('Cancel subscription'));
    await press(page, button(wayOut));
  };
  await manage('ada.second', 'Manage subscription');
  await leave(/^Pause until/);
  await page.getByText('We’ve emailed you.').waitFor();
  await openAgain();
  await press(page, button('Undo the pause'));
  await page.getByText('Your plan will keep renewing. Your next charge is on').waitFor();
  await openAgain();
  await leave(/^Stop on/);
  await page.getByText('We’ve emailed you.').waitFor();
  await openAgain();
  await press(page, button('Undo the stop'));
  await page.getByText('Your plan will keep renewing. Your next charge is on').waitFor();
  await openAgain();
  await leave(/^Get \$.* back$/);
  await page.getByText(/Likes have stopped, and \$.* is going back to your card/).waitFor();
  await close();
});

// Shows facts 2.02, 2.85, 2.86, 2.88, 2.89, 4.12, 5.08, 5.09, 8.03, 8.22, 8.25, 8.28.
test('with the keyboard alone: a forgotten password', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await press(page, button(/^Menu/));
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await press(page, page.getByRole('link', { name: 'Forgot Password ?' }));
  await page.waitForURL('**/verify-email');
  await type(page, 'Email', ada.email);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/confirm-otp');
  await tabTo(page, page.getByLabel('Digit 1 of 6'));
  await page.keyboard.type(await mailedCode(sandbox, ada.email));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/change-password');
  await type(page, 'New password', 'another good password');
  await type(page, 'Confirm password', 'another good password');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/login');
  await type(page, 'Email', ada.email);
  await type(page, 'Password', 'another good password');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  expect(await page.evaluate(() => localStorage.getItem('inSubscription'))).toBe('true');
});
