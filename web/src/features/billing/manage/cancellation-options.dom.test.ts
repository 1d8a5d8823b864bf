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
