import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { loseAnswer } from './bad-answers.ts';
import { newCustomer } from './customer.ts';
import { overflow } from './overflow.ts';
import { shareProduct } from './share-product.ts';
import { CARD, subscribedPage } from './subscriber.ts';

const shared = shareProduct();

const NAME = 'ada.settles';
let page: Page;
let userId: string;

beforeAll(async () => {
  ({ page, userId } = await subscribedPage(shared, NAME));
});

async function visit(path: string, title: string): Promise<void> {
  await page.goto(shared.product.url + path);
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

test('the settings show the e-mail address read-only and save the name', async () => {
  await visit('/my-settings', 'Account settings');
  const email = page.getByRole('textbox', { name: 'Email' }).first();
  expect(await email.inputValue()).toBe(newCustomer(NAME).email);
  expect(await email.getAttribute('readonly')).not.toBeNull();
  await page.getByText('You log in with this email, so it can’t be changed.').waitFor();
  const ground = (field: Locator) =>
    field.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground(email)).not.toBe(await ground(page.getByLabel('Phone').first()));
  await page.getByLabel('Name', { exact: true }).first().fill('');
  await page.getByRole('button', { name: 'Save details' }).click();
  await page.getByText('Please enter your name').waitFor();
  await page.getByLabel('Name', { exact: true }).first().fill('אדה');
  await page.getByRole('button', { name: 'Save details' }).click();
  await page.getByText('Your details are saved').waitFor();
});

test('nobody is asked for notifications but by their switch, which says what the browser allows', async () => {
  await page.context().addInitScript(() => {
    const asked = { times: 0 };
    Object.assign(globalThis, { asked });
    const answers = { answer: 'denied' };
    Object.assign(globalThis, { answers });
    Object.defineProperty(Notification, 'permission', { get: () => answers.answer });
    Notification.requestPermission = async () => {
      asked.times += 1;
      return Notification.permission;
    };
  });
  await visit('/my-settings', 'Account settings');
  const tell = page.getByRole('switch', { name: /^Notify me here/ });
  const state = async (): Promise<[boolean, unknown]> => [
    await tell.isChecked(),
    await page.evaluate('asked.times'),
  ];
  await expect.poll(() => tell.isEnabled()).toBe(true);
  expect(await state()).toEqual([false, 0]);
  await tell.click();
  await page.getByText('Your browser doesn’t allow this.').waitFor();
  expect(await state()).toEqual([false, 1]);
  await page.evaluate("answers.answer = 'granted'");
  await tell.click();
  await expect.poll(state).toEqual([true, 2]);
  expect(await page.getByText('Your browser doesn’t allow this.').count()).toBe(0);
  await expectAccessible(page);
  await tell.click();
  await expect.poll(state).toEqual([false, 2]);
});

test('a password change asks for the current one and for the new one twice', async () => {
  await visit('/my-settings', 'Account settings');
  const fill = async (current: string, next: string, again: string): Promise<void> => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await page.getByLabel('Confirm password').fill(again);
    await page.getByRole('button', { name: 'Save password' }).click();
  };
  await fill('wrong', 'a new long password', 'another password');
  await page.getByText('Passwords do not match.').waitFor();
  await fill('wrong', 'short', 'short');
  await page.getByText('Password must be 8 to 128 characters.').waitFor();
  await fill('not the one', 'a new long password', 'a new long password');
  await page.getByText('The current password is wrong.').waitFor();
  await page.route('**/user/user/updatePassword', (route) => route.abort());
  await fill(newCustomer(NAME).password, 'a new long password', 'a new long password');
  await page.getByText('If your current password is now wrong').waitFor();
  expect(await page.getByLabel('New password').inputValue()).toBe('a new long password');
  await page.unroute('**/user/user/updatePassword');
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByText('Password changed successfully!').waitFor();
});

/** Idempotency-Keys of the calls to a path, of which the first takes effect and loses its answer. */
async function keysWithLostAnswer(path: string): Promise<string[]> {
  const keys: string[] = [];
  await page.route(path, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  return keys;
}

test('a question whose answer was lost is sent again under its key and asked once; another text is another question', async () => {
  await visit('/my-settings', 'Account settings');
  const path = '**/user/support/addTicket';
  const keys = await keysWithLostAnswer(path);
  const form = page.getByRole('form', { name: 'Contact' });
  await form.getByLabel('Message').fill('When is my first like?');
  await form.getByRole('button', { name: 'Send message' }).click();
  await form.getByText('Your message is still here.').waitFor();
  await form.getByRole('button', { name: 'Send message' }).click();
  await form.getByText(/Your message is on its way/).waitFor();
  await form.getByLabel('Message').fill('And my second?');
  await form.getByRole('button', { name: 'Send message' }).click();
  await expect.poll(() => keys.length).toBe(3);
  await page.unroute(path);
  const [first, again, other] = keys;
  expect(first).toMatch(/^[-\da-f]{36}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  const asked = async () =>
    (await shared.sandbox.listMails('support@localhost')).map(({ text }) =>
      text.match(/When is my/g),
    );
  await expect.poll(async () => (await asked()).length).toBe(2);
  expect((await asked()).filter((found) => found !== null)).toHaveLength(1);
});

async function fillCard(form: Locator): Promise<void> {
  await form.getByLabel('Cardholder name').fill(CARD.ccName);
  await form.getByLabel('Card number').fill(CARD.ccNum);
  await form.getByLabel('Month').selectOption(CARD.ccMonth);
  await form.getByLabel('Year').selectOption(CARD.ccYear);
  await form.getByLabel('CVV/CVC').fill(CARD.cvv);
  await form.getByLabel('Street address').fill(CARD.address);
  await form.getByLabel('City').fill(CARD.city);
  await form.getByLabel('State').fill(CARD.state);
  await form.getByLabel('Zip/postal code').fill(CARD.zip);
  await form.getByLabel('Phone').fill(CARD.phone);
}

test('a new card whose answer was lost is sent again under its key', async () => {
  await visit('/my-billing', 'Billing');
  const path = '**/billingInfo/replace';
  const keys = await keysWithLostAnswer(path);
  await page.getByRole('button', { name: 'Replace card' }).click();
  const form = page.getByRole('form', { name: 'Replace card' });
  await fillCard(form);
  await form.getByRole('button', { name: 'Save card' }).click();
  await form.getByText('we don’t know yet if your card is replaced').waitFor();
  await form.getByRole('button', { name: 'Save card' }).click();
  await page.getByText('Your card is replaced').waitFor();
  await page.unroute(path);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[-\da-f]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('compact density stands on the page and is kept; data are downloaded', async () => {
  await visit('/my-settings', 'Account settings');
  await page.getByLabel('Compact').check();
  await page.reload();
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset['density']))
    .toBe('compact');
  await page.route('**/user/user/exportData', loseAnswer, { times: 1 });
  await page.getByRole('button', { name: 'Download my data' }).click();
  await page.getByText('Something went wrong, so nothing was downloaded').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text).toContain(newCustomer(NAME).email);
  await page.getByText('(this device)').waitFor();
});

test('billing hides all but the last 3 digits of the card and lists the payments', async () => {
  await visit('/my-billing', 'Billing');
  const card = page.getByRole('region', { name: 'Saved card' });
  expect(await card.innerText()).toMatch(/[^\d\s]242\b/);
  expect(await card.innerText()).not.toContain('4242');
  const table = page.getByRole('table', { name: 'Transaction history' });
  await table.getByText('$9.99').waitFor();
  expect(await linesAt820(table)).toBe(1);
  await table.getByRole('button', { name: /^Receipt of/ }).click();
  await page.getByRole('dialog', { name: /Receipt/ }).waitFor();
  await page.keyboard.press('Escape');
});

test('a payment for no account, as for credits, shows dashes in the place of a name', async () => {
  await page.request.post(`${shared.product.url}/user/creditsTransaction/addRecord`, {
    data: { ...CARD, userId, credits: 2500, amount: 10 },
  });
  await visit('/my-billing', 'Billing');
  const table = page.getByRole('table', { name: 'Transaction history' });
  const row = table.getByRole('row').filter({ hasText: '2,500 credits' });
  await row.getByText('---', { exact: true }).waitFor();
  expect(
    await table
      .getByRole('row')
      .filter({ hasText: `@${NAME}` })
      .count(),
  ).toBe(1);
});

test('a replaced card is checked beside its fields', async () => {
  await visit('/my-billing', 'Billing');
  await page.getByRole('button', { name: 'Replace card' }).click();
  await page.getByRole('button', { name: 'Save card' }).click();
  await page.getByText('Please enter a cardholder name').waitFor();
  await page.getByText('Please enter a card number').waitFor();
  expect(await page.getByLabel('Cardholder name').getAttribute('aria-invalid')).toBe('true');
});

test('subscriptions lists the accounts with Manage, filters them, and offers to add one', async () => {
  await visit('/my-subscriptions', 'Subscriptions');
  const table = page.getByRole('table', { name: 'Connected accounts' });
  await table.getByText(`@${NAME}`).waitFor();
  expect(await linesAt820(table)).toBe(1);
  await page.getByLabel('State').selectOption('Paused');
  await page.getByText('No matching accounts').waitFor();
  await page.getByRole('button', { name: 'Show all accounts' }).click();
  await page.getByRole('button', { name: `Manage @${NAME}` }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add account' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await table.count()).toBe(1);
});

test.each([
  ['/my-settings', 'Account settings'],
  ['/my-billing', 'Billing'],
  ['/my-subscriptions', 'Subscriptions'],
])('%s is accessible in light and dark and fits a phone', async (path, title) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await visit(path, title);
    await page.locator('header [data-kind="live"]').waitFor();
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(path, title);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('money back carries a key, and the same one again after a lost answer', async () => {
  await visit('/my-subscriptions', 'Subscriptions');
  const keys: string[] = [];
  await page.route('**/user/subscription/moneyBack', (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    return keys.length > 1 ? route.continue() : route.abort();
  });
  await page.getByRole('button', { name: `Manage @${NAME}` }).click();
  await page.getByRole('button', { name: 'Manage subscription' }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage subscription' });
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByRole('button', { name: 'Get $9.99 back' }).click();
  await dialog.getByText('We couldn’t reach the server').waitFor();
  await dialog.getByRole('button', { name: 'Get $9.99 back' }).click();
  await dialog.getByText(/Likes have stopped, and \$9\.99 is going back to your card/).waitFor();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[-\da-f]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});
