import { expect, test } from 'vitest';
import { findUser } from '#shared/contract/people/user.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { findScope, putScope } from '#web/replica/store/scope-state.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountIdOf, postRow } from '#web/testing/dom/replica.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

const ACCOUNTS = ['ada', 'bob'].map((igUsername, nth) =>
  accountExample({ igUsername, igId: `1784140000000000${nth}` }),
);
const USER = userExample({ connectedAccounts: ACCOUNTS });

/** So many posts of an account as a first reading brings, one a day. */
const postsOf = (nth: number, count: number) =>
  Array.from({ length: count }, (_, day) =>
    postRow(
      {
        id: `18000000${nth}${String(day).padStart(6, '0')}`,
        igId: ACCOUNTS[nth]?.igId ?? '',
        takenAt: new Date(NOW - (day + 1) * DAY_MS).toISOString(),
      },
      nth,
    ),
  );

/** The server has older posts of every account. */
async function cutShort(): Promise<void> {
  const db = new LocalDatabase(USER.id);
  await createDexieStore(db).write(async (tx) => {
    const state = await findScope(tx, `w:${USER.id}`);
    if (state) await putScope(tx, { ...state, more: { post: '2020-01-01T00:00:00.000Z|a|1' } });
  });
  db.close();
}

/** The accounts whose older posts were asked for, in that order. */
const askedFor = (page: Page): unknown[] =>
  page.server
    .asked({ ...findUser, path: SNAPSHOT_PATH })
    .map(({ input }) => new Map<string, unknown>(Object.entries(input)).get('account'));

async function switchTo(page: Page, name: string): Promise<void> {
  await page.button('Find anything').click();
  await page.getByLabel('Find a command').fill(name);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `@${name}` })
    .click();
  await page.getByRole('heading', { name: `Posts by @${name}` }).waitFor();
}

test('all posts of one account were wanted: those of the next one are not fetched for it', async () => {
  const page = await openPage('/dashboard?sort=likes', {
    user: USER,
    replica: { post: [...postsOf(0, 3), ...postsOf(1, 100)] },
  });
  await page.locator('[data-post]').first().waitFor();
  await cutShort();
  await expect.poll(() => askedFor(page)).toEqual([accountIdOf(0)]);
  await page.getByLabel('Sort posts').selectOption('newest');
  await switchTo(page, 'bob');
  await page.getByText('100').first().waitFor();
  await switchTo(page, 'ada');
  await expect.poll(() => askedFor(page).at(-1)).toBe(accountIdOf(0));
  expect(askedFor(page)).not.toContain(accountIdOf(1));
});
