import type { Page } from 'playwright-core';
import {
  type ActivityCheck,
  type ActivityEntry,
  checkActivity,
  findActivity,
} from '#shared/contract/people/activity.ts';
import { type BulkItem, planBulk } from '#shared/contract/accounts/bulk.ts';
import { type Client, findClients } from '#shared/contract/accounts/clients.ts';
import type { CallData } from '#shared/contract/call.ts';
import { findReport, findReportMail, type ReportMail } from '#shared/contract/accounts/report.ts';
import { findTeam, type Team } from '#shared/contract/people/team.ts';
import { ALERT_SCREENS } from './alert-screens.ts';
import { answer, readUser } from './answered-screens.ts';
import { rewriteReplica } from './local-rows.ts';
import type { Product } from './product.ts';
import { PROPOSAL_SCREENS } from './proposal-screens.ts';
import type { Screen } from './screens.ts';
import { pressForSelection } from './selection-bar.ts';

const DESK = '/my-subscriptions?sort=-amount';

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

async function answerTeam(page: Page): Promise<void> {
  await answer(page, findTeam.path, TEAM);
  await answerClients(page);
}

const showTeam = (page: Page): Promise<void> =>
  page.getByRole('list', { name: 'Clients' }).waitFor();

const entry = (nth: number, text: string, changes: Partial<ActivityEntry> = {}): ActivityEntry => ({
  entry: 40 - nth,
  at: new Date(Date.UTC(2026, 10, 22, 15 - nth)).toISOString(),
  who: 'Bob Boole',
  text,
  kind: 'Plans',
  igUsername: null,
  operationId: null,
  undoUntil: null,
  ...changes,
});
const ENTRIES = [
  entry(
    0,
    'Bob Boole changed the plan from 250 to 1,000 likes on 212 accounts, +$10,812.00 a month.',
    { operationId: BAKERY.id, undoUntil: '2026-11-22T15:10:00.000Z' },
  ),
  entry(1, 'Ada Lovelace moved accounts to the client Bakery on Main Street.'),
  entry(2, 'Cy Young changed the delivery settings of @aurelie.lumen.', { kind: 'Accounts' }),
  entry(20, 'The plan of @aurelie.lumen was renewed, $17.00.'),
];
const CHECKED: ActivityCheck = {
  entries: 1284,
  from: '2026-10-01T09:00:00.000Z',
  until: '2026-11-22T15:00:00.000Z',
  fingerprint: '9f2c4b1a7d3e5068',
  problem: null,
};

async function answerActivity(page: Page): Promise<void> {
  await answerTeam(page);
  await answer(page, findActivity.path, { entries: ENTRIES, next: 20 });
  await answer(page, checkActivity.path, CHECKED);
}

async function openActivity(page: Page): Promise<void> {
  await button(page, 'Check that nothing was changed').click();
  await page.getByText('Fingerprint').waitFor();
  await button(page, 'Show more').waitFor();
}

const DAYS = Array.from({ length: 31 }, (_, nth) => ({
  day: `2026-10-${String(nth + 1).padStart(2, '0')}`,
  posts: nth % 3,
  organic: (nth % 3) * (40 + nth * 3),
  delivered: (nth % 3) * 500,
}));
const sumOf = (key: 'posts' | 'organic' | 'delivered'): number =>
  DAYS.reduce((sum, day) => sum + day[key], 0);
const TOTALS = {
  posts: sumOf('posts'),
  organic: sumOf('organic'),
  delivered: sumOf('delivered'),
  retention: 0.93,
  halfSeconds: 340,
  mostSeconds: 5400,
};
/** Of one post the organic likes aren’t known: it is an account’s only one. */
const UNKNOWN = { ...TOTALS, posts: 1, organic: null, delivered: 500 };
const REPORT: CallData<typeof findReport> = {
  clients: [{ id: BAKERY.id, name: BAKERY.name }],
  seesAll: true,
  clientId: BAKERY.id,
  newestMonth: '2026-11',
  report: {
    clientName: BAKERY.name,
    agency: { name: 'Acme & Daughters', logo: null },
    month: '2026-10',
    madeOn: '2026-11-02',
    totals: TOTALS,
    unknownPosts: UNKNOWN.posts,
    days: DAYS,
    accounts: [
      {
        ...TOTALS,
        igUsername: 'aurelie.lumen',
        posts: TOTALS.posts - UNKNOWN.posts,
        delivered: TOTALS.delivered - UNKNOWN.delivered,
      },
      { ...UNKNOWN, igUsername: 'a.name.of.thirty.characters.ok' },
    ],
  },
};
const MAIL: ReportMail = {
  brand: { name: 'Acme & Daughters', logo: null },
  addresses: ['baker@example.test', 'asked@example.test'],
  waiting: ['asked@example.test'],
  members: TEAM.members.map(({ id, name, email }, nth) => ({ id, name, email, isChosen: nth < 2 })),
  next: { month: '2026-11', at: '2026-12-02T13:00:00.000Z' },
  lastSent: '2026-10',
};

async function answerReport(page: Page): Promise<void> {
  await answer(page, findReport.path, REPORT);
  await answer(page, findReportMail.path, MAIL);
}

async function openReport(page: Page): Promise<void> {
  await page.getByRole('figure').waitFor();
  await page.getByLabel('Name on reports').waitFor();
}

async function openGrants(page: Page): Promise<void> {
  await showTeam(page);
  await button(page, 'Clients: Cy Young').click();
  await button(page, 'Save clients').waitFor();
}

async function openClientForms(page: Page): Promise<void> {
  await showTeam(page);
  await button(page, `Rename: ${BAKERY.name}`).click();
  await button(page, `Merge: ${CINEMA.name}`).click();
  await button(page, 'Merge now').waitFor();
}

const answerClients = (page: Page): Promise<void> => answer(page, findClients.path, CLIENTS);

/** The browser’s replica says that more people work here, and that all accounts are one client’s. */
async function haveClients(page: Page): Promise<void> {
  const client = { id: BAKERY.id, name: BAKERY.name };
  await rewriteReplica(page, ['account', { client }], ['user', { membership: { people: 4 } }]);
  await page.getByRole('checkbox', { name: 'Select all that match' }).waitFor();
}

async function openSetClient(page: Page): Promise<void> {
  await haveClients(page);
  await page.getByRole('checkbox', { name: 'Select all that match' }).check();
  await pressForSelection(page, 'Change client');
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: /^Client of/ })
    .waitFor();
}

async function openMoved(page: Page, product: Product): Promise<void> {
  await openSetClient(page);
  const { connectedAccounts } = await readUser(page, product);
  const change = { kind: 'client', clientId: CINEMA.id, clientName: CINEMA.name } as const;
  const items: BulkItem[] = connectedAccounts.map(({ igUsername }, position) => ({
    position,
    igUsername,
    change,
    outcome: position === 0 ? 'refused' : 'planned',
    reason:
      position === 0
        ? 'With these accounts, plans of Cinema would cost $51.00 a month, and the budget for Cinema is $40.00. Nothing was changed. An owner can raise it under Team.'
        : null,
    today: 0,
    month: 0,
  }));
  await answer(page, planBulk.path, { items, planned: items.length - 1, today: 0, month: 0 });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').selectOption(CINEMA.id);
  await dialog.getByRole('button', { name: 'Check the changes' }).click();
  await dialog.getByRole('button', { name: /^Change the client of/ }).waitFor();
}

async function openManaged(page: Page): Promise<void> {
  await haveClients(page);
  await page
    .getByRole('button', { name: /^Manage @/ })
    .first()
    .click();
  await page.getByRole('dialog').getByText(BAKERY.name).waitFor();
}

/** The team and its clients; the last ones leave clients in the browser’s replica. */
export const TEAM_SCREENS: Screen[] = [
  ...ALERT_SCREENS,
  {
    name: 'team of one without clients',
    path: '/my-team',
    open: (page) => page.getByLabel('New client').waitFor(),
  },
  { name: 'team with clients', path: '/my-team', before: answerTeam, open: showTeam },
  { name: 'report of a client', path: '/my-reports', before: answerReport, open: openReport },
  { name: 'activity', path: '/my-activity', before: answerActivity, open: openActivity },
  { name: 'clients of someone', path: '/my-team', before: answerTeam, open: openGrants },
  {
    name: 'clients that are renamed and merged',
    path: '/my-team',
    before: answerTeam,
    open: openClientForms,
  },
  { name: 'client of accounts', path: DESK, before: answerClients, open: openSetClient },
  { name: 'accounts that go to a client', path: DESK, before: answerClients, open: openMoved },
  { name: 'account of a client', path: DESK, before: answerClients, open: openManaged },
  ...PROPOSAL_SCREENS,
];
