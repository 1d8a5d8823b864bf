import { expect, test } from 'vitest';
import { type Client, findClients, setClient } from '#shared/contract/clients.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage } from '#web/testing/dom/open-page.ts';
import { accountExample } from '#web/testing/examples.ts';

const HERE = '0192d3c0-0000-7000-8000-00000000e001';
const BAKERY: Client = {
  id: '0192d3c0-0000-7000-8000-00000000e0c1',
  name: 'Bakery',
  accounts: 0,
  archivedAt: null,
};
const TEAM_OWNER = {
  ...OWNER,
  membership: {
    workspaceId: HERE,
    role: 'Owner' as const,
    people: 2,
    workspaces: [{ id: HERE, name: OWNER.name, role: 'Owner' as const }],
  },
};

test('an owner says whose an account is; archived clients aren’t offered, and a refusal stays to be read', async () => {
  const page = await openPage('/my-subscriptions', {
    user: TEAM_OWNER,
    copy: {},
    server: (server) => {
      const archivedAt = '2026-11-20T09:00:00.000Z';
      server.gives(findClients, [BAKERY, { ...BAKERY, id: HERE, name: 'Gone', archivedAt }]);
    },
  });
  await page
    .button(/^Manage @/)
    .first()
    .click();
  await page.button(/^Client/).click();
  const choice = page.getByLabel(/^Client of @/);
  await page.getByText('Bakery').waitFor();
  expect(page.getByText('Gone').count()).toBe(0);
  await choice.selectOption('Bakery');
  const sentence = 'This client is gone. Please look at them again.';
  page.server.next(setClient, refuse('not_found', sentence));
  await page.button('Save client').click();
  await page.getByText(sentence).waitFor();
  page.server.gives(setClient, []);
  await page.button('Save client').click();
  await choice.waitFor({ state: 'gone' });
  expect(page.server.asked(setClient).map(({ input }) => input.clientId)).toEqual([
    BAKERY.id,
    BAKERY.id,
  ]);
});

test('more accounts than one call takes are set in parts, and it is said how far it came', async () => {
  const connectedAccounts = Array.from({ length: 501 }, (_, nth) =>
    accountExample({ igUsername: `many.${nth}`, igId: `${17841400000000000 + nth}` }),
  );
  const page = await openPage('/my-subscriptions', {
    user: { ...TEAM_OWNER, connectedAccounts },
    copy: {},
    server: (server) => server.gives(findClients, [BAKERY]),
  });
  await page.getByLabel('Select all that match').click();
  await page.button('Set client').click();
  await page.getByLabel('Client of 501 accounts').selectOption('Bakery');
  const full = 'Plans of Bakery would cost more than its budget.';
  page.server.next(setClient, succeed(setClient, []), refuse('budget_reached', full));
  await page.button('Save client').click();
  await page.getByText(`500 of 501 accounts are set. ${full}`).waitFor();
  page.server.gives(setClient, []);
  await page.button('Save client').click();
  await page.getByText('Client of 501 accounts').waitFor({ state: 'gone' });
  expect(page.server.asked(setClient).map(({ input }) => input.igUsernames.length)).toEqual([
    500, 1, 500, 1,
  ]);
});

test('offline a client can’t be set, and why is said', async () => {
  const page = await openPage('/my-subscriptions', {
    user: TEAM_OWNER,
    copy: {},
    platform: { isOnline: () => false },
  });
  await page
    .button(/^Manage @/)
    .first()
    .click();
  await page.button(/^Client/).click();
  await page.getByText('You’re offline. A client decides who sees an account').waitFor();
  expect(page.server.asked(findClients)).toEqual([]);
});
