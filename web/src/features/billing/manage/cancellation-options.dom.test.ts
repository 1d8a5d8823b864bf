import { expect, test } from 'vitest';
import { stopSubscription } from '#shared/contract/money/subscription.ts';
import { manage, OWNER } from '#web/testing/dom/customer-forms.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

test('of the ways out only the gentlest is filled, and stopping now is asked once more', async () => {
  const page = await openPage('/my-subscriptions', { user: OWNER });
  await manage('Manage subscription')(page);
  const dialog = page.getByRole('dialog', { name: 'Manage subscription' });
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  const ways = dialog.locator('section').filter({ has: page.locator('h4') });
  const stop = ways.getByRole('button', { name: 'Stop likes today' });
  await stop.waitFor();
  const isFilled = ':not([data-variant="default"])';
  const filled = ways.locator(`h4 ~ button${isFilled}, h4 ~ div button${isFilled}`);
  expect(filled.texts()).toEqual([expect.stringMatching(/^Pause until/)]);
  await stop.click();
  expect(page.server.asked(stopSubscription)).toEqual([]);
  await ways.getByRole('button', { name: 'Keep my plan' }).click();
  await stop.waitFor();
});

test('whoever goes on from the day of a pause at once keeps the focus where they went', async () => {
  const page = await openPage('/my-subscriptions', { user: OWNER });
  await manage('Manage subscription')(page);
  const dialog = page.getByRole('dialog', { name: 'Manage subscription' });
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  const stop = await dialog.getByRole('button', { name: /^Stop on/ }).one();
  const day = dialog.getByLabel('Pause until');
  await day.click();
  await day.press('Tab');
  // What the browser’s own Tabs do, to the pause and on, before anything that waits for its turn.
  if (stop instanceof HTMLElement) stop.focus();
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  expect(document.activeElement).toBe(stop);
});
