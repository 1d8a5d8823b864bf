import { expect, test } from 'vitest';
import { type BulkItem, findBulk, planBulk } from '#shared/contract/accounts/bulk.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountIdOf, postRow } from '#web/testing/dom/replica.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

const agoIso = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();
const accounts = ['ada', 'bob'].map((igUsername, nth) =>
  accountExample({ igUsername, igId: `1784140000000000${nth}`, accountPackageId: 2 }),
);
const account = accounts.map((each, nth) => ({
  ...each,
  accountId: accountIdOf(nth),
  connectedAt: agoIso(90),
  lastReadAt: agoIso(0),
  problem: null,
}));
/** One every third day, of the first account alone. */
const post = Array.from({ length: 10 }, (_, nth) =>
  postRow({
    id: `1800000000000${nth}`,
    igId: accounts[0]?.igId ?? '',
    takenAt: agoIso(nth * 3 + 0.5),
  }),
);

async function check(change: BulkItem['change']): Promise<Page> {
  const page = await openPage('/my-subscriptions?q=', {
    user: userExample({ connectedAccounts: accounts }),
    replica: { account, post },
  });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  page.server.gives(findBulk, []);
  const items = accounts.map(({ igUsername }, position): BulkItem => ({
    position,
    igUsername,
    change,
    outcome: 'planned',
    reason: null,
    today: 24,
    month: 24,
  }));
  page.server.gives(planBulk, { items, planned: 2, today: 48, month: 48 });
  document.querySelector<HTMLElement>('[role="grid"]')?.focus();
  document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true, cancelable: true }),
  );
  await page.button('Change plans').click();
  const dialog = page.getByRole('dialog', { name: 'Change plans' });
  await dialog.getByRole('button', { name: 'Check the changes' }).click();
  await dialog.getByRole('button', { name: /a month$/ }).waitFor();
  return page;
}

test.each(['plan', 'begin'] as const)(
  'what plans would have bought last month is said before they are bought (%s)',
  async (kind) => {
    const page = await check({ kind, packageIndex: 4, timeZone: 'UTC' });
    expect(await page.text()).toContain(
      'In the last 30 days, these plans would have sent likes to 10 of 10 posts, at 1.92 cents a like.',
    );
  },
);

test('where no plan is bought nothing is said of last month', async () => {
  const page = await check({ kind: 'resume' });
  expect(await page.text()).not.toContain('In the last 30 days');
});
