import { expect, test } from 'vitest';
import { deleteAccount } from '#shared/contract/people/own-account.ts';
import { LocalDatabase, createDexieStore } from '#web/replica/store/local-database.ts';
import { queueChange } from '#web/replica/outbox/outbox.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import { succeed } from '#web/testing/dom/fake-server.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

/** The customer's dashboard, with what the device holds of it. */
async function dashboard(status?: SyncStatus): Promise<Page> {
  return openPage('/dashboard', {
    user: OWNER,
    ...(status && { status }),
    replica: { post: [postRow()] },
  });
}

const shown = () => document.body.textContent ?? '';

async function kept<Value>(read: (db: LocalDatabase) => Promise<Value>): Promise<Value> {
  const db = new LocalDatabase(OWNER.id);
  try {
    return await read(db);
  } finally {
    db.close();
  }
}

test.each([
  ['merely offline', { kind: 'offline', asOf: NOW }],
  ['told that the session has run out', { kind: 'log_in_again', asOf: NOW }],
] as const)('a customer who is %s goes on reading what the device holds', async (_how, status) => {
  const page = await dashboard();
  await page.locator('[data-post]').waitFor();
  page.leader?.say(status);
  await page.getByText(/This is what we last loaded/).waitFor();
  expect(page.locator('[data-post]').count()).toBe(1);
  expect(page.path).toBe('/dashboard');
});

test('a phone of which the server knows no session shows nothing, and keeps replica and unsent order for the owner', async () => {
  const page = await dashboard();
  await page.locator('[data-post]').waitFor();
  const order = { id: '1', name: 'orderLikes', v: 1, args: {}, title: '', madeAt: NOW };
  await kept((db) => createDexieStore(db).write((tx) => queueChange(tx, order, [])));
  page.leader?.say({ kind: 'log_in_again', asOf: NOW, isUnknown: true });
  await page.waitForPath('/login');
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(shown()).not.toContain(OWNER.name);
  expect(page.locator('[data-post]').count()).toBe(0);
  expect(localStorage.getItem('id')).toBeNull();
  const [unsent, chunks] = await kept((db) => Promise.all([db.outbox.count(), db.chunk.count()]));
  expect(unsent).toBe(1);
  expect(chunks).toBeGreaterThan(0);
});

test('a phone that is opened again and hears so shows nothing any more', async () => {
  const page = await dashboard({ kind: 'log_in_again', asOf: NOW, isUnknown: true });
  await page.waitForPath('/login');
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(page.locator('[data-post]').count()).toBe(0);
});

// The stream says it too, and either may be the first.
test.each(['before', 'after'] as const)(
  'an account that is deleted here, of which sync hears %s its answer, is said to have left nothing here',
  async (order) => {
    const page = await openPage('/my-settings', { user: OWNER, replica: { post: [postRow()] } });
    const hear = (): void =>
      page.leader?.say({ kind: 'log_in_again', asOf: NOW, because: 'This account was deleted.' });
    const answer = succeed(deleteAccount, null);
    page.server.on(deleteAccount, () => {
      if (order === 'before') hear();
      else setTimeout(hear, 0);
      return answer();
    });
    await page.button('Delete account').click();
    await page.getByLabel('Your password, to delete your account').fill('correct horse battery');
    await page.button('Delete everything now').click();
    await expect
      .poll(() => localStorage.getItem('session-ended'))
      .toMatch(/account (?:was|has been) deleted\. Nothing is kept on this device\.$/);
  },
);
