import { expect, test } from 'vitest';
import type { User } from '#shared/contract/people/user.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { Role } from '#shared/domain/people/may.ts';
import { LEASE_DAYS } from '#shared/domain/people/team.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { keepHeard, keepPassed } from '#web/replica/store/scope-state.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const WORKSPACE = '0192d3c0-0000-7000-8000-00000000e001';

const as = (role: Role): User => ({
  ...OWNER,
  membership: {
    workspaceId: WORKSPACE,
    role,
    people: 2,
    workspaces: [{ id: WORKSPACE, name: 'Ada Lovelace', role }],
  },
});

/** A device without network that heard from the server so many days ago, and whose clock has shown that much since. */
async function offlineFor(days: number, role: Role, latest = NOW): Promise<Page> {
  const asOf = NOW - days * DAY_MS;
  const db = new LocalDatabase(OWNER.id);
  await createDexieStore(db).write(async (tx) => {
    await keepHeard(tx, asOf);
    await keepPassed(tx, latest);
  });
  db.close();
  return openPage('/my-subscriptions', {
    user: as(role),
    replica: {},
    status: { kind: 'offline', asOf },
  });
}

const lock = (page: Page) => page.getByRole('heading', { name: 'Connect to continue' });
const accounts = (page: Page) => page.getByRole('heading', { name: 'Subscriptions', level: 1 });

test('a member’s replica isn’t shown once its lease is over, until the server is heard again', async () => {
  const page = await offlineFor(LEASE_DAYS + 1, 'Editor');
  await lock(page).waitFor();
  expect(accounts(page).count()).toBe(0);
  page.leader?.say({ kind: 'live' });
  await accounts(page).waitFor();
  expect(lock(page).count()).toBe(0);
});

test.each<[role: Role, days: number]>([
  ['Editor', LEASE_DAYS - 1],
  ['Owner', LEASE_DAYS + 1],
])('%s after %s days without the server: the replica is shown', async (role, days) => {
  const page = await offlineFor(days, role);
  await accounts(page).waitFor();
  expect(lock(page).count()).toBe(0);
});

test('a clock that is set back doesn’t lengthen the lease', async () => {
  const page = await offlineFor(1, 'Editor', NOW + HOUR_MS);
  await lock(page).waitFor();
  await page.getByText('clock was set back').waitFor();
  expect(accounts(page).count()).toBe(0);
  page.leader?.say({ kind: 'live' });
  await accounts(page).waitFor();
});

test('a clock that is put right by a minute locks nobody out', async () => {
  const page = await offlineFor(1, 'Editor', NOW + MINUTE_MS);
  await accounts(page).waitFor();
  expect(lock(page).count()).toBe(0);
});
