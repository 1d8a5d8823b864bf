import { expect, test } from 'vitest';
import { findBulk, planBulk } from '#shared/contract/accounts/bulk.ts';
import { type Client, findClients, setClient } from '#shared/contract/accounts/clients.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { refuse } from '#web/testing/dom/fake-server.ts';
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
    replica: {},
    server: (server) => {
      const archivedAt = '2026-11-20T09:00:00.000Z';
      server.gives(findClients, [BAKERY, { ...BAKERY, id: HERE, name: 'Gone', archivedAt }]);
    },
  });
  await page
    .button(/^Manage @/)
    .first()
    .click();
  await page.button(/^Change client/).click();
  const choice = page.getByLabel(/^Client of @/);
  await page.getByText('Bakery').waitFor();
  expect(page.getByText('Gone').count()).toBe(0);
  await choice.selectOption('Bakery');
  const sentence = 'This client no longer exists. Please choose another one.';
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

test('many accounts go to a client by a diff and one operation', async () => {
  const connectedAccounts = ['ada', 'bob', 'cy'].map((igUsername, nth) =>
    accountExample({
      igUsername,
      igId: `1784140000000000${nth}`,
      client: nth === 0 ? { id: HERE, name: 'Cinema' } : null,
    }),
  );
  const page = await openPage('/my-subscriptions?q=', {
    user: { ...TEAM_OWNER, connectedAccounts },
    replica: {},
    server: (server) => {
      server.gives(findClients, [BAKERY]);
      server.gives(findBulk, []);
    },
  });
  await page.getByLabel('Select all that match').click();
  await page.button('Change client').click();
  const dialog = page.getByRole('dialog', { name: 'Change client' });
  await dialog.getByLabel('Client of 3 accounts').selectOption('Bakery');
  const change = { kind: 'client', clientId: BAKERY.id, clientName: 'Bakery' } as const;
  const full = 'With these accounts, plans of Bakery would cost too much.';
  const none = { reason: null, today: 0, month: 0 };
  page.server.gives(planBulk, {
    items: [
      { ...none, position: 0, igUsername: 'ada', change, outcome: 'planned' },
      { ...none, position: 1, igUsername: 'bob', change, outcome: 'planned' },
      { ...none, position: 2, igUsername: 'cy', change, outcome: 'refused', reason: full },
    ],
    planned: 2,
    today: 0,
    month: 0,
  });
  await dialog.getByRole('button', { name: 'Check the changes' }).click();
  await dialog.getByText(`@cy: ${full}`).waitFor();
  await dialog.getByRole('button', { name: 'Change the client of 2 accounts' }).waitFor();
  const table = document.querySelector('[aria-label="What changes"]');
  expect([...(table?.querySelectorAll('tbody tr') ?? [])].map((row) => row.textContent)).toEqual([
    '@adaCinemaBakery',
    '@bobNo clientBakery',
  ]);
  expect(page.server.asked(planBulk)[0]?.input.changes).toEqual(
    ['ada', 'bob', 'cy'].map((igUsername) => ({
      igUsername,
      change: { kind: 'client', clientId: BAKERY.id },
    })),
  );
});

test('offline a client can’t be set, and why is said', async () => {
  const page = await openPage('/my-subscriptions', {
    user: TEAM_OWNER,
    replica: {},
    platform: { isOnline: () => false },
  });
  await page
    .button(/^Manage @/)
    .first()
    .click();
  await page.button(/^Change client/).click();
  await page.getByText('You’re offline. A client decides who sees an account').waitFor();
  expect(page.server.asked(findClients)).toEqual([]);
});

const ALONE = { ...OWNER, membership: { ...TEAM_OWNER.membership, people: 1 } };

test.each([
  { who: 'one person with a client', clients: [BAKERY], count: 1 },
  { who: 'a customer alone', clients: [], count: 0 },
])('accounts are given to clients where there are any: $who', async ({ clients, count }) => {
  const page = await openPage('/my-subscriptions?q=', {
    user: ALONE,
    replica: {},
    server: (server) => server.gives(findClients, clients),
  });
  await page.getByLabel('Select all that match').click();
  await page.button('Change plans').waitFor();
  await expect.poll(() => page.server.asked(findClients).length).toBeGreaterThan(0);
  await expect.poll(() => page.button('Change client').count()).toBe(count);
  await page
    .button(/^Manage @/)
    .first()
    .click();
  await page.button(/^Delivery settings.*speed/).waitFor();
  await expect.poll(() => page.button(/^Change client.*account/).count()).toBe(count);
});
