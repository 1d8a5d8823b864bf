import { expect, test } from 'vitest';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

// Shows fact 2.72.
test('subscriptions lists the accounts with Manage, filters them, and offers to add one', async () => {
  const page = await openPage('/my-subscriptions', { user: OWNER, replica: {} });
  const table = page.getByRole('table', { name: 'Connected accounts' });
  await table.getByText('@ada.paints').waitFor();
  await page.locator('input[type="search"]').fill('paused');
  await page.getByText('No matching accounts').waitFor();
  await page.button('Show all accounts').click();
  await page.button('Manage @ada.paints').click();
  await page.getByRole('dialog', { name: 'Manage account' }).waitFor();
  await page.getByRole('dialog').press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'gone' });
  await page.button('Add account').click();
  await page.getByRole('dialog', { name: 'Add new Instagram account' }).waitFor();
  expect(table.count()).toBe(1);
});
