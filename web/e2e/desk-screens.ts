import type { Page } from 'playwright-core';
import { type BulkItem, planBulk } from '#shared/contract/accounts/bulk.ts';
import { answer } from './answered-screens.ts';
import { BULK_SCREENS } from './bulk-screens.ts';
import type { Screen } from './screens.ts';
import { pressForSelection } from './selection-bar.ts';

async function openPaste(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add account' }).first().click();
  await page.getByRole('button', { name: 'Paste several' }).click();
  await page.getByLabel('Instagram usernames').waitFor();
}

const UNPAID =
  'Before your first payment you can look up 20 accounts a day, and none are left now. Please add this one tomorrow, or choose a plan for an account you’ve connected.';
const PASTED: BulkItem[] = [
  'bakery.on.main',
  'cinema',
  'a.name.of.thirty.characters.ok',
  'two.more',
  'aurelie.lumen',
  'the.last.one',
].map((igUsername, position) => ({
  position,
  igUsername,
  change: { kind: 'add' },
  outcome: position < 4 ? 'planned' : position === 4 ? 'same' : 'refused',
  reason: position === 5 ? UNPAID : null,
  today: 0,
  month: 0,
}));

/** Names of which some are connected, some beyond what may be looked up, and some are none. */
async function openChecked(page: Page): Promise<void> {
  await answer(page, planBulk.path, { items: PASTED, planned: 4, today: 0, month: 0 });
  await openPaste(page);
  const names = PASTED.map(({ igUsername }) => `@${igUsername}`);
  await page.getByLabel('Instagram usernames').fill([...names, 'no-name', '@cinema'].join('\n'));
  await page.getByRole('button', { name: 'Check the names' }).click();
  await page.getByRole('button', { name: 'Add 4 accounts' }).waitFor();
}

/** The table of accounts for who has many; its address opens it for who has few. */
export const DESK_SCREENS: Screen[] = [
  { name: 'add several accounts', path: '/my-subscriptions', open: openPaste },
  { name: 'names that are checked', path: '/my-subscriptions', open: openChecked },
  {
    name: 'accounts with filters and columns to choose',
    path: '/my-subscriptions?where.plan=20..&sort=-amount',
    open: (page) => page.getByRole('button', { name: 'Columns' }).click(),
  },
  {
    name: 'a view of accounts gets its name',
    path: '/my-subscriptions?sort=-plan',
    open: async (page) => {
      await page.getByRole('button', { name: 'Save as a view' }).click();
      await page.getByLabel('Name of this view').fill('Largest plans first');
    },
  },
  {
    name: 'tags of accounts',
    path: '/my-subscriptions?sort=-amount',
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that match' }).check();
      await pressForSelection(page, 'Change tags');
      await page.getByRole('dialog', { name: 'Change tags' }).waitFor();
    },
  },
  {
    name: 'which tags of accounts change',
    path: '/my-subscriptions?sort=-amount',
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that match' }).check();
      await pressForSelection(page, 'Change tags');
      const dialog = page.getByRole('dialog', { name: 'Change tags' });
      await dialog.getByLabel('Add a tag').fill('Spring');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.getByRole('button', { name: 'Check the changes' }).click();
      await dialog.getByRole('region', { name: 'What changes' }).waitFor();
    },
  },
  {
    name: 'sample client',
    path: '/sample-client',
    open: (page) => page.getByRole('checkbox', { name: 'Select all that match' }).check(),
  },
  {
    name: 'plans of the sample client',
    path: '/sample-client',
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that match' }).check();
      await pressForSelection(page, 'Change plans');
      await page.getByRole('dialog', { name: 'Change plans of the sample' }).waitFor();
    },
  },
  ...BULK_SCREENS,
];
