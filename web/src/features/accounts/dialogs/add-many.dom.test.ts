import { expect, test } from 'vitest';
import { addAccount } from '#shared/contract/account-changes.ts';
import { findUser } from '#shared/contract/user.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

const ADDED = succeed(addAccount, { igUsername: 'any', igId: '17841400000000002' });
const PRIVATE = 'We can’t read @bob on Instagram.';
const LATER = 'Too many tries. Please try again in 5 minutes.';

test('pasted names are added one by one; who can’t be is listed, and what waits goes on later', async () => {
  const page = await openPage('/my-subscriptions', { user: OWNER });
  await page.getByRole('button', { name: 'Add account' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add new Instagram account' });
  await dialog.getByRole('button', { name: 'Paste several' }).click();
  const field = dialog.getByLabel('Instagram usernames');
  const add = dialog.getByRole('button', { name: 'Add accounts' });
  for (const [text, sentence] of [
    ['', 'Please paste at least one username.'],
    ['ada, no-name', 'These can’t be usernames: no-name'],
    [Array.from({ length: 61 }, (_, nth) => `name${nth}`).join('\n'), 'You have 61.'],
  ] as const) {
    await field.fill(text);
    await add.click();
    await dialog.getByText(sentence).waitFor();
  }
  expect(page.server.asked(addAccount)).toEqual([]);
  page.server.gives(findUser, OWNER);
  const replies = [ADDED, refuse('account_unreadable', PRIVATE), refuse('rate_limited', LATER)];
  page.server.next(addAccount, ...replies);
  await field.fill('@ada\nbob, cy di');
  await add.click();
  await dialog.getByText(LATER).waitFor();
  const lines = () => dialog.locator('li').texts();
  expect(lines()).toEqual([
    '@ada: Added',
    `@bob: Not added. ${PRIVATE}`,
    '@cy: Not added yet',
    '@di: Not added yet',
  ]);
  // Lost, so that it may be there by now: the same again connects nothing twice.
  page.server.next(addAccount, lose, ADDED, ADDED);
  const rest = dialog.getByRole('button', { name: 'Add the rest' });
  await rest.click();
  await dialog.getByText('It’s safe to try again').waitFor();
  await rest.click();
  await dialog.getByText('3 of 4 accounts added.').waitFor();
  await rest.waitFor({ state: 'gone' });
  const asked = page.server.asked(addAccount).map(({ input }) => input.igUsername);
  expect(asked).toEqual(['ada', 'bob', 'cy', 'cy', 'cy', 'di']);
});

test('who has just signed up pastes names beside the account they signed up with; who pays adds one by one', async () => {
  const account = accountExample({ accountPackageId: null, subscriptionState: null });
  const newcomer = await openPage('/my-subscriptions', {
    user: userExample({ connectedAccounts: [account], inSubscription: false }),
    copy: {},
  });
  await newcomer.button('Paste names').click();
  await newcomer.getByLabel('Instagram usernames').waitFor();
  const paying = await openPage('/my-subscriptions', { user: OWNER, copy: {} });
  await paying.button('Add account').waitFor();
  expect(paying.button('Paste names').count()).toBe(0);
});

test.each(['/dashboard', '/my-subscriptions'])(
  'a workspace without accounts begins by pasting names, and sees those that could be read: %s',
  async (path) => {
    const alone = { ...OWNER, connectedAccounts: [], defaultIgUsername: '', defaultIgId: '' };
    const page = await openPage(path, { user: { ...alone, inSubscription: true }, copy: {} });
    await page.getByRole('heading', { name: 'No accounts yet' }).waitFor();
    await page.button('Paste names').click();
    const dialog = page.getByRole('dialog', { name: 'Add new Instagram account' });
    const names = Array.from({ length: 20 }, (_, nth) => `branch.${nth}`);
    page.server.gives(addAccount, { igUsername: 'any', igId: '17841400000000002' });
    page.server.next(addAccount, refuse('account_unreadable', PRIVATE));
    page.server.gives(findUser, OWNER);
    await dialog.getByLabel('Instagram usernames').fill(names.join('\n'));
    await dialog.getByRole('button', { name: 'Add accounts' }).click();
    await dialog.getByText('19 of 20 accounts added.').waitFor();
    expect(dialog.locator('li').texts()[0]).toBe(`@branch.0: Not added. ${PRIVATE}`);
    await dialog.getByText('Nothing is charged until you choose plans for them.').waitFor();
  },
);
