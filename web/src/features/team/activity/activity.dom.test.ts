import { expect, test } from 'vitest';
import {
  type ActivityEntry,
  checkActivity,
  findActivity,
} from '#shared/contract/people/activity.ts';
import { undoBulk } from '#shared/contract/accounts/bulk.ts';
import { type Client, findClients } from '#shared/contract/accounts/clients.ts';
import { findTeam } from '#shared/contract/people/team.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { BUSY, type FakeServer, isBusy, refuse } from '#web/testing/dom/fake-server.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const OPERATION = '0192d3c0-0000-7000-8000-0000000000b1';
const BAKERY: Client = {
  id: '0192d3c0-0000-7000-8000-0000000000d1',
  name: 'Bakery',
  accounts: 1,
  archivedAt: null,
};
const entry = (
  place: number,
  text: string,
  changes: Partial<ActivityEntry> = {},
): ActivityEntry => ({
  entry: place,
  at: `2026-11-2${place}T12:00:00.000Z`,
  who: 'Dana',
  text,
  kind: 'Plans',
  igUsername: null,
  operationId: null,
  undoUntil: null,
  ...changes,
});
const RAISED = entry(
  2,
  'Dana changed the plan from 250 to 500 likes on 2 accounts, +$48.00 a month.',
  {
    operationId: OPERATION,
    undoUntil: '2026-11-22T12:10:00.000Z',
  },
);
const CONNECTED = entry(1, 'Dana connected @ada.', { kind: 'Accounts', igUsername: 'ada' });

function open(prepare: (server: FakeServer) => void = () => undefined): Promise<Page> {
  return openPage('/my-activity', {
    user: OWNER,
    replica: {},
    server: (server) => {
      server.gives(findTeam, { members: [], invitations: [] });
      server.gives(findClients, [BAKERY]);
      server.gives(findActivity, { entries: [RAISED], next: 2 });
      prepare(server);
    },
  });
}

test('the log is read page by page, filtered, and an operation undone while it lasts', async () => {
  const page = await open();
  await page.getByText(RAISED.text).waitFor();
  page.server.gives(findActivity, { entries: [CONNECTED], next: null });
  await page.button('Show more').click();
  await page.getByText(CONNECTED.text).waitFor();
  await page.getByText(RAISED.text).waitFor();
  await page.button('Show more').waitFor({ state: 'gone' });
  expect(page.server.asked(findActivity).at(-1)?.input).toEqual({ userId: OWNER.id, before: 2 });

  page.server.next(undoBulk, refuse('bulk_running', 'Another change is running.'));
  await page.getByRole('button', { name: /^Undo until/ }).click();
  await page.getByText('Another change is running.').waitFor();
  expect(page.server.asked(undoBulk)[0]?.input).toMatchObject({ operationId: OPERATION });

  const asked = page.server.asked(findActivity).length;
  await page.getByLabel('Account', { exact: true }).fill('no name');
  await page.button('Show').click();
  await page.getByText('Please enter a username').waitFor();
  expect(page.server.asked(findActivity)).toHaveLength(asked);
  await page.getByLabel('Account', { exact: true }).fill('@ada');
  await page.getByLabel('What', { exact: true }).selectOption('Accounts');
  await page.getByLabel('Client', { exact: true }).selectOption(BAKERY.id);
  await page.button('Show').click();
  await page.getByText(RAISED.text).waitFor({ state: 'gone' });
  expect(page.server.asked(findActivity).at(-1)?.input).toEqual({
    userId: OWNER.id,
    kind: 'Accounts',
    clientId: BAKERY.id,
    igUsername: '@ada',
  });
});

test('a page of the log that can’t be read is asked for again, the first one too', async () => {
  const page = await open((server) => server.next(findActivity, isBusy));
  await page.getByText(BUSY).waitFor();
  await page.button('Try again').click();
  await page.getByText(RAISED.text).waitFor();
  expect(page.getByText(BUSY).count()).toBe(0);

  page.server.next(findActivity, isBusy);
  await page.button('Show more').click();
  await page.getByText(BUSY).waitFor();
  await page.getByText(RAISED.text).waitFor();
  page.server.gives(findActivity, { entries: [CONNECTED], next: null });
  await page.button('Try again').click();
  await page.getByText(CONNECTED.text).waitFor();
  expect(page.getByText(RAISED.text).count()).toBe(1);
  expect(page.getByText(BUSY).count()).toBe(0);
  const asked = page.server.asked(findActivity).map(({ input }) => input.before);
  expect(asked).toEqual([undefined, undefined, 2, 2]);
});

test('without a connection the page says once that it is offline, and what it misses', async () => {
  const page = await openPage('/my-activity', {
    user: OWNER,
    replica: {},
    platform: { isOnline: () => false },
  });
  await page.getByText('What was done needs a connection.').waitFor();
  expect(page.getByText(/You’re offline/).count()).toBe(1);
  expect(page.getByText('Nothing has happened yet').count()).toBe(0);
});

test('an empty log says what will stand there; filters that nothing matches are offered to be cleared', async () => {
  const page = await open();
  await page.getByText(RAISED.text).waitFor();
  page.server.gives(findActivity, { entries: [], next: null });
  await page.getByLabel('What', { exact: true }).selectOption('Accounts');
  await page.button('Show').click();
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await page.button('Clear filters').click();
  await page.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor();
  await page.getByText('Changes to accounts, plans and the team show up here').waitFor();
  expect(page.server.asked(findActivity).at(-1)?.input).toEqual({ userId: OWNER.id });
  const what = document.activeElement;
  expect(what instanceof HTMLSelectElement && what.value).toBe('');
});

test('the check says what it looked at, and what is wrong', async () => {
  const page = await open();
  const checked = {
    entries: 1284,
    from: '2026-10-01T09:00:00.000Z',
    until: '2026-11-22T15:00:00.000Z',
    fingerprint: '9f2c4b1a7d3e5068',
    problem: null,
  };
  page.server.gives(checkActivity, checked);
  await page.button('Check that nothing was changed').click();
  await page.getByText(/We checked 1,284 entries.*9f2c4b1a7d3e5068/).waitFor();
  page.server.gives(checkActivity, { ...checked, problem: 'entry 7 was changed' });
  await page.button('Check that nothing was changed').click();
  await page.getByText('The log isn’t as it was written: entry 7 was changed.').waitFor();
  expect(page.getByText('Fingerprint').count()).toBe(0);
});
