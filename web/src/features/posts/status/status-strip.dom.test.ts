import { expect, test } from 'vitest';
import type { User } from '#shared/contract/people/user.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { postKey } from '#shared/contract/scope.ts';
import { applyRows } from '#web/replica/store/apply-rows.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { accountIdOf, postRow, type Rows } from '#web/testing/dom/replica.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, orderExample, unpaidAccount, userExample } from '#web/testing/examples.ts';

const ago = (ms: number): string => new Date(NOW - ms).toISOString();
/** An order of the plan, detected a minute ago, and late or not. */
const order = (nth: number, isLate = false, igId = '17841400000000001') => ({
  ...orderExample({
    id: `0192d3c0-0000-7000-8000-0000000000b${nth}`,
    igId,
    postId: `1800000000000000${nth}`,
    postedAt: ago(MINUTE_MS + (isLate ? 40_000 : 5000)),
    detectedAt: ago(MINUTE_MS),
    delivered: 40,
    finishBy: ago(-MINUTE_MS),
  }),
  accountId: accountIdOf(0),
});
const open = (user: User, replica: Rows): Promise<Page> =>
  openPage('/dashboard', { user, replica });
const strip = (page: Page) => page.getByRole('region', { name: 'At a glance' });

test('today, likes, credits, next charge and the promise stand above the posts, offline too', async () => {
  const page = await openPage('/dashboard', {
    user: userExample({ credits: 2500 }),
    status: { kind: 'offline', asOf: undefined },
    replica: { post: [postRow()], order: [order(1), order(2, true)] },
  });
  await expect
    .poll(() => strip(page).text())
    .toBe(
      [
        'Posts left today 2 of 4 With automatic likes',
        'Likes this month 80 Delivered by us',
        'Credits 2,500 Buy more',
        'Next charge $9.99 Dec 21',
        'Promise kept 50% 1 of 2 posts on time',
      ].join(' '),
    );
});

test('each fact leads to where it is dealt with', async () => {
  const page = await open(userExample(), { post: [postRow()], order: [order(1, true)] });
  await strip(page)
    .getByRole('button', { name: /Posts left/ })
    .click();
  await page.getByRole('dialog', { name: 'Delivery settings' }).waitFor();
  await strip(page)
    .getByRole('button', { name: /Credits/ })
    .click();
  await page.getByRole('dialog', { name: 'Buy credits' }).waitFor();
  await strip(page)
    .getByRole('button', { name: /Likes this month/ })
    .click();
  await page.waitForPath('/dashboard?chart=open');
  await page.getByRole('figure').waitFor();
  await strip(page)
    .getByRole('button', { name: /Promise kept/ })
    .click();
  await page.waitForPath('/dashboard?filter=late&chart=open');
  await expect.poll(() => page.locator('[data-post]').count()).toBe(1);
  await strip(page)
    .getByRole('link', { name: /Next charge/ })
    .click();
  await page.waitForPath('/my-billing');
});

test('an account without a plan says so, and leads to where it gets one', async () => {
  const page = await open(userExample({ connectedAccounts: [unpaidAccount()] }), {
    post: [postRow()],
  });
  await expect.poll(() => strip(page).text()).toContain('Posts left today No plan No automatic');
  await strip(page)
    .getByRole('button', { name: /Posts left/ })
    .click();
  await page.getByRole('dialog', { name: 'Manage account' }).waitFor();
});

test('of all accounts the places of today and the charges are those of all', async () => {
  const bob = accountExample({
    igUsername: 'bob.bakes',
    igId: '17841400000000002',
    accountPackageId: 3,
    nextBillingDate: '2026-12-01T09:00:00.000Z',
  });
  const page = await openPage('/dashboard?accounts=all', {
    user: userExample({ connectedAccounts: [accountExample(), bob] }),
    replica: { post: [postRow()], order: [order(1), order(2, false, bob.igId)] },
  });
  await expect.poll(() => strip(page).text()).toContain('Posts left today 6 of 8');
  expect(await strip(page).text()).toContain('Next charge $24.00 Dec 1, then 1 more');
});

/** Likes of one post arrive, told of the post and of its order at once. */
async function deliver(user: User, likes: number): Promise<void> {
  const db = new LocalDatabase(user.id);
  const [post, row] = [postRow({ deliveredLikes: likes }), { ...order(1), delivered: likes }];
  await createDexieStore(db).write(async (tx) => {
    const [scope, v] = [`w:${user.id}`, likes];
    const postId = postKey(post.accountId, post.id);
    const place = { scope, generation: 1 };
    await applyRows(tx, { ...place, entity: 'post' }, [{ id: postId, v, row: { ...post } }]);
    await applyRows(tx, { ...place, entity: 'order' }, [{ id: row.id, v, row }]);
  });
  db.close();
}

test('while likes arrive the strip and the card say the same in every drawing', async () => {
  const user = userExample();
  const page = await open(user, { post: [postRow({ deliveredLikes: 40 })], order: [order(1)] });
  const shown = () => [
    /Likes this month (\d+)/.exec(strip(page).texts().join())?.[1],
    /(\d+) delivered/.exec(page.locator('[data-post]').texts().join())?.[1],
  ];
  await expect.poll(shown).toEqual(['40', '40']);
  const seen = new Set<string>();
  const observer = new MutationObserver(() => seen.add(shown().join(' and ')));
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  for (const likes of [41, 42, 43, 44, 45]) {
    await deliver(user, likes);
    await expect.poll(() => shown()[1]).toBe(String(likes));
  }
  observer.disconnect();
  expect([...seen]).toEqual([41, 42, 43, 44, 45].map((likes) => `${likes} and ${likes}`));
});
