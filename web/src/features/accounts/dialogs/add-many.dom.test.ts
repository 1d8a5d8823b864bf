import { expect, test } from 'vitest';
import { addAccount } from '#shared/contract/account-changes.ts';
import { findUser } from '#shared/contract/user.ts';
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
    [Array.from({ length: 21 }, (_, nth) => `name${nth}`).join('\n'), 'You have 21.'],
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
