import { expect, test } from 'vitest';
import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

const SHARED: AccountView = {
  id: '01890000-0000-7000-8000-0000000000b1',
  name: 'Paused',
  search: '?where.state=Paused',
  isShared: true,
};
const OWN: AccountView = {
  id: '01890000-0000-7000-8000-0000000000b2',
  name: 'Paused',
  search: '?sort=plan',
  isShared: false,
};

/** The table of somebody in a workspace of three. */
async function openAs(
  role: Role,
  views: readonly AccountView[] = [SHARED, OWN],
  path = '/my-subscriptions?q=',
): Promise<Page> {
  const workspaceId = '0192d3c0-0000-7000-8000-000000000001';
  const membership = { workspaceId, role, people: 3, workspaces: [] };
  const user = userExample({
    membership,
    connectedAccounts: [
      accountExample({ igUsername: 'one', subscriptionState: 'Paused' }),
      accountExample({ igUsername: 'two', igId: '17841400000000002' }),
    ],
  });
  const { id, name, email, phone, timeZone, package: plan, inSubscription, isDemoData } = user;
  const person = { id, name, email, phone, timeZone, package: plan, inSubscription, isDemoData };
  const preferences = {
    density: 'comfortable',
    activeAccountId: null,
    pinnedAccountIds: [],
  } as const;
  const row = {
    ...person,
    membership,
    defaultAccountId: null,
    preferences: { ...preferences, pinnedAccountIds: [] },
    views: [...views],
  };
  const status = { kind: 'offline', asOf: 0 } as const;
  const page = await openPage(path, { user, replica: { user: [row] }, status });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  return page;
}

const viewsOf = (page: Page): string[] =>
  page
    .locator('ul[aria-label="Views"] button')
    .texts()
    .filter((text) => text !== '');

test('a manager saves a view for all, renames it, and keeps it to themselves again', async () => {
  const page = await openAs('Manager', []);
  await page.button('Plan').click();
  await page.button('Save as a view').click();
  await page.getByLabel('Name of this view', { exact: true }).fill('By plan');
  await page.getByLabel('Share with the workspace', { exact: true }).click();
  await page.button('Save').click();
  await page.waitForPath('/my-subscriptions?view=By+plan');
  expect(viewsOf(page)).toEqual(['All accounts', 'By plan (shared)']);
  await page.button('Rename').click();
  await page.getByLabel('Name of this view', { exact: true }).fill('Dearest first');
  await page.button('Save').click();
  await page.waitForPath('/my-subscriptions?view=Dearest+first');
  await page.button('Stop sharing').click();
  await page.getByText('“Dearest first” is now only yours.').waitFor();
  await expect.poll(() => viewsOf(page)).toEqual(['All accounts', 'Dearest first']);
});

test('a shared view goes for all only when that is confirmed', async () => {
  const page = await openAs('Owner', [SHARED]);
  await page.button('Remove the view Paused').click();
  await page.getByText('Remove “Paused” for everyone in this workspace?').waitFor();
  await page.button('Keep it').click();
  expect(viewsOf(page)).toEqual(['All accounts', 'Paused (shared)']);
  await page.button('Remove the view Paused').click();
  await page.button('Remove for everyone').click();
  await page.waitForPath('/my-subscriptions');
  await expect.poll(() => viewsOf(page)).toEqual([]);
});

test('the focus stays with the view: asked about, saved, renamed or changed back', async () => {
  const page = await openAs('Owner', [SHARED]);
  const isFocused = (button: string): Promise<boolean> => page.button(button).isFocused();
  await page.button('Remove the view Paused').click();
  const keep = await page.button('Keep it').one();
  await expect.poll(() => document.activeElement).toBe(keep.parentElement);
  await page.button('Keep it').click();
  expect(await isFocused('Remove the view Paused')).toBe(true);
  await page.button('Rename').click();
  await page.button('Cancel').click();
  expect(await isFocused('Rename')).toBe(true);
  await page.button('Plan').click();
  await page.button('Undo changes').click();
  expect(await isFocused('Paused (shared)')).toBe(true);
  await page.button('Plan').click();
  await page.button('Save as a view').click();
  const name = page.getByLabel('Name of this view', { exact: true });
  await expect.poll(() => name.isFocused()).toBe(true);
  await page.button('Cancel').click();
  expect(await isFocused('Save as a view')).toBe(true);
  await page.button('Save as a view').click();
  await name.fill('By plan');
  await page.button('Save').click();
  await page.waitForPath('/my-subscriptions?view=By+plan');
  await expect.poll(() => isFocused('By plan')).toBe(true);
  await page.button('Remove the view Paused').click();
  await page.button('Remove for everyone').click();
  await page.button('Remove the view Paused').waitFor({ state: 'gone' });
  expect(document.activeElement).not.toBe(document.body);
});

test('who may not share opens shared views, and has no button that changes one', async () => {
  const page = await openAs('Editor', [SHARED]);
  await page.button('Paused (shared)').click();
  await page.waitForPath('/my-subscriptions?view=Paused');
  expect(page.button('Rename').count() + page.button('Stop sharing').count()).toBe(0);
  expect(page.button('Remove the view Paused').count()).toBe(0);
  await page.button('Plan').click();
  await page.getByText('Unsaved changes').waitFor();
  await page.button('Save as a view').click();
  expect(page.getByLabel('Share with the workspace', { exact: true }).count()).toBe(0);
  await page.getByLabel('Name of this view', { exact: true }).fill('Paused');
  await page.button('Save').click();
  // An own one of the same name is told apart by its id in the address.
  await expect.poll(() => viewsOf(page)).toEqual(['All accounts', 'Paused (shared)', 'Paused']);
  await expect.poll(() => location.search).toMatch(/^\?view=[\da-f-]{36}$/);
});

test('a link to a view opens it as it was saved', async () => {
  const page = await openAs('Viewer', [SHARED], '/my-subscriptions?view=Paused');
  await expect.poll(() => page.getByRole('row').count()).toBe(3);
  expect(page.getByText('Unsaved changes').count()).toBe(0);
});

test('a link to one of two views of a name opens that one', async () => {
  const page = await openAs('Viewer', [SHARED, OWN], `/my-subscriptions?view=${OWN.id}`);
  expect(page.getByRole('row').count()).toBe(4);
});

test('an address of a view that is gone says so, until something else is chosen', async () => {
  const page = await openAs('Owner', [SHARED], '/my-subscriptions?view=Dearest');
  await page.getByText('The view “Dearest” is no longer there').waitFor();
  await page.button('All accounts').click();
  await page.getByText('The view “Dearest” is no longer there').waitFor({ state: 'gone' });
  const byId = await openAs('Owner', [], `/my-subscriptions?view=${OWN.id}`);
  await byId.getByText('The view of this address is no longer there').waitFor();
  expect(byId.getByText(OWN.id).count()).toBe(0);
});

test('a filter of the address that can’t be read is named until something else is asked for', async () => {
  const page = await openAs('Owner', [], '/my-subscriptions?where.plan=none');
  const said = page.getByText('a filter that can’t be read and isn’t applied: plan=none.');
  await said.waitFor();
  await page.locator('input[type="search"]').fill('o');
  await expect.poll(() => said.count()).toBe(0);
});
