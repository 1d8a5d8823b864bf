import { expect, test } from 'vitest';
import { type Client, findClients, setClient } from '#shared/contract/clients.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { refuse } from '#web/testing/dom/fake-server.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

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
