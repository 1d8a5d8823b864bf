import type { Page } from 'playwright-core';
import { type Client, findClients } from '#shared/contract/clients.ts';
import { findTeam, type Team } from '#shared/contract/team.ts';
import { ALERT_SCREENS } from './alert-screens.ts';
import { answer } from './answered-screens.ts';
import { rewriteRows } from './local-rows.ts';
import { PROPOSAL_SCREENS } from './proposal-screens.ts';
import type { Screen } from './screens.ts';

const client = (nth: number, name: string, accounts: number): Client => ({
  id: `0192d3c0-0000-7000-8000-0000000000d${nth}`,
  name,
  accounts,
  archivedAt: null,
});
const BAKERY = client(0, 'Bakery on Main Street', 1);
const CINEMA = client(1, 'Cinema', 1284);
const CLIENTS: Client[] = [
  BAKERY,
  CINEMA,
  client(2, 'The Association of Independent Photographers of Lower Manhattan', 0),
  { ...client(3, 'Winter Games', 12), archivedAt: '2026-11-02T12:00:00.000Z' },
];

const member = (nth: number, name: string): Team['members'][number] => ({
  id: `0192d3c0-0000-7000-8000-0000000000e${nth}`,
  name,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.test`,
  role: 'Editor',
  spendLimit: null,
  since: '2026-11-01T12:00:00.000Z',
  isThis: false,
});
const TEAM: Team = {
  members: [
    { ...member(0, 'Ada Lovelace'), role: 'Owner', isThis: true },
    { ...member(1, 'Bob Boole'), role: 'Manager', spendLimit: 500 },
    {
      ...member(2, 'Cy Young'),
      allClients: false,
      grants: [
        { clientId: BAKERY.id, role: 'Editor' },
        { clientId: CINEMA.id, role: 'Viewer' },
      ],
    },
    { ...member(3, 'Di Prima'), role: 'Viewer', allClients: false, grants: [] },
  ],
  approvalAbove: 500,
  invitations: [
    {
      id: '0192d3c0-0000-7000-8000-0000000000e9',
      email: 'eve@example.test',
      role: 'Viewer',
      expiresAt: '2026-11-25T12:00:00.000Z',
    },
  ],
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openTeam(page: Page): Promise<void> {
  await answer(page, findTeam.path, TEAM);
  await answer(page, findClients.path, CLIENTS);
  await page.reload();
  await page.getByRole('list', { name: 'Clients' }).waitFor();
}

async function openGrants(page: Page): Promise<void> {
  await openTeam(page);
  await button(page, 'Clients: Cy Young').click();
  await button(page, 'Save clients').waitFor();
}

async function openClientForms(page: Page): Promise<void> {
  await openTeam(page);
  await button(page, `Rename: ${BAKERY.name}`).click();
  await button(page, `Merge: ${CINEMA.name}`).click();
  await button(page, 'Merge now').waitFor();
}

/** The browser’s copy says that more people work here, and that all accounts are one client’s. */
async function haveClients(page: Page): Promise<void> {
  await answer(page, findClients.path, CLIENTS);
  await rewriteRows(page, 'account', { client: { id: BAKERY.id, name: BAKERY.name } });
  await rewriteRows(page, 'user', { membership: { people: 4 } });
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all that match' }).waitFor();
}

async function openSetClient(page: Page): Promise<void> {
  await haveClients(page);
  await page.getByRole('checkbox', { name: 'Select all that match' }).check();
  await button(page, 'Set client').click();
  await page.getByRole('dialog', { name: 'Set client' }).getByRole('combobox').waitFor();
}

async function openManaged(page: Page): Promise<void> {
  await haveClients(page);
  await page
    .getByRole('button', { name: /^Manage @/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText(BAKERY.name).waitFor();
}

/** The team and its clients; the last ones leave clients in the browser’s copy. */
export const TEAM_SCREENS: Screen[] = [
  ...ALERT_SCREENS,
  {
    name: 'team of one without clients',
    path: '/my-team',
    open: (page) => page.getByLabel('New client').waitFor(),
  },
  { name: 'team with clients', path: '/my-team', open: openTeam },
  { name: 'clients of someone', path: '/my-team', open: openGrants },
  { name: 'clients that are renamed and merged', path: '/my-team', open: openClientForms },
  { name: 'client of accounts', path: '/my-subscriptions?sort=-amount', open: openSetClient },
  { name: 'account of a client', path: '/my-subscriptions?sort=-amount', open: openManaged },
  ...PROPOSAL_SCREENS,
];
