import { expect, test } from 'vitest';
import { findBulk } from '#shared/contract/accounts/bulk.ts';
import { findMadeItems, type MadeItem } from '#shared/contract/made-items.ts';
import { BUSY, isBusy } from '#web/testing/dom/fake-server.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage } from '#web/testing/dom/open-page.ts';
import { accountExample, operationExample, userExample } from '#web/testing/examples.ts';

const user = userExample({ connectedAccounts: [accountExample()] });

test('what was done is shown account by account, with what can be undone, a page at a time', async () => {
  const page = await openPage('/my-subscriptions?q=', { user, replica: {} });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  const made = (position: number, changes: Partial<MadeItem> = {}): MadeItem => ({
    position,
    igUsername: `account${position}`,
    change: { kind: 'plan', packageIndex: 4 },
    undo: null,
    fromPlan: 2,
    charged: 31.57,
    ...changes,
  });
  const tagged = made(1, {
    change: { kind: 'tags', add: ['VIP'], remove: ['Old'] },
    undo: { kind: 'tags', add: ['Old'], remove: ['VIP'] },
    charged: 0,
  });
  const bakery = { kind: 'client', clientId: user.id, clientName: 'Birch Bakery' } as const;
  const moved = made(2, { change: bakery, undo: { kind: 'client', clientId: null }, charged: 0 });
  const undoUntil = new Date(NOW + 600_000).toISOString();
  const done = operationExample({ state: 'done', waiting: 0, done: 201, failed: 0, undoUntil });
  page.server.gives(findBulk, [done]);
  const others = Array.from({ length: 197 }, (_, nth) => made(3 + nth));
  page.server.gives(findMadeItems, [made(0), tagged, moved, ...others]);
  await page.button('Recent changes').click();
  const dialog = page.getByRole('dialog', { name: 'Recent changes' });
  page.server.next(findMadeItems, isBusy);
  await dialog.getByRole('button', { name: 'Show or undo' }).click();
  await dialog.getByText(BUSY).waitFor();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('@account199').waitFor();
  expect(dialog.getByText(BUSY).count()).toBe(0);
  const rows = (): string[] =>
    [...document.querySelectorAll('[aria-label="What was changed"] tbody tr')].map(
      (row) => row.textContent,
    );
  expect(rows().slice(0, 3)).toEqual([
    '@account0100 likes500 likes$31.57No',
    '@account1Added VIP. Removed Old$0.00Yes',
    '@account2No clientBirch Bakery$0.00Yes',
  ]);
  page.server.next(findMadeItems, isBusy);
  await dialog.getByRole('button', { name: 'Show more' }).click();
  await dialog.getByText(BUSY).waitFor();
  expect(rows()).toHaveLength(200);
  page.server.gives(findMadeItems, [made(200)]);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('@account200').waitFor();
  expect(rows()).toHaveLength(201);
  expect(page.server.asked(findMadeItems).at(-1)?.input.after).toBe(199);
});
