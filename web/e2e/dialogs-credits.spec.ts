import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { breakStorage, keepIntercepting, loseAnswer, PUSH, refuseChanges } from './bad-answers.ts';
import { fillCheckout, pay } from './customer.ts';
import { tabTo } from './keyboard.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();

const badge = (page: Page) => page.getByRole('button', { name: /credits/ }).first();

test('credits are bought from the badge, then sent as extra likes: from 20 to the balance, once, shown at once', async () => {
  const { page } = await subscribedPage(shared, 'buys.credits');
  await keepIntercepting(page.context());
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/dashboard`);
  await badge(page).click();
  const dialog = page.getByRole('dialog', { name: 'Buy credits' });
  await dialog.getByRole('radio').last().waitFor();
  expect(await dialog.getByRole('radio').count()).toBe(6);
  for (const offer of [
    /2,500 credits.*\$10\.00/,
    /7,500 credits.*\$29\.00/,
    /15,000 credits.*\$57\.00/,
    /25,000 credits.*\$93\.00/,
    /50,000 credits.*\$180\.00/,
    /100,000 credits.*\$350\.00/,
  ]) {
    await dialog.getByRole('radio', { name: offer }).waitFor();
  }
  await dialog.getByRole('button', { name: 'Go to payment' }).click();
  await dialog.getByText('Please choose a credit package').waitFor();
  await dialog.getByRole('radio', { name: /2,500 credits/ }).check();
  await dialog.getByRole('button', { name: 'Go to payment' }).click();
  await page.waitForURL('**/payment/credits');
  expect(await page.getByRole('radio', { name: /2,500 credits/ }).isChecked()).toBe(true);
  await fillCheckout(page, { number: '6011 1111 1111 1117' });
  await pay(page);
  await page.waitForURL('**/dashboard');
  await page.getByRole('button', { name: /2,500 credits/ }).waitFor();
  await page.getByTitle('Up to date').waitFor();

  const [post] = await shared.sandbox.listPosts('buys.credits');
  const card = page.locator(`[data-post="${post?.id}"]`);
  await card.getByRole('button', { name: /Extra likes/ }).click();
  const likes = page.getByRole('dialog', { name: 'Send extra likes' });
  const amount = likes.getByRole('textbox', { name: 'Likes' });
  const send = likes.getByRole('button', { name: 'Send likes' });
  expect(await amount.inputValue()).toBe('20');
  for (const [typed, isEnabled] of [
    ['19', false],
    ['20', true],
    ['2500', true],
    ['2501', false],
    ['', false],
  ] as const) {
    await amount.fill(typed);
    await expect.poll(() => send.isEnabled()).toBe(isEnabled);
  }
  // Kept as it was pasted and refused, never another number.
  await amount.fill('100.5');
  await likes.getByText('Please enter a whole number').waitFor();
  expect([await amount.inputValue(), await send.isEnabled()]).toEqual(['100.5', false]);
  await amount.fill(' 25 ');
  expect(await amount.inputValue()).toBe('25');
  await page.route(PUSH, refuseChanges('credits_too_low', 'Too few credits.'), { times: 1 });
  await send.click();
  await page.getByText('Unable to buy likes', { exact: true }).waitFor();
  await likes.getByText('Too few credits.').waitFor();
  await breakStorage(page, true);
  await send.click();
  await page.getByText('Failed to buy likes', { exact: true }).waitFor();
  await likes.getByText('nothing was ordered').waitFor();
  expect(await amount.inputValue()).toBe('25');
  await breakStorage(page, false);
  await send.click();
  await page.getByText('25 likes are on their way', { exact: true }).waitFor();
  await likes.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /2,475 credits/ }).waitFor();
  await card.getByRole('button', { name: /Extra likes/ }).click();
  expect(await amount.inputValue()).toBe('20');
  await likes.getByText('25 extra likes bought so far').waitFor();
  // The answer is lost: the order is sent again under its number, and placed once.
  await page.route(PUSH, loseAnswer, { times: 1 });
  await send.click();
  await likes.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /waiting/ }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /2,455 credits/ }).waitFor();
  await card.getByText('45 bought with credits').waitFor();
});

test('the credit dialogs are free of violations axe can find, and work by keyboard alone', async () => {
  const { page } = await subscribedPage(shared, 'keys.only');
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/dashboard`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await badge(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Buy credits' }).waitFor();
    await expectAccessible(page, '[role="dialog"]');
    await page.keyboard.press('Escape');
    await expect.poll(() => badge(page).evaluate((el) => el.matches(':focus'))).toBe(true);
  }
  await page.keyboard.press('Enter');
  // The dialog takes the focus when it opens; only then it can be moved.
  const dialog = page.getByRole('dialog', { name: 'Buy credits' });
  await expect
    .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await tabTo(page, page.getByRole('radio').first());
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/payment/credits');
  expect(await page.getByRole('radio', { name: /7,500 credits/ }).isChecked()).toBe(true);
});
