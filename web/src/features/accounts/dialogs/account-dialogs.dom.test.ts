import { expect, test } from 'vitest';
import {
  addAccount,
  lookUpAccount,
  removeAccount,
  updateUsername,
} from '#shared/contract/accounts/account-changes.ts';
import { findUser, type User } from '#shared/contract/people/user.ts';
import { manage, OWNER } from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { expectLoads } from '#web/testing/dom/loading-button.ts';
import type { Locator } from '#web/testing/dom/locator.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, unpaidAccount, userExample } from '#web/testing/examples.ts';

const UNREADABLE =
  'This account can’t be read: it may be private, personal or age-restricted, or renamed.';
const FOUND = succeed(lookUpAccount, {
  igUsername: 'second.one',
  igId: '17841400000000002',
  followers: 12,
  isConnected: false,
  standing: 'free',
});
const WITH_SECOND = userExample({
  connectedAccounts: [
    accountExample(),
    unpaidAccount({ igUsername: 'second.one', igId: '17841400000000002' }),
  ],
});

async function adding(user: User = OWNER): Promise<{ page: Page; dialog: Locator }> {
  const page = await openPage('/my-subscriptions', { user });
  await page.getByRole('button', { name: 'Add account' }).first().click();
  return { page, dialog: page.getByRole('dialog', { name: 'Add new Instagram account' }) };
}

const lookUp = async (dialog: Locator, name: string): Promise<void> => {
  await dialog.getByLabel('Instagram username').fill(name);
  await dialog.getByRole('button', { name: 'Look up' }).click();
};

// Shows facts 1.16, 2.07, 2.56, 2.83, 4.05, 8.10, 8.11.
test('adding an account: each way it can fail says why, then "Instagram account found" leads over the plan to the payment', async () => {
  const { page, dialog } = await adding({ ...OWNER, billingInfo: null });
  const field = dialog.getByLabel('Instagram username');
  for (const wrong of ['', 'two words', 'x'.repeat(31), 'דנה']) {
    await lookUp(dialog, wrong);
    await dialog.getByText('Please enter a username: 1 to 30 letters').waitFor();
    expect(await field.inputValue()).toBe(wrong);
  }
  expect(page.server.asked(lookUpAccount)).toEqual([]);
  for (const [code, message] of [
    ['account_unreadable', UNREADABLE],
    [
      'network_throttled',
      'Instagram is limiting our requests right now. Please try again shortly.',
    ],
    ['network_unreachable', 'Instagram isn’t responding right now.'],
  ] as const) {
    page.server.next(lookUpAccount, refuse(code, message));
    await lookUp(dialog, 'second.one');
    await dialog.getByText(message).waitFor();
    expect(page.toasts.count()).toBe(0);
    expect(await field.inputValue()).toBe('');
  }
  page.server.next(lookUpAccount, lose);
  await lookUp(dialog, 'second.one');
  await dialog.getByText('We couldn’t reach the server.').waitFor();
  expect(await field.inputValue()).toBe('second.one');
  page.server.on(lookUpAccount, FOUND);
  await lookUp(dialog, '  @Second.One ');
  await page.toasts.getByText('Instagram account found').waitFor();
  // Looking up connects nothing.
  expect(page.server.asked(addAccount)).toEqual([]);
  expect(page.getByRole('button', { name: 'Manage @second.one' }).count()).toBe(0);
  page.server.gives(addAccount, { igUsername: 'second.one', igId: '17841400000000002' });
  page.server.gives(findUser, WITH_SECOND);
  await dialog.getByRole('button', { name: 'Add this account' }).click();
  await dialog.getByLabel('Choose Your plan').selectOption('2');
  await dialog.getByRole('button', { name: 'Go to payment' }).click();
  await expect
    .poll(() => page.path)
    .toBe('/other-account-subscription?packageValue=2&defaultIgUsername=second.one');
});

test('with a saved card the press that adds an account leads to the press that pays for it', async () => {
  const { page, dialog } = await adding();
  page.server.on(lookUpAccount, FOUND);
  await lookUp(dialog, 'https://www.instagram.com/second.one/?hl=en');
  await dialog.getByText('pay with your saved card. Nothing is charged').waitFor();
  expect(page.server.asked(lookUpAccount)[0]?.input).toMatchObject({ igUsername: 'second.one' });
  page.server.gives(addAccount, { igUsername: 'second.one', igId: '17841400000000002' });
  page.server.gives(findUser, { ...WITH_SECOND, billingInfo: OWNER.billingInfo });
  await dialog.getByRole('button', { name: 'Add this account' }).click();
  await page.waitForPath('/other-account-subscription?packageValue=1&defaultIgUsername=second.one');
  const pay = page.button('Pay $9.99 with the card ending in 242');
  expect(await pay.isEnabled()).toBe(true);
});

test('an account without a plan is removed after one question, and can be added again', async () => {
  const page = await openPage('/my-subscriptions', { user: WITH_SECOND });
  await page.getByRole('button', { name: 'Manage @second.one' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove account' });
  page.server.gives(removeAccount, OWNER);
  page.server.gives(findUser, OWNER);
  await dialog.getByRole('button', { name: 'Remove account' }).click();
  await page.toasts.getByText('@second.one was removed').waitFor();
  await page.getByRole('button', { name: 'Manage @second.one' }).waitFor({ state: 'gone' });
  await page.getByRole('button', { name: 'Add account' }).first().click();
  const add = page.getByRole('dialog', { name: 'Add new Instagram account' });
  page.server.on(lookUpAccount, FOUND);
  await lookUp(add, 'second.one');
  page.server.gives(addAccount, { igUsername: 'second.one', igId: '17841400000000002' });
  page.server.gives(findUser, WITH_SECOND);
  await add.getByRole('button', { name: 'Add this account' }).click();
  await expect.poll(() => page.getByText('@second.one').count()).toBeGreaterThan(0);
});

// Shows facts 2.57, 4.06, 5.26, 5.27, 8.12.
test('a username may be changed once every 48 hours; afterwards the account’s own plan is shown', async () => {
  const page = await openPage('/my-subscriptions', { user: OWNER });
  await manage('Change username')(page);
  const dialog = page.getByRole('dialog', { name: 'Change username' });
  const field = dialog.getByLabel('New Instagram username');
  const change = dialog.getByRole('button', { name: 'Change username' });
  await dialog.getByText('may be changed once every 48 hours').waitFor();
  const tooSoon = 'The username can be changed once every 48 hours. Please try again in 47 hours.';
  for (const [code, message] of [
    ['account_unreadable', UNREADABLE],
    ['username_changed_recently', tooSoon],
  ] as const) {
    page.server.next(updateUsername, refuse(code, message));
    await field.fill('new.name');
    await change.click();
    await dialog.getByText(message).waitFor();
    expect(await field.inputValue()).toBe('new.name');
    expect(page.toasts.count()).toBe(0);
  }
  const renamed = userExample({
    defaultIgUsername: 'new.name',
    connectedAccounts: [accountExample({ igUsername: 'new.name' })],
  });
  page.server.gives(updateUsername, renamed);
  page.server.gives(findUser, renamed);
  await field.fill('https://instagram.com/new.name/');
  await change.click();
  await expect
    .poll(() => page.path)
    .toBe('/other-account-subscription?packageValue=1&defaultIgUsername=new.name');
  await page.getByText('@new.name already has a plan with 50 likes per post').waitFor();
  // Nothing is paid, so it's no checkout, and what was done is said there.
  await page.getByRole('heading', { name: 'Your plan', level: 1 }).waitFor();
  await page.toasts.getByText('Username changed', { exact: true }).waitFor();
});

// Shows facts 4.10, 8.12.
test('the buttons that look an account up and rename one are idle, loading, and idle again', async () => {
  const { page, dialog } = await adding();
  await dialog.getByLabel('Instagram username').fill('second.one');
  await expectLoads(page, dialog.getByRole('button', { name: 'Look up' }), lookUpAccount);
  const other = await openPage('/my-subscriptions', { user: OWNER });
  await manage('Change username')(other);
  const rename = other.getByRole('dialog', { name: 'Change username' });
  await rename.getByLabel('New Instagram username').fill('another.name');
  await expectLoads(other, rename.getByRole('button', { name: 'Change username' }), updateUsername);
  await rename.getByText('We couldn’t reach the server').waitFor();
  expect(await rename.getByLabel('New Instagram username').inputValue()).toBe('another.name');
});
