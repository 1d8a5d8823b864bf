import { expect, test } from 'vitest';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { fillDisk } from '#web/testing/dom/full-disk.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import type { Locator } from '#web/testing/dom/locator.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { userExample } from '#web/testing/examples.ts';
import { refuse, unreachable } from '#web/testing/open-changes.ts';

const RICH = userExample({ credits: 2500 });
/** So long an answer is waited for; then what was asked for waits in the list instead. */
const ANSWER_MS = 8000;

async function dashboard(): Promise<Page> {
  const page = await openPage('/dashboard', { user: RICH, replica: { post: [postRow()] } });
  await page.button('2,500 credits: buy credits').waitFor();
  await page.locator('[data-post]').waitFor();
  return page;
}

async function extraLikes(
  page: Page,
): Promise<{ dialog: Locator; amount: Locator; send: Locator }> {
  await page
    .locator('[data-post]')
    .getByRole('button', { name: /Extra likes/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Send extra likes' });
  const amount = dialog.getByRole('textbox', { name: 'Likes' });
  await amount.waitFor();
  return { dialog, amount, send: dialog.getByRole('button', { name: 'Send likes' }) };
}

// Shows facts 1.01, 1.15, 1.22, 2.06, 2.52, 2.55, 2.61, 4.07, 4.08, 4.11, 5.10, 8.13, 8.14, 8.15, 9.05, 9.06, 9.08.
test('the six packages are offered with their prices from the badge, and the chosen one goes along to its checkout', async () => {
  const page = await dashboard();
  await page.button('2,500 credits: buy credits').click();
  const dialog = page.getByRole('dialog', { name: 'Buy credits' });
  for (const { credits, priceCents } of CREDIT_PACKAGES) {
    const offer = `${credits.toLocaleString('en-US')} credits.*\\${formatCents(priceCents)}`;
    await dialog.getByRole('radio', { name: new RegExp(`^${offer}`) }).waitFor();
  }
  expect(dialog.getByRole('radio').count()).toBe(6);
  await dialog.getByRole('button', { name: 'Go to payment' }).click();
  await dialog.getByText('Please choose a credit package').waitFor();
  await dialog.getByRole('radio', { name: /^7,500 credits/ }).click();
  await dialog.getByRole('button', { name: 'Go to payment' }).click();
  await expect.poll(() => page.path).toBe('/payment/credits');
  expect(await page.getByRole('radio', { name: /^7,500 credits/ }).isChecked()).toBe(true);
});

// Shows facts 1.01, 1.15, 2.06, 2.52, 2.55, 2.61, 4.07, 4.08, 4.11, 5.10, 8.13, 8.14, 8.15, 9.08.
test('extra likes: from 20 to the balance, whole numbers, kept as they were typed', async () => {
  const page = await dashboard();
  const { dialog, amount, send } = await extraLikes(page);
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
  await dialog.getByText('Please enter a whole number').waitFor();
  expect([await amount.inputValue(), await send.isEnabled()]).toEqual(['100.5', false]);
  await amount.fill(' 25 ');
  expect(await amount.inputValue()).toBe('25');
});

// Shows facts 1.01, 1.15, 2.06, 2.52, 2.55, 2.61, 4.07, 4.08, 4.11, 5.10, 8.13, 8.14, 8.15, 9.08.
test('extra likes: a refusal and a full device are said and keep the form; what was ordered is shown at once, and the form begins anew', async () => {
  const page = await dashboard();
  const { dialog, amount, send } = await extraLikes(page);
  await amount.fill('25');
  if (page.leader) page.leader.answer = refuse;
  await send.click();
  await page.toasts.getByText('Unable to buy likes', { exact: true }).waitFor();
  await dialog.getByText('Too few credits.').waitFor();
  const mend = fillDisk();
  await send.click();
  await page.toasts.getByText('Failed to buy likes', { exact: true }).waitFor();
  await dialog.getByText('nothing was ordered').waitFor();
  expect(await amount.inputValue()).toBe('25');
  mend();
  if (page.leader) page.leader.answer = page.leader.carryOut;
  await send.click();
  await page.toasts.getByText('25 likes are on their way', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'gone' });
  await page.button('2,475 credits: buy credits').waitFor();
  const again = await extraLikes(page);
  expect(await again.amount.inputValue()).toBe('20');
  await again.dialog.getByText('25 extra likes bought so far').waitFor();
  expect(page.leader?.sent.map(({ args }) => args)).toMatchObject([{ likes: 25 }, { likes: 25 }]);
});

test('extra likes without an answer wait on this device: the dialog closes with no toast, and the post says what waits', async () => {
  const page = await dashboard();
  if (page.leader) page.leader.answer = unreachable;
  const { dialog, amount, send } = await extraLikes(page);
  await amount.fill('30');
  await send.click();
  await dialog.waitFor({ state: 'gone' });
  await page.locator('[data-post]').getByText('30 extra likes: waiting for the network.').waitFor();
  await page.button('2,470 credits: buy credits').waitFor();
  expect(page.toasts.count()).toBe(0);
});

// Shows fact 4.10.
test('the button that sends extra likes is idle, loading, and idle again', async () => {
  holdTimers(ANSWER_MS);
  const page = await dashboard();
  const first = await extraLikes(page);
  // The leading tab hears of nothing until the test says so.
  page.leader?.say({ kind: 'syncing', asOf: undefined });
  expect(await first.send.getAttribute('data-loading')).toBeNull();
  await first.send.click();
  await expect.poll(() => first.send.getAttribute('data-loading')).toBe('true');
  expect(await first.send.isEnabled()).toBe(false);
  await page.leader?.push();
  await page.toasts.getByText('20 likes are on their way', { exact: true }).waitFor();
  const { amount, send } = await extraLikes(page);
  expect(await send.getAttribute('data-loading')).toBeNull();
  expect(await amount.inputValue()).toBe('20');
});
