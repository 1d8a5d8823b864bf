import { expect, test } from 'vitest';
import { findBulk, planBulk, startBulk } from '#shared/contract/accounts/bulk.ts';
import type { User } from '#shared/contract/people/user.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, operationExample, userExample } from '#web/testing/examples.ts';

const CLIENT_ID = '0192d3c0-0000-7000-8000-00000000c001';
const accounts = ['ada', 'bob', 'cy'].map((igUsername, nth) =>
  accountExample({
    igUsername,
    igId: `1784140000000000${nth}`,
    tags: nth === 0 ? ['spring'] : [],
    client: { id: CLIENT_ID, name: 'Birch Bakery' },
  }),
);
const user = userExample({ connectedAccounts: accounts });
const OF_ONE_CLIENT = {
  workspaceId: '0192d3c0-0000-7000-8000-00000000e001',
  role: 'Viewer' as const,
  people: 2,
  workspaces: [],
  allClients: false,
  grants: [{ clientId: CLIENT_ID, role: 'Editor' as const }],
};
const TAGS = { kind: 'tags' as const, add: ['spring'], remove: [] };

async function checkTags(of: User): Promise<Page> {
  const page = await openPage('/my-subscriptions?q=', { user: of, replica: {} });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  page.server.gives(findBulk, []);
  document.querySelector<HTMLElement>('[role="grid"]')?.focus();
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true }),
  );
  await page.button('Change tags').click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Add a tag', { exact: true }).fill('spring');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  page.server.gives(planBulk, {
    items: accounts.map(({ igUsername }, position) => ({
      position,
      igUsername,
      change: TAGS,
      outcome: position === 0 ? ('same' as const) : ('planned' as const),
      reason: null,
      today: 0,
      month: 0,
    })),
    planned: 2,
    today: 0,
    month: 0,
  });
  await dialog.getByRole('button', { name: 'Check the changes' }).click();
  await dialog.getByRole('button', { name: 'Change the tags of 2 accounts' }).waitFor();
  return page;
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Change tags' });
const shown = (): string[] =>
  [...document.querySelectorAll('[aria-label="What changes"] tbody tr')].map(
    (row) => row.textContent,
  );

test('tags of several accounts are shown before they change, by an operation that can be undone', async () => {
  const page = await checkTags(user);
  expect(page.server.asked(planBulk)[0]?.input.changes).toEqual(
    accounts.map(({ igUsername }) => ({ igUsername, change: TAGS })),
  );
  expect(shown()).toEqual(['@bobNo tagsspring', '@cyNo tagsspring']);
  // There was no tag that could be struck out.
  expect(document.querySelectorAll('del')).toHaveLength(0);
  await dialogOf(page).getByText('1 account is already as you want it.').waitFor();
  const done = operationExample({ kinds: ['tags'], done: 2, failed: 0, today: 0, month: 0 });
  page.server.gives(startBulk, done);
  await dialogOf(page).getByRole('button', { name: 'Change the tags of 2 accounts' }).click();
  await dialogOf(page).getByText('Done. 2 changes made.').waitFor();
});

test('who works for single clients sees what changes too, as their device knows it', async () => {
  const page = await checkTags({ ...user, membership: OF_ONE_CLIENT });
  expect(shown()).toEqual(['@bobNo tagsspring', '@cyNo tagsspring']);
  expect(page.server.asked(planBulk)).toEqual([]);
});

test.each([
  ['who sees all accounts', user],
  ['who works for single clients', { ...user, membership: OF_ONE_CLIENT }],
])('back from what changes, the tags are still chosen: %s', async (_, of) => {
  const page = await checkTags(of);
  await dialogOf(page).getByRole('button', { name: 'Back' }).click();
  await dialogOf(page).getByText('will be added to 2').waitFor();
  await dialogOf(page).getByRole('button', { name: 'Check the changes' }).click();
  await dialogOf(page).getByRole('button', { name: 'Change the tags of 2 accounts' }).waitFor();
  expect(shown()).toEqual(['@bobNo tagsspring', '@cyNo tagsspring']);
});
