import { expect, test } from 'vitest';
import type { User } from '#shared/contract/people/user.ts';
import type { WalletChange } from '#shared/sync/entities.ts';
import { accountIdOf, type Rows } from '#web/testing/dom/replica.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { fillDisk } from '#web/testing/dom/full-disk.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, orderExample, userExample } from '#web/testing/examples.ts';
import { refuse } from '#web/testing/open-changes.ts';

const ago = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();
const CLIENT = { id: '0192d3c0-0000-7000-8000-0000000000d1', name: 'Bakery' };

const unreadable = accountExample({
  problem: 'unreadable',
  unreadableSince: ago(10),
  client: CLIENT,
});
const order = {
  ...orderExample({ id: '0192d3c0-0000-7000-8000-0000000000b1', state: 'Partial', delivered: 7 }),
  finishedAt: ago(20),
  accountId: accountIdOf(0),
};
/** Somebody asked for that: it is no alert. */
const stopped = {
  ...order,
  id: '0192d3c0-0000-7000-8000-0000000000b2',
  reasonCode: 'stopped' as const,
};
const wallet: WalletChange = {
  credits: 0,
  lockedBonus: 0,
  billingInfo: null,
  reachedBudgets: [
    { accountId: null, limit: 40, month: '2026-11', reachedAt: ago(30), until: ago(-60) },
  ],
};
const member = (role: 'Owner' | 'Viewer'): User =>
  userExample({
    connectedAccounts: [unreadable],
    membership: { workspaceId: CLIENT.id, role, people: 2, workspaces: [] },
  });
const open = (
  path: string,
  role: 'Owner' | 'Viewer',
  replica: Rows = {},
  now: () => number = () => NOW,
): Promise<Page> =>
  openPage(path, {
    user: member(role),
    platform: { now },
    status: { kind: 'offline', asOf: undefined },
    replica: { order: [order, stopped], wallet: [wallet], ...replica },
  });
const titles = (page: Page): string[] => page.getByRole('heading', { level: 2 }).texts();

test('the bell counts what is new, the list says what it is and leads to it, without network', async () => {
  const page = await open('/my-billing', 'Owner');
  await page.getByRole('link', { name: 'Alerts, 3 new', exact: true }).click();
  await page.waitForPath('/my-alerts');
  await expect
    .poll(() => titles(page))
    .toEqual([
      'New: @ada.paints can’t be read',
      'New: Delivery ended early: @ada.paints',
      'New: Budget reached: this workspace',
    ]);
  // What is looked at is read, and stays marked meanwhile.
  await page.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
  expect(titles(page)[0]).toContain('New:');
  await page.button('Manage @ada.paints').click();
  await page.getByRole('dialog', { name: 'Manage account' }).waitFor();
});

test('who may not read money is told of no money', async () => {
  const page = await open('/my-alerts', 'Viewer');
  await expect.poll(() => titles(page)).toHaveLength(2);
  expect(titles(page).join(' ')).not.toContain('Budget');
});

test('what is muted for a client is gone from the list, and heard again from the settings', async () => {
  const page = await open('/my-alerts', 'Owner');
  await page.button('Mute: @ada.paints can’t be read').click();
  await page.getByRole('menuitem', { name: 'Mute for Bakery' }).click();
  await expect.poll(() => titles(page)).toHaveLength(2);
  await page.getByRole('link', { name: /Choose your alerts/ }).click();
  await page.button('Unmute: Accounts that can’t be read, Bakery').click();
  await page.getByRole('checkbox', { name: 'Declined payments' }).waitFor();
  await page.getByRole('link', { name: /^Alerts/ }).click();
  await expect.poll(() => titles(page)).toHaveLength(3);
});

test('a mute that was refused, or that the device couldn’t keep, is not called muted', async () => {
  const page = await open('/my-alerts', 'Owner');
  const mute = async (): Promise<void> => {
    await page.button('Mute: @ada.paints can’t be read').click();
    await page.getByRole('menuitem', { name: 'Mute for Bakery' }).click();
  };
  await page.getByRole('link', { name: 'Alerts', exact: true }).waitFor();
  if (page.leader) page.leader.answer = refuse;
  page.leader?.say({ kind: 'live' });
  await mute();
  await page.toasts.getByText('Too few credits.').waitFor();
  await expect.poll(() => titles(page)).toHaveLength(3);
  fillDisk();
  await mute();
  await page.toasts.getByText('This device couldn’t save the change.').waitFor();
  expect(page.toasts.getByText(/^Muted/).count()).toBe(0);
});

test('a budget that is spent stands where one buys, until its month is over', async () => {
  const page = await open('/my-subscriptions', 'Owner');
  await page.getByText(/The November budget of \$40.00 is used up/).waitFor();
  const [reached] = wallet.reachedBudgets ?? [];
  const over = { ...wallet, reachedBudgets: reached ? [{ ...reached, until: ago(1) }] : [] };
  const later = await open('/my-alerts', 'Owner', { wallet: [over] });
  await expect.poll(() => titles(later)).toHaveLength(2);
});

test('a page that opens when the month is over says nothing of its budget, without a reload', async () => {
  let now = NOW;
  const page = await open('/my-subscriptions', 'Owner', {}, () => now);
  const goTo = async (name: string): Promise<void> => {
    await page.button(/^Menu for/).click();
    await page.getByRole('menuitem', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  await page.getByText(/The November budget of \$40.00 is used up/).waitFor();
  await goTo('Help');
  await goTo('Subscriptions');
  await page.getByText(/The November budget of \$40.00 is used up/).waitFor();
  await goTo('Help');
  now += 2 * 3_600_000;
  await goTo('Subscriptions');
  await page.getByRole('link', { name: 'Alerts, 2 new', exact: true }).waitFor();
  expect(page.getByText(/The November budget of \$40.00 is used up/).count()).toBe(0);
});

test('whoever has nothing to act on is told so', async () => {
  const page = await openPage('/my-alerts', { user: userExample(), replica: {} });
  await expect.poll(() => titles(page)).toEqual(['Nothing needs your attention']);
  // All is well: no drawing of something that is missing.
  expect(page.locator('main svg').count()).toBe(0);
});
