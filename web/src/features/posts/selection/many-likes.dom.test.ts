import { expect, test, vi } from 'vitest';
import type { User } from '#shared/contract/people/user.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { userExample } from '#web/testing/examples.ts';

const user = userExample({ canSpendCredits: true, credits: 500 });
const post = ['1', '2', '3', '4'].map((id) =>
  postRow({
    id,
    takenAt: `2026-11-${20 - Number(id)}T09:10:00.000Z`,
    deletedAt: id === '3' ? '2026-11-20T10:00:00.000Z' : null,
  }),
);
const OFFLINE: SyncStatus = { kind: 'offline', asOf: NOW };

async function open(status: SyncStatus = { kind: 'live' }, as: User = user) {
  const clock = { ms: NOW };
  const page = await openPage('/dashboard', {
    user: as,
    status,
    replica: { post },
    platform: { now: () => clock.ms },
  });
  await page.locator('[data-post="4"]').waitFor();
  return { page, clock };
}
const box = (page: Page, id: string) =>
  page.locator(`[data-post="${id}"]`).getByRole('checkbox', { name: /^Select the post/ });
const selected = (page: Page): string =>
  page
    .locator('[data-selected]')
    .all()
    .map((card) => card.getAttribute('data-post'))
    .join(' ');
const bar = (page: Page) => page.getByRole('form', { name: 'Extra likes for the selected posts' });
function key(page: Page, id: string, init: KeyboardEventInit): void {
  const [card] = page.locator(`[data-post="${id}"] a`).all();
  card?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
}
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send 150 likes?' });

/** Three posts, 50 likes each, confirmed. */
async function order(page: Page): Promise<void> {
  key(page, '1', { key: 'a', ctrlKey: true });
  await bar(page).getByLabel('Likes for each post').fill('50');
  await bar(page).getByRole('button', { name: 'Send extra likes' }).click();
  await dialog(page).getByRole('button', { name: 'Send to 3 posts' }).click();
  await dialog(page).waitFor({ state: 'gone' });
}

test('who may not order chooses posts, and is offered no likes for them', async () => {
  const workspaceId = '0192d3c0-0000-7000-8000-00000000e001';
  const membership = { workspaceId, role: 'Viewer' as const, people: 2, workspaces: [] };
  const { page } = await open({ kind: 'live' }, { ...user, membership });
  await box(page, '1').click();
  await expect.poll(() => selected(page)).toBe('1');
  await page.button('Find anything').click();
  await page.getByLabel('Find a command').fill('e');
  await page.getByRole('dialog').getByRole('button', { name: 'Help' }).waitFor();
  expect(page.getByRole('dialog').getByText('Extra likes for the post').count()).toBe(0);
});

test('posts are chosen by box and by X, with Shift a range, and a deleted one never', async () => {
  const { page } = await open();
  await box(page, '1').click();
  expect(await bar(page).text()).toContain('1 post');
  key(page, '4', { key: 'X', shiftKey: true });
  await expect.poll(() => selected(page)).toBe('1 2 4');
  key(page, '2', { key: 'x' });
  await expect.poll(() => selected(page)).toBe('1 4');
  expect(box(page, '3').count()).toBe(0);
  key(page, '1', { key: 'Escape' });
  await bar(page).waitFor({ state: 'gone' });
});

test('the bar says the total before, and why it can’t be ordered', async () => {
  const { page } = await open();
  key(page, '1', { key: 'a', ctrlKey: true });
  const field = bar(page).getByLabel('Likes for each post');
  const send = bar(page).getByRole('button', { name: 'Send extra likes' });
  await field.fill('50');
  await bar(page).getByText('150 credits, 350 left after this').waitFor();
  await field.fill('200');
  await bar(page).getByText('That’s 600 credits. You have 500.').waitFor();
  expect(await send.isEnabled()).toBe(false);
});

test('one confirmation orders for all, and until it is sent it can be undone', async () => {
  const { page } = await open();
  await order(page);
  expect(selected(page)).toBe('');
  await page.getByText('150 likes for 3 posts').waitFor();
  await page.getByText('50 extra likes: sent in a few seconds.').first().waitFor();
  await page.getByText('350 credits').waitFor();
  await page.button('Undo').click();
  await page.getByText('Undone. Nothing was sent.').waitFor();
  await expect.poll(() => page.button('Undo').count()).toBe(0);
  await page.getByText('500 credits').waitFor();
});

test('offline the outbox keeps the orders, each with an id of its own', async () => {
  const { page } = await open(OFFLINE);
  await order(page);
  await page.button('Undo').waitFor();
  expect(page.getByText('50 extra likes: waiting for the network.').count()).toBe(3);
  expect(await page.getByRole('button', { name: /3 waiting/ }).text()).toContain('3 waiting');
});

test('when the time is over there is nothing left to undo', async () => {
  const { page, clock } = await open();
  await order(page);
  await page.button('Undo').waitFor();
  clock.ms += 10_000;
  await vi.waitFor(() => expect(page.button('Undo').count()).toBe(0));
});
