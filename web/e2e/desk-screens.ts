import { BULK_SCREENS } from './bulk-screens.ts';
import type { Screen } from './screens.ts';

/** The table of accounts for who has many; its address opens it for who has few. */
export const DESK_SCREENS: Screen[] = [
  {
    name: 'add several accounts',
    path: '/my-subscriptions',
    open: async (page) => {
      await page.getByRole('button', { name: 'Add account' }).first().click();
      await page.getByRole('button', { name: 'Paste several' }).click();
      await page.getByLabel('Instagram usernames').waitFor();
    },
  },
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
      await page.getByRole('button', { name: 'Change tags' }).click();
      await page.getByRole('dialog', { name: 'Change tags' }).waitFor();
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
      await page.getByRole('button', { name: 'Change plans' }).click();
      await page.getByRole('dialog', { name: 'Change plans of the sample' }).waitFor();
    },
  },
  ...BULK_SCREENS,
];
