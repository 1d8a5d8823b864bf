import { expect, test } from 'vitest';
import {
  type BulkItem,
  type BulkOperation,
  findBulk,
  findBulkItems,
  planBulk,
  startBulk,
} from '#shared/contract/accounts/bulk.ts';
import { ADDED_LIMIT } from '#shared/domain/accounts/bulk.ts';
import { accountExample, operationExample, userExample } from '#web/testing/examples.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const PRIVATE = 'We can’t read @bob on Instagram.';
const UNPAID = 'Before your first payment you can look up 20 accounts a day.';

const item = (igUsername: string, changes: Partial<BulkItem> = {}): BulkItem => ({
  position: 0,
  igUsername,
  change: { kind: 'add' },
  outcome: 'planned',
  reason: null,
  today: 0,
  month: 0,
  ...changes,
});
const operation = (changes: Partial<BulkOperation> = {}): BulkOperation =>
  operationExample({ state: 'running', kinds: ['add'], waiting: 2, done: 0, ...changes });

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Add several accounts' });

test('pasted names are checked first, then added by one operation; who can’t be is listed, and tried again', async () => {
  const page = await openPage('/my-subscriptions', {
    user: OWNER,
    replica: {},
    server: (server) => server.gives(findBulk, []),
  });
  await page.getByRole('button', { name: 'Add account' }).first().click();
  await page.getByRole('button', { name: 'Paste several' }).click();
  const dialog = dialogOf(page);
  const field = dialog.getByLabel('Instagram usernames');
  const check = dialog.getByRole('button', { name: 'Check the names' });
  const many = Array.from({ length: ADDED_LIMIT + 1 }, (_, nth) => `name${nth}`);
  for (const [text, sentence] of [
    ['', 'Please paste at least one username.'],
    ['no-name', 'Please paste at least one username.'],
    [many.join('\n'), `You have ${many.length}.`],
  ] as const) {
    await field.fill(text);
    await check.click();
    await dialog.getByText(sentence).waitFor();
  }
  expect(page.server.asked(planBulk)).toEqual([]);
  const items = [
    item('ada', { outcome: 'same' }),
    item('bob'),
    item('cy'),
    item('di', { outcome: 'refused', reason: UNPAID }),
  ].map((each, position) => ({ ...each, position }));
  page.server.gives(planBulk, { items, planned: 2, today: 0, month: 0 });
  await field.fill('@ada\nbob, cy;di, no-name\nbob');
  await check.click();
  await dialog.getByText('These can’t be usernames: no-name.').waitFor();
  await dialog.getByText('Listed more than once, added once: @bob.').waitFor();
  await dialog.getByText('1 account can’t be added.').waitFor();
  await dialog.getByText(`@di: ${UNPAID}`).waitFor();
  await dialog.getByText('1 account is already connected: @ada.').waitFor();
  await dialog.getByText('Nothing is charged until you choose plans for them.').waitFor();
  // Whoever goes back finds what they pasted.
  await dialog.getByRole('button', { name: 'Back' }).click();
  expect(await field.inputValue()).toBe('@ada\nbob, cy;di, no-name\nbob');
  await check.click();
  page.server.gives(startBulk, operation());
  page.server.gives(findBulk, [operation({ waiting: 1, done: 1 })]);
  await dialog.getByRole('button', { name: 'Add 2 accounts' }).click();
  await dialog.getByText('1 of 3 accounts added, 1 failed.').waitFor();
  page.server.gives(findBulkItems, [item('bob', { outcome: 'failed', reason: PRIVATE })]);
  page.server.gives(findBulk, [operation({ state: 'done', waiting: 0, done: 1, failed: 2 })]);
  await dialog.getByText('Done. 1 account added, 2 failed.').waitFor();
  await dialog.getByText(PRIVATE).waitFor();
  await dialog.getByRole('button', { name: 'Try these again' }).click();
  await expect
    .poll(() => page.server.asked(planBulk).at(-1)?.input.changes)
    .toEqual([{ igUsername: 'bob', change: { kind: 'add' } }]);
});

test('who has just signed up pastes names beside the account they signed up with; who pays adds one by one', async () => {
  const account = accountExample({ accountPackageId: null, subscriptionState: null });
  const newcomer = await openPage('/my-subscriptions', {
    user: userExample({ connectedAccounts: [account], inSubscription: false }),
    replica: {},
    server: (server) => server.gives(findBulk, []),
  });
  await newcomer.button('Paste names').click();
  await newcomer.getByLabel('Instagram usernames').waitFor();
  const paying = await openPage('/my-subscriptions', { user: OWNER, replica: {} });
  await paying.button('Add account').waitFor();
  expect(paying.button('Paste names').count()).toBe(0);
});

test.each(['/dashboard', '/my-subscriptions'])(
  'a workspace without accounts begins by pasting names: %s',
  async (path) => {
    const alone = { ...OWNER, connectedAccounts: [], defaultIgUsername: '', defaultIgId: '' };
    const page = await openPage(path, {
      user: { ...alone, inSubscription: true },
      replica: {},
      server: (server) => server.gives(findBulk, []),
    });
    await page.getByRole('heading', { name: 'No accounts yet' }).waitFor();
    await page.button('Paste names').click();
    const names = Array.from({ length: 20 }, (_, nth) => `branch.${nth}`);
    const items = names.map((name, position) => item(name, { position }));
    page.server.gives(planBulk, { items, planned: 20, today: 0, month: 0 });
    await dialogOf(page).getByLabel('Instagram usernames').fill(names.join('\n'));
    await dialogOf(page).getByRole('button', { name: 'Check the names' }).click();
    await dialogOf(page).getByRole('button', { name: 'Add 20 accounts' }).waitFor();
    expect(page.server.asked(planBulk)[0]?.input.changes).toHaveLength(20);
  },
);
