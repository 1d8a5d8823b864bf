import { beforeEach, expect, test } from 'vitest';
import { accountIdOf, postRow } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, orderExample, userExample } from '#web/testing/examples.ts';

const PLANS = [1, 2, 3] as const;
/** Names that begin with different letters, plans that differ. */
const accounts = Array.from({ length: 9 }, (_, nth) =>
  accountExample({
    igUsername: `${'abc'[nth % 3] ?? ''}.account${nth}`,
    igId: `178414000000000${String(nth).padStart(2, '0')}`,
    accountPackageId: PLANS[nth % 3] ?? 1,
    tags: nth < 2 ? ['VIP'] : [],
    subscriptionState: nth === 5 ? 'Paused' : 'Active',
  }),
);
const user = userExample({ connectedAccounts: accounts });

let page: Page;
beforeEach(async () => {
  page = await openPage('/my-subscriptions?q=', {
    user,
    replica: {},
    status: { kind: 'offline', asOf: 0 },
  });
  await grid().waitFor();
});

const grid = () => page.getByRole('grid', { name: 'Connected accounts' });
const names = (): string[] =>
  [...document.querySelectorAll('[role="grid"] [data-column="1"]')].map((cell) => cell.textContent);
/** Where the grid says that somebody is. */
const active = (): string => {
  const id = document.querySelector('[role="grid"]')?.getAttribute('aria-activedescendant') ?? '';
  return document.getElementById(id)?.textContent ?? '';
};
const selected = (): string[] =>
  [...document.querySelectorAll('[role="row"][aria-selected="true"] [data-column="1"]')].map(
    (cell) => cell.textContent,
  );
const focus = (): void => document.querySelector<HTMLElement>('[role="grid"]')?.focus();
/** Presses keys where the focus is; `+` holds the ones before. */
async function press(...strokes: string[]): Promise<void> {
  for (const stroke of strokes) {
    const keys = stroke === '+' ? ['+'] : stroke.split('+');
    const key = keys.at(-1) === 'Space' ? ' ' : (keys.at(-1) ?? '');
    const held = { shiftKey: keys.includes('Shift'), ctrlKey: keys.includes('Control') };
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(
      new KeyboardEvent('keydown', { key, ...held, bubbles: true, cancelable: true }),
    );
    await new Promise((resolve) => setTimeout(resolve));
  }
}

test('the grid is one tab stop, and all that is in it is reached by keys', async () => {
  const stops = [
    ...document.querySelectorAll<HTMLElement>('[role="grid"], [role="grid"] *'),
  ].filter(({ tabIndex }) => tabIndex >= 0);
  expect(stops.map((element) => element.getAttribute('role'))).toEqual(['grid']);
  focus();
  await press('ArrowRight', 'ArrowDown', 'ArrowDown');
  expect(active()).toBe('@a.account6');
  await press('Home', 'Control+End');
  expect(active()).toBe('Manage');
  await press('Enter');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Manage @c.account8');
  await press('Escape');
  expect(document.activeElement?.getAttribute('role')).toBe('grid');
  await press('Control+Home', 'ArrowRight');
  expect(active()).toBe('@a.account0');
});

test('a control that has the focus never becomes another account’s: the grid takes the focus', async () => {
  focus();
  await press('Control+End', 'Enter');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Manage @c.account8');
  document.querySelector<HTMLElement>('[role="columnheader"] button')?.click();
  await expect.poll(() => names()[0]).toBe('@c.account8');
  expect(document.activeElement?.getAttribute('role')).toBe('grid');
});

test('a row that goes leaves the focus to the grid', async () => {
  focus();
  await press('Control+End', 'Enter');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Manage @c.account8');
  // By whatever else than hands: the focus stays where it is.
  const search = document.querySelector<HTMLInputElement>('input[type="search"]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, '@a.');
  search?.dispatchEvent(new Event('input', { bubbles: true }));
  await expect.poll(() => names().includes('@c.account8')).toBe(false);
  expect(document.activeElement?.getAttribute('role')).toBe('grid');
});

test('keys that follow a press of a row’s box are the grid’s', async () => {
  document.querySelector<HTMLElement>('[data-row="2"] [data-choose]')?.click();
  await press('Shift+ArrowDown');
  expect(selected()).toHaveLength(2);
  await press('Control+a');
  await page.getByText('All 9 that match', { exact: true }).waitFor();
});

test('the sums are the last of the rows that the grid says it has, and say once what they are of', async () => {
  const last = [...document.querySelectorAll('[role="grid"] [role="row"]')].at(-1);
  const label = last?.firstElementChild;
  expect(last?.querySelectorAll('[aria-label]')).toHaveLength(0);
  expect(label?.textContent).toBe('Total');
  focus();
  await press('Shift+ArrowDown');
  await expect.poll(() => label?.textContent).toBe('Total of 2 selected');
  const count = document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount');
  expect(last?.getAttribute('aria-rowindex')).toBe(count);
});

test('how many accounts there are, and how many of them match, stands without choosing any', async () => {
  const all = page.getByText('9 accounts', { exact: true });
  await expect.poll(() => all.count()).toBe(1);
  page = await openPage('/my-subscriptions?where.name=nobody', { user, replica: {} });
  const found = page.getByText('0 of 9 accounts');
  await expect.poll(() => found.count()).toBe(1);
});

test('a cell that is cut off says all it has while the mouse is on it', () => {
  const cell = document.querySelector<HTMLElement>('[data-row="0"] [data-label="Tags"]');
  const enter = (): void =>
    void cell?.firstElementChild?.dispatchEvent(new Event('pointerover', { bubbles: true }));
  enter();
  expect(cell?.hasAttribute('title')).toBe(false);
  if (cell) Object.defineProperty(cell, 'scrollWidth', { value: innerWidth + 1 });
  enter();
  expect(cell?.title).toBe('VIP');
  cell?.dispatchEvent(new Event('pointerout', { bubbles: true }));
  expect(cell?.hasAttribute('title')).toBe(false);
});

test('a range grows and shrinks with Shift, beside what was chosen before', async () => {
  focus();
  await press('Space', 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown');
  expect(selected()).toEqual(['@a.account0', '@a.account6', '@b.account1', '@b.account4']);
  await press('Shift+ArrowUp');
  expect(selected()).toEqual(['@a.account0', '@a.account6', '@b.account1']);
  await page.getByText('3 selected', { exact: true }).waitFor();
});

test('all that match can be chosen, without some, and a filter leaves what was chosen as it was', async () => {
  focus();
  await press('Control+a', 'ArrowDown', 'Space');
  await page.getByText('All 9 that match, without 1', { exact: true }).waitFor();
  await page.locator('input[type="search"]').fill('paused');
  await page.getByText('8 selected, 7 of them not in this list', { exact: true }).waitFor();
  expect(names()).toEqual(['@c.account5']);
  await page.button('Clear selection').click();
  expect(selected()).toEqual([]);
});

test('typing goes to the next account whose name begins so', async () => {
  focus();
  await press('b');
  await press('ArrowRight');
  expect(active()).toBe('@b.account1');
});

test('heads sort, by several columns with Shift, from the keyboard as by a press', async () => {
  focus();
  await press('ArrowUp', 'ArrowRight', 'Enter');
  await expect.poll(() => names()[0]).toBe('@c.account8');
  await page.button('Plan').click();
  await expect.poll(() => names()[0]).toBe('@a.account0');
  await press('Escape', 'Shift+Enter');
  await page.waitForPath('/my-subscriptions?sort=plan%2Cname');
  await press('Shift+Enter');
  await expect.poll(() => names()[0]).toBe('@a.account6');
  const head = page.locator('[role="columnheader"][aria-sort="ascending"]');
  expect(head.texts()[0]).toMatch(/^Plan/);
});

test('a filter is a chip that can be changed and taken away', async () => {
  await page.button('Filter').click();
  await page.getByLabel('Column', { exact: true }).selectOption('Plan');
  await page.getByLabel('From', { exact: true }).fill('200');
  await page.button('Apply').click();
  await page.button('Plan: at least 200').waitFor();
  await expect.poll(() => names()).toHaveLength(3);
  await page.button('Remove the filter Plan: at least 200').click();
  await expect.poll(() => names().length).toBe(9);
  await page.button('Filter').click();
  await page.getByLabel('Column', { exact: true }).selectOption('Tags');
  await page.getByLabel('VIP', { exact: true }).click();
  await page.button('Apply').click();
  await expect.poll(() => names()).toEqual(['@a.account0', '@b.account1']);
});

test('a view is saved, opened by its address, and says when something of it was changed', async () => {
  await page.button('Plan').click();
  await page.button('Save as a view').click();
  await page.getByLabel('Name of this view', { exact: true }).fill('By plan');
  await page.button('Save').click();
  await page.waitForPath('/my-subscriptions?view=By+plan');
  expect(page.getByText('Unsaved changes').count()).toBe(0);
  await page.button('Plan').click();
  await page.getByText('Unsaved changes').waitFor();
  await page.waitForPath('/my-subscriptions?view=By+plan&sort=-plan');
  await page.button('Undo changes').click();
  await page.waitForPath('/my-subscriptions?view=By+plan');
  await page.button('All accounts').click();
  await page.waitForPath('/my-subscriptions');
});

test('columns can be left out, brought in and moved, and a file has those that are shown', async () => {
  await page.button('Columns').click();
  await page.getByLabel('Followers', { exact: true }).click();
  await page.getByLabel('Tags', { exact: true }).click();
  await page.button('Move Status left').click();
  const heads = (): string[] => page.locator('[role="columnheader"]').texts();
  await expect.poll(() => heads().slice(1, 3)).toEqual(['Status', 'Account']);
  expect(heads()).toContain('Followers');
  expect(heads()).not.toContain('Tags');
  await page.button('Download CSV').click();
  await page.getByRole('dialog', { name: 'What’s in the file' }).getByText('9 rows, ').waitFor();
});

test('a file waits for the first reading to end, so that no row is missing in it', async () => {
  page = await openPage('/my-subscriptions?q=', {
    user,
    replica: {},
    status: { kind: 'syncing', asOf: undefined },
  });
  await grid().waitFor();
  const isOff = (): boolean => {
    const buttons = [...document.querySelectorAll('button')];
    return buttons.find(({ textContent }) => textContent === 'Download CSV')?.disabled ?? false;
  };
  await expect.poll(isOff).toBe(true);
  page.leader?.say({ kind: 'live' });
  await expect.poll(isOff).toBe(false);
});

test('several accounts are tagged offline: what changes is shown first, and then there at once', async () => {
  focus();
  await press('Shift+ArrowDown', 'Shift+ArrowDown');
  await page.button('Change tags').click();
  const dialog = page.getByRole('dialog', { name: 'Change tags' });
  await dialog.getByText('on 1 of 3').waitFor();
  await dialog.getByLabel('Add a tag', { exact: true }).fill('spring');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('will be added to 3').waitFor();
  await dialog.getByRole('button', { name: 'Check the changes' }).click();
  await dialog.getByText('Tags change on this device now').waitFor();
  const rows = document.querySelectorAll('[aria-label="What changes"] tbody tr');
  expect([...rows].map((row) => row.textContent)).toEqual([
    '@a.account0VIPspring, VIP',
    '@a.account3No tagsspring',
    '@a.account6No tagsspring',
  ]);
  await dialog.getByRole('button', { name: 'Change the tags of 3 accounts' }).click();
  await dialog.waitFor({ state: 'gone' });
  await page
    .getByText('Tags changed on this device. We’ll send them when you’re back online.')
    .waitFor();
  await expect
    .poll(() => document.querySelector('[data-row="0"] [data-column="2"]')?.textContent)
    .toBe('springVIP');
});

test('figures of posts and orders stand in the columns, and their sums in the foot', async () => {
  const replica = {
    post: ['1', '2'].map((id) => postRow({ id, igId: accounts[0]?.igId ?? '' })),
    order: [
      {
        ...orderExample({
          igId: accounts[0]?.igId ?? '',
          delivered: 1234,
          reason: 'It fell short.',
        }),
        accountId: accountIdOf(0),
      },
    ],
  };
  page = await openPage('/my-subscriptions?q=', { user, replica });
  await grid().waitFor();
  const cell = (label: string): string | undefined =>
    document.querySelector(`[data-row="0"] [data-label="${label}"]`)?.textContent;
  await expect.poll(() => cell('Delivered this month')).toBe('1,234');
  expect(cell('Posts this month')).toBe('2');
  expect(cell('Detected in')).toBe('12 s');
  const head = [...document.querySelectorAll('[role="columnheader"] button')];
  const detected = head.find(({ textContent }) => textContent === 'Detected in');
  expect(detected?.getAttribute('title')).toContain('95 of 100 posts within this time');
  expect(cell('Likes kept')).toBe('100%');
  expect(cell('Last problem')).toMatch(/: It fell short\.$/);
  expect(page.getByRole('row').last().texts()[0]).toContain('1,234');
});

test('who has few accounts sees a list, and gets the tools on request', async () => {
  page = await openPage('/my-subscriptions', { user: userExample(), replica: {} });
  await page.getByRole('table', { name: 'Connected accounts' }).waitFor();
  expect(page.getByRole('checkbox').count()).toBe(0);
  await page.button('Tags and filters').click();
  await grid().waitFor();
});
