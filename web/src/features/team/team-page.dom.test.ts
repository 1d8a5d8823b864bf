import { expect, test } from 'vitest';
import {
  changeMember,
  findTeam,
  handOver,
  inviteMember,
  leaveWorkspace,
  removeMember,
  type Team,
  withdrawInvitation,
} from '#shared/contract/people/team.ts';
import { switchWorkspace } from '#shared/contract/people/workspace.ts';
import type { User } from '#shared/contract/people/user.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { LocalDatabase } from '#web/replica/store/local-database.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { fillDisk } from '#web/testing/dom/full-disk.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { postRow } from '#web/testing/dom/replica.ts';

const HERE = '0192d3c0-0000-7000-8000-00000000e001';
const ELSEWHERE = '0192d3c0-0000-7000-8000-00000000e002';
const BOB = '0192d3c0-0000-7000-8000-00000000e003';
const since = '2026-11-20T09:00:00.000Z';

const TEAM: Team = {
  members: [
    {
      id: OWNER.id,
      name: 'Ada Lovelace',
      email: OWNER.email,
      role: 'Owner',
      spendLimit: null,
      since,
      isThis: true,
    },
    {
      id: BOB,
      name: 'Bob Boole',
      email: 'bob@example.test',
      role: 'Manager',
      spendLimit: 50,
      since,
      isThis: false,
    },
  ],
  invitations: [],
};

const as = (role: Role): User => ({
  ...OWNER,
  membership: {
    workspaceId: HERE,
    role,
    people: 2,
    workspaces: [
      { id: HERE, name: 'Ada Lovelace', role },
      { id: ELSEWHERE, name: 'Eve Elsewhere', role: 'Viewer' },
    ],
  },
});

const open = (path: string, role: Role, team: Team = TEAM): Promise<Page> =>
  openPage(path, { user: as(role), replica: {}, server: (server) => server.gives(findTeam, team) });

test('an owner invites for single clients, sees who was invited, and withdraws it', async () => {
  const page = await open('/my-team', 'Owner');
  await page.getByText('bob@example.test, Manager, up to $50.00 a month').waitFor();
  await page.button('Send invitation').click();
  await page.getByText('Please enter a valid email').waitFor();
  expect(page.server.asked(inviteMember)).toEqual([]);
  const invitation = {
    id: BOB,
    email: 'cy@example.test',
    role: 'Viewer' as const,
    allClients: false,
    expiresAt: '2026-11-23T09:00:00.000Z',
  };
  page.server.gives(inviteMember, { ...TEAM, invitations: [invitation] });
  await page.getByLabel('Email').fill('cy@example.test');
  await page.getByLabel('Role', { exact: true }).selectOption('Viewer');
  await page.getByText('Sees accounts, posts and orders, changes nothing').waitFor();
  await page.getByLabel('All clients', { exact: true }).click();
  await page.button('Send invitation').click();
  await page.getByText(/as a viewer, for the clients you choose/).waitFor();
  expect(page.server.asked(inviteMember)[0]?.input).toMatchObject({
    email: 'cy@example.test',
    role: 'Viewer',
    allClients: false,
  });
  page.server.gives(withdrawInvitation, TEAM);
  await page.button('Withdraw the invitation of cy@example.test').click();
  await page.getByText(/as a viewer/).waitFor({ state: 'gone' });
  await expect.poll(() => document.activeElement?.textContent).toBe('Invite someone');
});

test('an invitation that was sent is told on a device whose disk is full', async () => {
  const page = await open('/my-team', 'Owner');
  await page.getByText('bob@example.test, Manager, up to $50.00 a month').waitFor();
  fillDisk();
  page.server.gives(inviteMember, TEAM, { message: 'Invitation sent' });
  await page.getByLabel('Email').fill('cy@example.test');
  await page.button('Send invitation').click();
  await page.toasts.getByText('Invitation sent').waitFor();
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
  expect(page.reports).toContain('The team could not be kept');
});

test('a refused invitation says so at its field', async () => {
  const page = await open('/my-team', 'Owner');
  const sentence = 'They’re already in this workspace.';
  page.server.next(inviteMember, refuse('already_member', sentence, { email: sentence }));
  await page.getByLabel('Email').fill('bob@example.test');
  await page.button('Send invitation').click();
  await page.getByText(sentence).waitFor();
  expect(page.server.asked(inviteMember)).toHaveLength(1);
});

test('an owner changes a role with its limit, hands over with the password, and removes', async () => {
  const page = await open('/my-team', 'Owner');
  await page.button('Change role: Bob Boole').click();
  const limit = page.getByLabel('Dollars a month they can spend');
  page.server.gives(changeMember, TEAM);
  await limit.fill('$75');
  await page.button('Save role').click();
  await page.getByText('Please enter an amount in dollars').waitFor();
  expect(page.server.asked(changeMember)).toEqual([]);
  await limit.fill('75');
  await page.button('Save role').click();
  await page.button('Make owner: Bob Boole').click();
  expect(page.server.asked(changeMember)[0]?.input).toMatchObject({
    memberId: BOB,
    role: 'Manager',
    spendLimit: 75,
  });
  await page.button('Hand over').click();
  await page.getByText('Please enter your current password').waitFor();
  const wrong = 'Your current password isn’t right.';
  page.server.next(
    handOver,
    refuse('wrong_credentials', wrong, { password: wrong }),
    succeed(handOver, TEAM),
  );
  await page.getByLabel('Your password, to hand over').fill('guess');
  await page.button('Hand over').click();
  await page.getByText(wrong).waitFor();
  await page.button('Cancel').click();
  await page.button('Remove: Bob Boole').click();
  const alone = { ...TEAM, members: TEAM.members.slice(0, 1) };
  page.server.gives(removeMember, alone);
  await page.button('Remove now').click();
  await page.getByText('bob@example.test').waitFor({ state: 'gone' });
  await expect.poll(() => document.activeElement?.textContent).toBe('People');
  expect(page.server.asked(removeMember)[0]?.input).toMatchObject({ memberId: BOB });
});

test.each(['Manager', 'Editor', 'Viewer'] as const)(
  'a %s sees who works here, and who may change it',
  async (role) => {
    const page = await open('/my-team', role);
    await page.getByText('Bob Boole').waitFor();
    await page
      .getByText('Only an owner of this workspace can invite people and change roles.')
      .waitFor();
    expect(page.button('Send invitation').count()).toBe(0);
    expect(page.button('Remove: Bob Boole').count()).toBe(0);
  },
);

test('the last owner who leaves is told what to do first', async () => {
  const page = await open('/my-team', 'Owner');
  await page.button('Leave').click();
  const sentence = 'A workspace needs an owner. Make someone else the owner first.';
  page.server.next(leaveWorkspace, refuse('last_owner', sentence));
  await page.button('Leave now').click();
  await page.getByText(sentence).waitFor();
  expect(page.path).toBe('/my-team');
});

test('without network the team is read from the replica, and nothing can be changed', async () => {
  const page = await openPage('/my-team', {
    user: as('Owner'),
    replica: {},
    platform: { isOnline: () => false },
  });
  const db = new LocalDatabase(OWNER.id);
  await db.meta.put({ key: 'team', value: TEAM });
  db.close();
  await page.getByText('Bob Boole').waitFor();
  await page.getByText('A change to the team needs a connection.').waitFor();
  expect(page.getByText(/You’re offline/).count()).toBe(1);
  expect(page.button('Send invitation').count()).toBe(0);
});

test('a team that this device has never had says why it isn’t there', async () => {
  const options = { user: as('Owner'), replica: {} };
  const lost = await openPage('/my-team', {
    ...options,
    server: (server) => server.next(findTeam, lose),
  });
  await lost.getByText('We couldn’t reach the server. Please try again.').waitFor();
  const page = await openPage('/my-team', { ...options, platform: { isOnline: () => false } });
  await page.getByText('Your team isn’t on this device yet.').waitFor();
  expect(page.getByText(/You’re offline/).count()).toBe(1);
  expect(page.getByText('Loading the team…').count()).toBe(0);
});

test('whoever is in several workspaces switches; a refused switch stays', async () => {
  const page = await open('/help', 'Owner');
  await page.button('Workspace: Ada Lovelace').click();
  const gone = 'You’re no longer a member of that workspace.';
  page.server.next(switchWorkspace, refuse('not_found', gone));
  await page.getByRole('menuitem', { name: 'Eve Elsewhere (Viewer)' }).click();
  await page.toasts.getByText(gone).waitFor();
  expect(page.server.asked(switchWorkspace)[0]?.input).toMatchObject({ workspaceId: ELSEWHERE });
});

test('a switch closes the pages of this workspace, and leads once to the other one', async () => {
  const restarted: string[] = [];
  const page = await openPage('/dashboard', {
    user: as('Editor'),
    replica: { post: [postRow()] },
    platform: { restartAt: (path) => void restarted.push(path) },
  });
  await page.locator('[data-post]').waitFor();
  const other = { ...OWNER, id: BOB, inSubscription: false, connectedAccounts: [] };
  page.server.next(switchWorkspace, succeed(switchWorkspace, other));
  await page.button('Workspace: Ada Lovelace').click();
  await page.getByRole('menuitem', { name: 'Eve Elsewhere (Viewer)' }).click();
  await page.getByText('Opening the workspace…').waitFor();
  expect(page.locator('[data-post]').count()).toBe(0);
  await expect.poll(() => restarted.length).toBeGreaterThan(0);
  expect(restarted).toEqual(['/my-subscriptions']);
  expect(page.path).toBe('/dashboard');
  expect(localStorage.getItem('id')).toBe(BOB);
  expect(localStorage.getItem('ovation-client-state')).toContain(BOB);
});

test('a customer alone sees no workspaces and no team in the bar', async () => {
  const page = await openPage('/help', { user: OWNER, replica: {} });
  await page.button(/^Menu for/).click();
  await page.getByRole('menuitem', { name: 'Subscriptions' }).waitFor();
  expect(page.getByRole('menuitem', { name: 'Team' }).count()).toBe(0);
  expect(page.button(/^Workspace/).count()).toBe(0);
});

test.each([
  ['/my-billing', 'Editor', 'Only an owner or a manager of this workspace can see payments.'],
  [
    '/payment/credits',
    'Viewer',
    'Only an owner or a manager of this workspace can buy plans and credits.',
  ],
] as const)('%s tells a %s who may', async (path, role, sentence) => {
  const page = await open(path, role);
  await page.getByText(sentence).waitFor();
  expect(page.path).toBe(path);
});

test.each([
  ['Owner', true, true],
  ['Manager', true, true],
  ['Editor', false, true],
  ['Viewer', false, false],
] as const)('a %s finds the buttons of what they may do', async (role, pays, edits) => {
  const page = await open('/my-subscriptions', role);
  await page.getByRole('heading', { name: 'Subscriptions' }).waitFor();
  expect(page.button('Add account').count() > 0).toBe(edits);
  expect(page.button(/buy credits$/).count() > 0).toBe(pays);
  const manage = page.button(/^Manage @/);
  expect(manage.count() > 0).toBe(edits);
  if (!edits) return;
  await manage.first().click();
  const dialog = page.getByRole('dialog', { name: 'Manage account' });
  await dialog.getByRole('button', { name: /^Delivery settings/ }).waitFor();
});
