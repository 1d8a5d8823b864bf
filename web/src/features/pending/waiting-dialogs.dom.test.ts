import { expect, test } from 'vitest';
import { about } from '#shared/contract/about.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { queueUndoable } from '#web/replica/outbox/likes-orders.ts';
import { endUndo, pauseChanges } from '#web/replica/outbox/outbox.ts';
import { lose, succeed } from '#web/testing/dom/fake-server.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import type { Locator } from '#web/testing/dom/locator.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { ABOUT, openPage, type Page } from '#web/testing/dom/open-page.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { userExample } from '#web/testing/examples.ts';
import { type Answer, deferred, refuse, unreachable } from '#web/testing/open-changes.ts';

const RICH = userExample({ credits: 2500 });
const POSTS = [
  postRow(),
  postRow({ id: '18000000000000002', takenAt: '2026-11-20T09:10:00.000Z' }),
];

const LIVE: SyncStatus = { kind: 'live' };

const INTENT = {
  igId: RICH.connectedAccounts[0]?.igId ?? '',
  igUsername: 'ada.paints',
  shortCode: 'Cabc',
  caption: 'A morning at the harbour',
  postedAtInWords: 'Nov 21, 2026, 11:00 AM',
};
const ORDERS = [40, 60].map((likes, nth) => ({
  id: `f81d4fae-7dec-41d0-a765-00000000010${nth}`,
  intent: { ...INTENT, postId: POSTS[nth]?.id ?? '', likes },
}));

/** A dashboard on which 40 likes for the first post and 60 for the second were asked for, and wait. */
async function waiting(
  answer: Answer = unreachable,
  status: SyncStatus = { kind: 'offline', asOf: NOW },
): Promise<Page> {
  const page = await openPage('/dashboard', { user: RICH, replica: { post: POSTS }, status });
  if (page.leader) page.leader.answer = answer;
  await page.button('2,500 credits: buy credits').waitFor();
  const db = new LocalDatabase(RICH.id);
  await createDexieStore(db).write(async (tx) => {
    await queueUndoable(tx, ORDERS, NOW);
    await endUndo(tx);
  });
  db.close();
  if (status.kind === 'live') await page.leader?.push();
  await page.button('2,400 credits: buy credits').waitFor();
  return page;
}

async function list(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /show changes/ }).click();
  return page.getByRole('dialog', { name: 'Your changes' });
}

async function logOut(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  return page.getByRole('dialog', { name: 'Log out?' });
}

test('what the server refuses later is said with its reason, and can be sent again or discarded', async () => {
  const page = await waiting();
  if (page.leader) page.leader.answer = refuse;
  page.leader?.say({ kind: 'live' });
  await page.leader?.push();
  await page.toasts.getByText(/^Unable to buy likes: /).waitFor();
  await page.locator('[data-post]').first().getByText('40 extra likes were refused.').waitFor();
  await page.button('2,500 credits: buy credits').waitFor();
  const dialog = await list(page);
  await expect.poll(() => dialog.getByText(/Refused: Too few credits\./).count()).toBe(2);
  expect(page.leader?.sent).toHaveLength(2);
  await dialog.getByRole('button', { name: /^Retry: 40 extra likes/ }).click();
  await expect.poll(() => page.leader?.sent.length).toBe(3);
  await expect.poll(() => dialog.getByText(/Refused: Too few credits\./).count()).toBe(2);
  if (page.leader) page.leader.answer = page.leader.carryOut;
  await dialog.getByRole('button', { name: /^Retry: 40 extra likes/ }).click();
  await page.toasts.getByText(/^Done: 40 extra likes/).waitFor();
  await dialog.getByRole('button', { name: /^Discard: 60 extra likes/ }).click();
  await dialog.getByText('Everything has been sent').waitFor();
  await page.button('2,460 credits: buy credits').waitFor();
});

test('a change that the server defers tells its reason, and can be discarded', async () => {
  const page = await waiting(deferred, LIVE);
  const dialog = await list(page);
  await expect.poll(() => dialog.getByText(/^Delayed: Please try again shortly/).count()).toBe(2);
  for (const likes of [40, 60]) {
    await dialog
      .getByRole('button', { name: new RegExp(`^Discard: ${likes} extra likes`) })
      .click();
  }
  await dialog.getByText('Everything has been sent').waitFor();
  await page.button('2,500 credits: buy credits').waitFor();
});

test('a log-out while something waits asks first: stay, send now, or discard; without the server nothing is done', async () => {
  const page = await waiting();
  const dialog = await logOut(page);
  await dialog.getByText('40 extra likes for').waitFor();
  expect(dialog.getByText('What’s already being sent can’t be undone').count()).toBe(0);
  await dialog.getByText('nothing can be sent right now').waitFor();
  expect(dialog.getByRole('button', { name: 'Send now and log out' }).count()).toBe(0);
  page.server.on(about, lose);
  await dialog.getByRole('button', { name: 'Discard and log out' }).click();
  await dialog.getByText('We couldn’t reach the server, so you may still be logged in').waitFor();
  await dialog.getByRole('button', { name: 'Stay logged in' }).click();
  await page.locator('[data-post]').first().getByText('40 extra likes: waiting').waitFor();
  expect(localStorage.getItem('id')).toBe(RICH.id);
  expect(page.server.asked(about).length).toBeGreaterThan(0);
});

test('whoever closes the log-out while it runs stays logged in', async () => {
  const page = await waiting();
  const dialog = await logOut(page);
  const release = page.server.holdNext(about, succeed(about, ABOUT));
  await dialog.getByRole('button', { name: 'Discard and log out' }).click();
  await expect
    .poll(() => dialog.getByRole('button', { name: 'Stay logged in' }).isEnabled())
    .toBe(false);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'gone' });
  release();
  const waitingList = await list(page);
  await waitingList.getByRole('button', { name: /^Discard: 60 extra likes/ }).click();
  await page.button('2,460 credits: buy credits').waitFor();
  expect(localStorage.getItem('id')).toBe(RICH.id);
});

test('what is being sent at a log-out is not called discarded: the dialog says that it may be carried out', async () => {
  // It was sent, and its answer never came.
  const page = await waiting(unreachable, LIVE);
  const dialog = await logOut(page);
  await dialog.getByText('40 extra likes for').waitFor();
  await expect
    .poll(() => dialog.getByText('What’s already being sent can’t be undone').count())
    .toBe(1);
});

test('a discarded change is never sent', async () => {
  const page = await waiting();
  const dialog = await list(page);
  await dialog.getByRole('button', { name: /^Discard: 60 extra likes/ }).click();
  await page.button('2,460 credits: buy credits').waitFor();
  page.leader?.say(LIVE);
  await page.leader?.push();
  expect(page.leader?.sent.map(({ args }) => args)).toMatchObject([{ likes: 40 }]);
});

/** Two changes that a device kept while it was signed out, and its person is back. */
async function paused(): Promise<{ page: Page; dialog: Locator }> {
  const page = await waiting();
  const db = new LocalDatabase(RICH.id);
  await createDexieStore(db).write(pauseChanges);
  db.close();
  if (page.leader) page.leader.answer = page.leader.carryOut;
  page.leader?.say(LIVE);
  await page.leader?.push();
  const dialog = page.getByRole('dialog', { name: 'Your changes' });
  await dialog.getByText('Nothing is sent until you say so.').waitFor();
  await dialog.getByText(/^40 extra likes/).waitFor();
  expect(page.leader?.sent).toEqual([]);
  return { page, dialog };
}

test('what a signed-out device kept is offered first and sent only when asked for', async () => {
  const { page, dialog } = await paused();
  await dialog.getByRole('button', { name: 'Send' }).click();
  // Each wait for an answer sends what has none; numbers tell what is the same.
  const numbers = (): number => new Set(page.leader?.sent.map(({ mid }) => mid)).size;
  await expect.poll(numbers).toBe(2);
  await dialog.getByText('Everything has been sent').waitFor();
  await page.button('2,400 credits: buy credits').waitFor();
});

test('what a signed-out device kept can be discarded, and what is asked for next is sent', async () => {
  const { page, dialog } = await paused();
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await dialog.getByText('Everything has been sent').waitFor();
  await page.button('2,500 credits: buy credits').waitFor();
  expect(page.leader?.sent).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page
    .locator('[data-post]')
    .first()
    .getByRole('button', { name: /Extra likes/ })
    .click();
  const likes = page.getByRole('dialog', { name: 'Send extra likes' });
  await likes.getByRole('textbox', { name: 'Likes' }).fill('30');
  await likes.getByRole('button', { name: 'Send likes' }).click();
  await expect.poll(() => page.leader?.sent.length).toBe(1);
});
