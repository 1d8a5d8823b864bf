import { expect, test } from 'vitest';
import { findActivity } from '#shared/contract/people/activity.ts';
import { type Client, findClients, setClient } from '#shared/contract/accounts/clients.ts';
import { findReport, findReportMail, saveReportMail } from '#shared/contract/accounts/report.ts';
import { findTeam, inviteMember, type Team } from '#shared/contract/people/team.ts';
import type { User } from '#shared/contract/people/user.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const HERE = '0192d3c0-0000-7000-8000-00000000e001';
const BAKERY: Client = {
  id: '0192d3c0-0000-7000-8000-00000000e0c1',
  name: 'Bakery',
  accounts: 3,
  archivedAt: null,
};
const AS_OWNER: User = {
  ...OWNER,
  membership: {
    workspaceId: HERE,
    role: 'Owner',
    people: 2,
    workspaces: [{ id: HERE, name: OWNER.name, role: 'Owner' }],
  },
};
const ADA = { id: OWNER.id, name: OWNER.name, email: OWNER.email, spendLimit: null, isThis: true };
const TEAM: Team = {
  members: [{ ...ADA, role: 'Owner', since: '2026-11-20T09:00:00.000Z' }],
  invitations: [],
};
const INVITED: Team = {
  ...TEAM,
  invitations: [
    {
      id: HERE,
      email: 'cy@example.test',
      role: 'Viewer',
      allClients: true,
      expiresAt: '2026-11-23T09:00:00.000Z',
    },
  ],
};

async function goTo(page: Page, name: string): Promise<void> {
  await page.button(/^Menu for/).click();
  await page.getByRole('menuitem', { name }).click();
}

test('a team that was asked for before somebody was invited doesn’t take the invitation away', async () => {
  const page = await openPage('/my-team', {
    user: AS_OWNER,
    replica: {},
    server: (server) => {
      server.gives(findTeam, TEAM);
      server.gives(findClients, []);
      server.gives(findActivity, { entries: [], next: null });
    },
  });
  await page.button('Send invitation').waitFor();
  await goTo(page, 'Activity');
  await page.button('Check that nothing was changed').waitFor();
  const release = page.server.holdNext(findTeam, succeed(findTeam, TEAM));
  await goTo(page, 'Team');
  await page.getByLabel('Email').fill('cy@example.test');
  page.server.gives(inviteMember, INVITED);
  await page.button('Send invitation').click();
  await page.button('Withdraw the invitation of cy@example.test').waitFor();
  release();
  // Whatever came late is there by the time of this.
  const sentence = 'They’re already in this workspace.';
  page.server.next(inviteMember, refuse('already_member', sentence, { email: sentence }));
  await page.getByLabel('Email').fill('ada@example.test');
  await page.button('Send invitation').click();
  await page.getByText(sentence).waitFor();
  expect(page.button('Withdraw the invitation of cy@example.test').count()).toBe(1);
});

test('readers that were saved for one client aren’t shown under another one chosen meanwhile', async () => {
  const mail = { brand: null, waiting: [], members: [], next: null, lastSent: null };
  const of = (...addresses: string[]) => ({ ...mail, addresses });
  const report = {
    clientName: null,
    agency: null,
    month: '2026-11',
    madeOn: '2026-11-02',
    totals: {
      posts: 0,
      organic: 0,
      delivered: 0,
      retention: null,
      halfSeconds: null,
      mostSeconds: null,
    },
    unknownPosts: 0,
    days: [],
    accounts: [],
  };
  const found = { seesAll: true, newestMonth: '2026-11', report };
  const clients = [{ id: BAKERY.id, name: BAKERY.name }];
  const page = await openPage('/my-reports', {
    user: AS_OWNER,
    replica: {},
    server: (server) => {
      server.gives(findReport, { ...found, clients, clientId: null });
      server.gives(findReportMail, of('all@example.test'));
    },
  });
  const readers = page.getByLabel('Other email addresses');
  await expect.poll(() => readers.inputValue()).toBe('all@example.test');
  const release = page.server.holdNext(
    saveReportMail,
    succeed(saveReportMail, of('late@example.test'), { message: 'Report saved' }),
  );
  await page.button('Save monthly email').click();
  page.server.gives(findReport, { ...found, clients, clientId: BAKERY.id });
  page.server.gives(findReportMail, of('baker@example.test'));
  await page.getByLabel('Client', { exact: true }).selectOption(BAKERY.id);
  await expect.poll(() => readers.inputValue()).toBe('baker@example.test');
  release();
  await page.toasts.getByText('Report saved').waitFor();
  expect(await readers.inputValue()).toBe('baker@example.test');
});

test('a dialog that was closed while it saved doesn’t close the one that is open by then', async () => {
  const page = await openPage('/my-subscriptions', {
    user: AS_OWNER,
    replica: {},
    server: (server) => server.gives(findClients, [BAKERY]),
  });
  const manage = page.button(/^Manage @/).first();
  await manage.click();
  await page.button(/^Change client/).click();
  await page.getByLabel(/^Client of @/).selectOption('Bakery');
  const release = page.server.holdNext(setClient, succeed(setClient, []));
  await page.button('Save client').click();
  await page.button('Close').click();
  await page.getByLabel(/^Client of @/).waitFor({ state: 'gone' });
  await manage.click();
  await page.button(/^Change client/).waitFor();
  release();
  await page.toasts.getByText('Client changed').waitFor();
  expect(page.button(/^Change client/).count()).toBe(1);
});
