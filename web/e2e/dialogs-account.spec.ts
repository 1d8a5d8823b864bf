import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillCheckout, pay } from './customer.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const LOOK_UP = '**/connectedAccount/lookUp';

const shared = shareProduct();

async function subscriptionsOf(igUsername: string): Promise<Page> {
  const { page } = await subscribedPage(shared, igUsername);
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/my-subscriptions`);
  return page;
}

async function manage(page: Page, igUsername: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Manage @${igUsername}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: item }).click();
  await page.getByRole('dialog', { name: item }).waitFor();
}

const succeeded = async (): Promise<number> =>
  (await shared.sandbox.listCharges()).filter((charge) => charge.status === 'succeeded').length;

test('adding an account: each way it can fail says why, then "Instagram account found" leads over the plan to the payment', async () => {
  await shared.sandbox.createAccount({ username: 'second.one' });
  await shared.sandbox.createAccount({ username: 'a.person', kind: 'personal' });
  const page = await subscriptionsOf('adds.another');
  await page.getByRole('button', { name: 'Add account' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add new Instagram account' });
  const field = dialog.getByLabel('Instagram username');
  const lookUp = async (name: string): Promise<void> => {
    await field.fill(name);
    await dialog.getByRole('button', { name: 'Look up' }).click();
  };

  for (const wrong of ['', 'two words', 'x'.repeat(31), 'דנה']) {
    await lookUp(wrong);
    await dialog.getByText('Please enter a username: 1 to 30 letters').waitFor();
    expect(await field.inputValue()).toBe(wrong);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await lookUp('a.person');
  await dialog.getByText(/private, personal or age-restricted/).waitFor();
  const toast = await page.locator('[data-toast="bad"]').boundingBox();
  for (const part of [dialog.getByRole('heading'), dialog.getByRole('button', { name: 'Close' })]) {
    const shown = await part.boundingBox();
    expect(toast?.y, 'the dialog’s head stays free').toBeGreaterThanOrEqual(
      (shown?.y ?? 900) + (shown?.height ?? 0),
    );
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await field.inputValue()).toBe('');
  const message = 'Instagram is limiting our requests right now. Please try again shortly.';
  await page.route(
    LOOK_UP,
    (route) =>
      route.fulfill({ status: 503, json: { status: 'error', code: 'network_throttled', message } }),
    { times: 1 },
  );
  await lookUp('second.one');
  await dialog.getByText(message).waitFor();
  expect(await field.inputValue()).toBe('');
  await shared.sandbox.setFault({ system: 'graph', scenario: 'server_error' });
  await lookUp('second.one');
  await dialog.getByText('isn’t responding right now').waitFor();
  await shared.sandbox.clearFaults();
  await page.route(LOOK_UP, (route) => route.abort(), { times: 1 });
  await lookUp('second.one');
  await dialog.getByText('We couldn’t reach the server.').waitFor();
  expect(await field.inputValue()).toBe('second.one');
  await lookUp('  @Second.One ');
  await page.getByText('Instagram account found').first().waitFor();
  expect(await page.getByRole('button', { name: 'Manage @second.one' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Add this account' }).click();
  await dialog.getByLabel('Choose Your plan').selectOption('2');
  await dialog.getByRole('button', { name: 'Go to payment' }).click();
  await page.waitForURL(
    '**/other-account-subscription?packageValue=2&defaultIgUsername=second.one',
  );
  const before = await succeeded();
  await fillCheckout(page, { number: '5555 5555 5555 4444' });
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
  expect(await succeeded()).toBe(before + 1);
  await page.waitForURL('**/dashboard');
  await page.getByText('@second.one').first().waitFor();
});

test('an account without a plan is removed after one question, and comes back when it is added again', async () => {
  const page = await subscriptionsOf('removes.one');
  await shared.sandbox.createAccount({ username: 'removed.one' });
  const add = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Add account' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add new Instagram account' });
    await dialog.getByLabel('Instagram username').fill('removed.one');
    await dialog.getByRole('button', { name: 'Look up' }).click();
    await dialog.getByRole('button', { name: 'Add this account' }).click();
    await dialog.getByLabel('Choose Your plan').waitFor();
    await page.keyboard.press('Escape');
  };
  await add();
  await manage(page, 'removed.one', 'Remove account');
  const dialog = page.getByRole('dialog', { name: 'Remove account' });
  await dialog.getByRole('button', { name: 'Remove account' }).click();
  await page.getByText('@removed.one is removed').first().waitFor();
  await page.getByRole('button', { name: 'Manage @removed.one' }).waitFor({ state: 'detached' });
  await add();
  await expect
    .poll(() => page.getByRole('button', { name: 'Manage @removed.one' }).count())
    .toBe(1);
});

test('a username may be changed once every 48 hours; afterwards the account’s own plan is shown', async () => {
  await shared.sandbox.createAccount({ username: 'new.name' });
  const page = await subscriptionsOf('old.name');
  await manage(page, 'old.name', 'Change username');
  const dialog = page.getByRole('dialog', { name: 'Change username' });
  await dialog.getByText('may be changed once every 48 hours').waitFor();
  await dialog.getByLabel('New Instagram username').fill('nobody.at.all');
  await dialog.getByRole('button', { name: 'Change username' }).click();
  await dialog.getByText(/We can’t read @/).waitFor();
  expect(await dialog.getByLabel('New Instagram username').inputValue()).toBe('nobody.at.all');
  expect(await page.locator('[data-toast]').count()).toBe(0);
  await dialog.getByLabel('New Instagram username').fill('new.name');
  await dialog.getByRole('button', { name: 'Change username' }).click();
  await page.waitForURL('**/other-account-subscription?packageValue=1&defaultIgUsername=new.name');
  await page.getByText('@new.name already has a plan with 50 likes per post').waitFor();
  await page.goto(`${shared.product.url}/my-subscriptions`);
  await manage(page, 'new.name', 'Change username');
  await dialog.getByLabel('New Instagram username').fill('old.name');
  await dialog.getByRole('button', { name: 'Change username' }).click();
  await dialog.getByText('can be changed once every 48 hours. Please try again in').waitFor();
});

test('delivery settings: switch, six speeds, a range from 10 to 1000 that warns below the plan, saved and there again', async () => {
  const page = await subscriptionsOf('sets.delivery');
  // What is saved before is kept for later when the first reading takes its time.
  await page.getByTitle('Up to date').waitFor();
  await manage(page, 'sets.delivery', 'Delivery settings');
  const drawer = page.getByRole('dialog', { name: 'Delivery settings' });
  expect(await drawer.getByLabel('Delivery speed').locator('option').allTextContents()).toEqual([
    'Instant',
    '30 Min',
    '1 Hour',
    '2 Hours',
    '3 Hours',
    '4 Hours',
  ]);
  expect(await drawer.getByText('up to 24 hours').count()).toBe(0);
  expect(await drawer.getByRole('switch', { name: 'Irregular likes' }).isChecked()).toBe(false);
  await drawer.getByRole('switch', { name: 'Automatic Likes' }).uncheck();
  await drawer.getByLabel('Delivery speed').selectOption('2 Hours');
  await drawer.getByRole('switch', { name: 'Irregular likes' }).check();
  await drawer.getByLabel('Minimum likes').fill('9');
  await drawer.getByLabel('Maximum likes').fill('1001');
  await drawer.getByRole('button', { name: 'Save settings' }).click();
  await expect
    .poll(() => drawer.getByText('Please enter a number from 10 to 1000').count())
    .toBe(2);
  await drawer.getByLabel('Minimum likes').fill('40');
  await drawer.getByLabel('Maximum likes').fill('30');
  await drawer.getByText('This range is below your plan').waitFor();
  await drawer.getByRole('button', { name: 'Save settings' }).click();
  await drawer.getByText('The minimum must not be above the maximum').waitFor();
  await drawer.getByLabel('Minimum likes').fill('20');
  await drawer.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Delivery settings saved').waitFor();
  await page.reload();
  await shared.sandbox.setFault({ system: 'provider', scenario: 'backlog', minutes: 90 });
  await manage(page, 'sets.delivery', 'Delivery settings');
  await drawer
    .getByText('Speeds are disabled for now, and likes may take up to 24 hours')
    .waitFor();
  expect(await drawer.getByRole('switch', { name: 'Automatic Likes' }).isChecked()).toBe(false);
  expect(await drawer.getByLabel('Delivery speed').inputValue()).toBe('2 Hours');
  expect(await drawer.getByLabel('Minimum likes').inputValue()).toBe('20');
});
