import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { formatCents } from '#shared/domain/money/money.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import { agencyAccount } from '#server/main/start/agency-cast.ts';
import { bundled } from '#test/processes/bundled.ts';
import { ownersLogin } from '#test/documents/agency-login.ts';
import { press, tabTo, type } from './keyboard.ts';
import { goWithin } from './open-screen.ts';
import { type SingleProduct, startSingle } from './product.ts';
import { ownProduct } from './share-product.ts';

/** A third are bakeries. */
const ACCOUNTS = Number(process.env['AGENCY_ACCOUNTS'] ?? 60);
const BAKERIES = ACCOUNTS / 3;
/** Of the plan with 50 likes. */
const CHEAPEST_CENTS = 999;
// Its card is entered in the gateway's own fields, as where real ones are.
const shared = ownProduct<SingleProduct>(async (from) => {
  const entry = await bundled('server/src/main/demo-agency.ts');
  const settings = { CARD_ENTRY: 'gateway' };
  return startSingle(from, settings, {
    demo: 'on',
    command: [entry, `${ACCOUNTS}`, `${ACCOUNTS}`],
  });
});

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

test('an agency’s owner, by keys alone: finds accounts, has all on one plan at the price shown, undoes what cost nothing', async () => {
  const page = await ownersPage();
  await goWithin(page, '/my-subscriptions');
  const grid = page.getByRole('grid', { name: 'Connected accounts' });
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(`${ACCOUNTS + 3}`);
  await tabTo(page, page.getByRole('searchbox', { name: 'Search accounts' }));
  await page.keyboard.type('bakery');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(`${BAKERIES + 2}`);
  await tabTo(page, grid);
  await page.keyboard.press('Control+a');
  const selected = page.getByRole('group', { name: 'Selected accounts' });
  await selected.getByText(`All ${BAKERIES} that match`).waitFor();
  await press(page, selected.getByRole('button', { name: 'Change plans' }));
  const dialog = page.getByRole('dialog', { name: 'Change plans' });
  await type(page, 'New plan', '50 likes', dialog);
  await press(page, dialog.getByRole('button', { name: 'Check the changes' }));

  // Those with a running plan cost less from each one's next month on; those without begin one today.
  const bakeries = Array.from({ length: ACCOUNTS }, (_, nr) => agencyAccount(nr, [])).filter(
    ({ igUsername }) => igUsername.includes('bakery'),
  );
  const plans = bakeries.flatMap(({ package: number }) => findPlan(number ?? 0) ?? []);
  const dearer = plans.filter(({ number }) => number > 1);
  const begun = bakeries.length - plans.length;
  const today = begun * CHEAPEST_CENTS;
  const less = dearer.reduce((sum, { priceCents }) => sum + priceCents - CHEAPEST_CENTS, -today);
  await dialog.getByText('against most networks’ rules').waitFor();
  await dialog
    .getByText(
      `${formatCents(today)} is charged to the card ending in 242 today. All these plans together then cost ${formatCents(less)} less a month.`,
    )
    .waitFor();
  const changed = dearer.length;
  const words = `Start ${begun} plans and change ${changed}, ${formatCents(today)} today, −${formatCents(less)} a month`;
  await press(page, dialog.getByRole('button', { name: words, exact: true }));
  await dialog
    .getByText(`Done. ${begun + changed} changes made. ${formatCents(today)} was charged.`)
    .waitFor();
  await press(page, dialog.getByRole('button', { name: `Undo ${changed} changes` }));
  await dialog.getByText(`Done. ${changed} changes undone.`).waitFor();
  await press(page, dialog.getByRole('button', { name: 'Done' }));
  await dialog.waitFor({ state: 'hidden' });
});
