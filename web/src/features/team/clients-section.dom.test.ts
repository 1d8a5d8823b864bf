import { expect, test } from 'vitest';
import { type Budgets, findBudgets, saveBudget } from '#shared/contract/money/budget.ts';
import {
  type Client,
  findClients,
  mergeClients,
  saveClient,
} from '#shared/contract/accounts/clients.ts';
import { findTeam, grantClients, type Team } from '#shared/contract/people/team.ts';
import type { User } from '#shared/contract/people/user.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const HERE = '0192d3c0-0000-7000-8000-00000000e001';
const BOB = '0192d3c0-0000-7000-8000-00000000e003';
const since = '2026-11-20T09:00:00.000Z';
const ADA = { id: OWNER.id, name: 'Ada Lovelace', email: OWNER.email, spendLimit: null, since };
const MANAGER = { ...ADA, id: BOB, name: 'Bob Boole', email: 'bob@example.test' };
const TEAM: Team = {
  members: [
    { ...ADA, role: 'Owner', isThis: true },
    { ...MANAGER, role: 'Manager', isThis: false },
  ],
  invitations: [],
};

const AS_OWNER: User = {
  ...OWNER,
  membership: {
    workspaceId: HERE,
    role: 'Owner',
    people: 2,
    workspaces: [{ id: HERE, name: 'Ada Lovelace', role: 'Owner' }],
  },
};

const BAKERY: Client = {
  id: '0192d3c0-0000-7000-8000-00000000e0c1',
  name: 'Bakery',
  accounts: 3,
  archivedAt: null,
};
const CINEMA: Client = { ...BAKERY, id: BAKERY.id.replace(/1$/, '2'), name: 'Cinema', accounts: 1 };

const openWithClients = (clients: Client[]): Promise<Page> =>
  openPage('/my-team', {
    user: AS_OWNER,
    replica: {},
    server: (server) => {
      server.gives(findTeam, TEAM);
      server.gives(findClients, clients);
    },
  });

test('an owner adds a client, and merges two', async () => {
  const page = await openWithClients([BAKERY]);
  await page.getByText('3 accounts').waitFor();
  await page.button('Add client').click();
  await page.getByText('Please enter the client’s name').waitFor();
  page.server.gives(saveClient, [BAKERY, CINEMA]);
  await page.getByLabel('New client').fill('Cinema');
  await page.button('Add client').click();
  await expect.poll(() => page.getByLabel('New client').inputValue()).toBe('');
  expect(await page.getByLabel('New client').isFocused()).toBe(true);
  await page.button('Merge: Cinema').click();
  page.server.gives(mergeClients, [{ ...BAKERY, accounts: 4 }]);
  await page.button('Merge now').click();
  await page.getByText('4 accounts').waitFor();
  await expect.poll(() => document.activeElement?.textContent).toBe('Clients');
  expect(page.server.asked(mergeClients)[0]?.input).toMatchObject({
    clientId: CINEMA.id,
    intoId: BAKERY.id,
  });
});

test('of many clients those that are looked for are shown, in the list and for someone’s access', async () => {
  const many = Array.from({ length: 60 }, (_, nth): Client => ({
    ...BAKERY,
    id: BAKERY.id.replace(/c1$/, String(nth + 10)),
    name: `Client ${nth}`,
  }));
  const page = await openWithClients([...many, CINEMA]);
  const list = page.getByRole('list', { name: 'Clients', exact: true });
  const search = page.getByLabel('Search clients');
  await search.fill(' CINEMA');
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await list.getByText('Cinema').waitFor();
  await search.fill('Circus');
  await page.getByText('No matching clients').waitFor();
  await search.fill('');
  await page.button('Clients: Bob Boole').click();
  const grants = page.locator('form').getByLabel('Search clients');
  await grants.fill('Client 59');
  await page.getByLabel('Client 59', { exact: true }).selectOption('Editor');
  await grants.fill('Cinema');
  expect(page.getByLabel('Client 59', { exact: true }).count()).toBe(0);
  page.server.gives(grantClients, TEAM);
  await page.button('Save clients').click();
  await expect.poll(() => page.server.asked(grantClients).length).toBe(1);
  const given = { clientId: BAKERY.id.replace(/c1$/, '69'), role: 'Editor' };
  expect(page.server.asked(grantClients)[0]?.input).toMatchObject({ grants: [given] });
});

test('few clients are found without a search', async () => {
  const page = await openWithClients([BAKERY, CINEMA]);
  await page.getByRole('list', { name: 'Clients' }).waitFor();
  expect(page.getByLabel('Search clients').count()).toBe(0);
});

test('an owner sets what a client may cost in a month', async () => {
  const page = await openWithClients([BAKERY]);
  const { id, name } = BAKERY;
  const month = (limit: number | null): Budgets => ({
    from: '2026-11-01T00:00:00.000Z',
    until: '2026-12-01T00:00:00.000Z',
    timeZone: 'UTC',
    budgets: [{ igUsername: null, client: { id, name }, limit, spent: 17, due: 0, monthly: 17 }],
  });
  page.server.gives(findBudgets, month(null));
  await page.button('Budget: Bakery').click();
  const low = 'Plans of Bakery cost $17.00 a month.';
  page.server.next(saveBudget, refuse('budget_reached', low), succeed(saveBudget, month(20)));
  const limit = page.getByLabel('Dollars a month', { exact: true });
  await limit.fill('16');
  await page.button('Save budget').click();
  await page.getByText(low).waitFor();
  await limit.fill('20');
  await page.button('Save budget').click();
  await page.getByText('$17.00 of $20.00 is spent or waiting for payment this month').waitFor();
  expect(page.server.asked(saveBudget)[1]?.input).toMatchObject({ clientId: id, limit: 20 });
});

test('an owner lets someone work for one client only', async () => {
  const page = await openWithClients([BAKERY, CINEMA]);
  await page.button('Clients: Bob Boole').click();
  await page.getByLabel('All clients, as manager').click();
  await page.getByLabel('Bakery', { exact: true }).selectOption('Editor');
  const [owner, bob] = TEAM.members;
  if (!owner || !bob) throw new Error('the team has two');
  const grants = [{ clientId: BAKERY.id, role: 'Editor' as const }];
  page.server.gives(grantClients, {
    ...TEAM,
    members: [owner, { ...bob, allClients: false, grants }],
  });
  await page.button('Save clients').click();
  await page.getByText(/for 1 client only/).waitFor();
  expect(page.server.asked(grantClients)[0]?.input).toMatchObject({
    memberId: BOB,
    allClients: false,
    grants,
  });
});
