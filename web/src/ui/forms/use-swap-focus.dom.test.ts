import { expect, test } from 'vitest';
import { findClients, saveClient } from '#shared/contract/accounts/clients.ts';
import { findTeam, type Team } from '#shared/contract/people/team.ts';
import type { User } from '#shared/contract/people/user.ts';
import { manage, OWNER } from '#web/testing/dom/customer-forms.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { readingOf } from '#web/testing/dom/reading.ts';

const WORKSPACE = '0192d3c0-0000-7000-8000-00000000e001';
const since = '2026-11-20T09:00:00.000Z';
const ADA = { id: OWNER.id, name: 'Ada', email: OWNER.email, spendLimit: null, since };
const BOB = { ...ADA, id: '0192d3c0-0000-7000-8000-00000000e003', name: 'Bob' };
const TEAM: Team = {
  members: [
    { ...ADA, role: 'Owner', isThis: true },
    { ...BOB, role: 'Manager', isThis: false },
  ],
  invitations: [],
};
const client = { accounts: 3, archivedAt: null };
const CLIENTS = [
  { ...client, id: '0192d3c0-0000-7000-8000-0000000000c1', name: 'Bakery' },
  { ...client, id: '0192d3c0-0000-7000-8000-0000000000c2', name: 'Cinema' },
];
const USER: User = {
  ...OWNER,
  membership: { workspaceId: WORKSPACE, role: 'Owner', people: 2, workspaces: [] },
};

const open = (path: string, user = USER): Promise<Page> =>
  openPage(path, {
    user,
    replica: {},
    server: (server) => {
      server.gives(findTeam, TEAM);
      server.gives(findClients, CLIENTS);
    },
  });

const QUESTION = 'the question';
/** Where a button makes place, what gets the focus there, and how that is left again. */
type Swap = [path: string, button: string, opened: string, leave: string];

const SWAPS: Swap[] = [
  ['/my-team', 'Change role: Bob', 'Role', 'Cancel'],
  ['/my-team', 'Clients: Bob', 'All clients, as manager', 'Cancel'],
  ['/my-team', 'Make owner: Bob', 'Your password, to hand over', 'Cancel'],
  ['/my-team', 'Remove: Bob', QUESTION, 'Cancel'],
  ['/my-team', 'Rename: Bakery', 'Name of Bakery', 'Cancel'],
  ['/my-team', 'Merge: Bakery', 'Merge Bakery with', 'Cancel'],
  ['/my-team', 'Budget: Bakery', QUESTION, 'Close'],
  ['/my-team', 'Leave', QUESTION, 'Stay'],
  ['/my-billing', 'Replace card', 'Cardholder name', 'Keep the old card'],
  ['/my-settings', 'Delete account', 'Your password, to delete your account', 'Keep my account'],
];

/** A question has the focus as a whole: none of its answers is given by a key that is still down. */
function focused(answer: Element): string {
  const { activeElement, body } = document;
  if (!activeElement || activeElement === body || activeElement === answer) return 'nothing';
  return activeElement.contains(answer) ? QUESTION : readingOf(activeElement).name(activeElement);
}

test.each(SWAPS)('%s: the focus goes where “%s” leads, and back', async (path, ...names) => {
  const [button, opened, leave] = names;
  const page = await open(path);
  await page.button(button).click();
  const answer = await page.button(leave).one();
  await expect.poll(() => focused(answer)).toBe(opened);
  await page.button(leave).click();
  expect(await page.button(button).isFocused()).toBe(true);
});

test('an answer that was given goes back to its button, too', async () => {
  const page = await open('/my-team');
  await page.button('Rename: Bakery').click();
  page.server.gives(saveClient, CLIENTS);
  await page.button('Save name').click();
  expect(await page.button('Rename: Bakery').isFocused()).toBe(true);
});

test('the budget of an account opens where its button was', async () => {
  const page = await open('/my-subscriptions');
  await page.button(/^Manage @/).click();
  const dialog = page.getByRole('dialog', { name: 'Manage account' });
  await dialog.getByRole('button', { name: 'Monthly budget' }).click();
  await dialog.getByText('We couldn’t load the budget.').waitFor();
  expect(document.activeElement?.textContent).toMatch(/^We couldn’t load the budget\./);
});

test('the ways out of a plan, and the question of one, give the focus back', async () => {
  const page = await open('/my-subscriptions');
  await manage('Manage subscription')(page);
  const dialog = page.getByRole('dialog', { name: 'Manage subscription' });
  const isBack = async (button: string, leave: string): Promise<void> => {
    await dialog.getByRole('button', { name: leave }).click();
    expect(await dialog.getByRole('button', { name: button }).isFocused()).toBe(true);
  };
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByRole('button', { name: 'Stop likes today' }).click();
  const yes = await dialog.getByRole('button', { name: 'Yes, stop now' }).one();
  expect(document.activeElement).toBe(yes.parentElement);
  await isBack('Stop likes today', 'Keep my plan');
  await isBack('Cancel subscription', 'Back');
});
