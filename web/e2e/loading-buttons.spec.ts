import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import { expectAccessible } from './axe.ts';
import { keepIntercepting } from './bad-answers.ts';
import { fillCheckout, pay } from './customer.ts';
import { holdTimers } from './held-timers.ts';
import { expectLoads } from './loading-button.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();

let page: Page;

beforeAll(async () => {
  await shared.sandbox.createAccount({ username: 'without.plan' });
  const opened = await subscribedPage(shared, 'loads.well');
  page = opened.page;
  await page.request.post(`${shared.product.url}/user/connectedAccount/addRecord`, {
    data: { userId: opened.userId, igUsername: 'without.plan' },
  });
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('the pay button of both checkouts is idle, loading, and idle again', async () => {
  const plan = '/other-account-subscription?packageValue=2&defaultIgUsername=without.plan';
  for (const [path, call] of [
    [plan, '**/addSubscripiton'],
    ['/payment/credits', '**/creditsTransaction/addRecord'],
  ] as const) {
    await page.goto(shared.product.url + path);
    await fillCheckout(page, { number: '4242 4242 4242 4242' });
    if (path !== plan) await page.getByLabel('2,500 credits').check();
    await expectLoads(page, button('Confirm & Pay'), call);
    await page.getByText('Failed to process payment').first().waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
  }
});

test('the success dialog has no violation axe can find, and closing it leads to the dashboard at once', async () => {
  // Otherwise it leads there by itself.
  await holdTimers(page, DIALOG_MS);
  await pay(page);
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  await expectAccessible(page, '[role="dialog"]');
  await page.keyboard.press('Escape');
  await page.waitForURL('**/dashboard');
  expect(new URL(page.url()).pathname).toBe('/dashboard');
});

test('the button that sends extra likes is idle, loading, and idle again', async () => {
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByTitle('Up to date').waitFor();
  // So long an answer is waited for; then the order would wait in the list instead.
  await holdTimers(page, 8000);
  await keepIntercepting(page.context());
  await page
    .getByRole('button', { name: /Extra likes/ })
    .first()
    .click();
  const held = Promise.withResolvers<void>();
  await page.route(
    '**/user/sync/push?*',
    async (route) => {
      await held.promise;
      await route.fallback();
    },
    { times: 1 },
  );
  const send = button('Send likes');
  expect(await send.getAttribute('data-loading')).toBeNull();
  await send.click();
  await expect.poll(() => send.getAttribute('data-loading')).toBe('true');
  expect(await send.isDisabled()).toBe(true);
  held.resolve();
  await page.getByText('20 likes are on their way', { exact: true }).waitFor();
  await page
    .getByRole('button', { name: /Extra likes/ })
    .first()
    .click();
  expect(await send.getAttribute('data-loading')).toBeNull();
  expect(await page.getByRole('textbox', { name: 'Likes' }).inputValue()).toBe('20');
});

test('the button that sends a message to support is idle, loading, and idle again', async () => {
  await page.goto(`${shared.product.url}/my-settings`);
  await page.getByLabel('Message').fill('Does this arrive?');
  await expectLoads(page, button('Send message'), '**/support/addTicket');
  await page.getByText('your message may not have been sent').waitFor();
  expect(await page.getByLabel('Message').inputValue()).toBe('Does this arrive?');
});

test('the buttons that look an account up and rename one are idle, loading, and idle again', async () => {
  await page.goto(`${shared.product.url}/my-subscriptions`);
  await button('Add account').first().click();
  await page.getByLabel('Instagram username').fill('without.plan');
  await expectLoads(page, button('Look up'), '**/connectedAccount/lookUp');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Manage @without.plan' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change username' }).click();
  const rename = page.getByRole('dialog', { name: 'Change username' });
  await rename.getByLabel('New Instagram username').fill('another.name');
  await expectLoads(
    page,
    rename.getByRole('button', { name: 'Change username' }),
    '**/updateUsername',
  );
  await rename.getByText('We couldn’t reach the server').waitFor();
  expect(await rename.getByLabel('New Instagram username').inputValue()).toBe('another.name');
});
