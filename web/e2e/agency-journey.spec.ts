import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findPlan } from '#shared/domain/plans.ts';
import { agencyAccount } from '#server/main/start/agency-cast.ts';
import { ownersLogin } from '#test/agency-login.ts';
import { press, tabTo, type } from './keyboard.ts';
import { type SingleProduct, startEmbedded } from './product.ts';
import { ownProduct } from './share-product.ts';

/** Of 600 a third are bakeries. */
const ACCOUNTS = 600;
/** Of the plan with 50 likes. */
const CHEAPEST_CENTS = 999;
// Its card is entered in the gateway's own fields, as where real ones are.
const shared = ownProduct<SingleProduct>(({ directory }) =>
  startEmbedded(directory, 'on', {
    command: ['server/src/main/demo-agency.ts', `${ACCOUNTS}`, '600'],
    settings: { CARD_ENTRY: 'gateway' },
  }),
);
/** Signed in with what the start has told. */
async function ownersPage(): Promise<Page> {
  const page = await (await shared.browser.newContext()).newPage();
  shared.pages.push(page);
  const { email, password } = ownersLogin(shared.product.greeting);
  await page.goto(`${shared.product.url}/login`);
  await type(page, 'Email', email);
  await type(page, 'Password', password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  return page;
}

test('an agency’s owner, by keys alone: finds 200 accounts, changes their plan at the price shown, undoes it', async () => {
  const page = await ownersPage();
  await page.goto(`${shared.product.url}/my-subscriptions`);
  const grid = page.getByRole('grid', { name: 'Connected accounts' });
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(`${ACCOUNTS + 3}`);
  await tabTo(page, page.getByRole('searchbox', { name: 'Search accounts' }));
  await page.keyboard.type('bakery');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('202');
  await tabTo(page, grid);
  await page.keyboard.press('Control+a');
  const selected = page.getByRole('group', { name: 'Selected accounts' });
  await selected.getByText('All 200 that match').waitFor();
  await press(page, selected.getByRole('button', { name: 'Change plans' }));
  const dialog = page.getByRole('dialog', { name: 'Change plans' });
  await type(page, 'New plan', '50 likes', dialog);
  await press(page, dialog.getByRole('button', { name: 'Check the changes' }));

  // Those with a running plan; it costs less from each one's next month on.
  const bakeries = Array.from({ length: ACCOUNTS }, (_, nr) => agencyAccount(nr, [])).filter(
    ({ igUsername }) => igUsername.includes('bakery'),
  );
  const plans = bakeries.flatMap(({ package: number }) => findPlan(number ?? 0) ?? []);
  const dearer = plans.filter(({ number }) => number > 1);
  const cents = dearer.reduce((sum, { priceCents }) => sum + priceCents - CHEAPEST_CENTS, 0);
  const dollars = (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  const failed = 200 - plans.length;
  await dialog.getByText(`${failed} accounts can’t be changed.`).waitFor();
  await dialog
    .getByText(
      `Nothing is charged today. All these plans together then cost $${dollars} less a month.`,
    )
    .waitFor();
  const words = `Change ${dearer.length} plans, −$${dollars} a month`;
  await press(page, dialog.getByRole('button', { name: words, exact: true }));
  await dialog.getByText(`Done. ${dearer.length} changes made, ${failed} failed.`).waitFor();
  await press(page, dialog.getByRole('button', { name: `Undo ${dearer.length} changes` }));
  await dialog.getByText(`Done. ${dearer.length} changes undone.`).waitFor();
  await press(page, dialog.getByRole('button', { name: 'Done' }));
  await dialog.waitFor({ state: 'hidden' });
});
