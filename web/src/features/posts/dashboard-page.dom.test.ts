import { expect, test } from 'vitest';
import { getPosts } from '#shared/contract/accounts/post.ts';
import type { User } from '#shared/contract/people/user.ts';
import { refuse } from '#web/testing/dom/fake-server.ts';
import { accountIdOf, postRow, type Rows } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, orderExample, userExample } from '#web/testing/examples.ts';

const open = (user: User, replica: Rows = {}): Promise<Page> =>
  openPage('/dashboard', { user, replica });
const cards = (page: Page) => page.locator('[data-post]');

// Shows fact 2.48.
test('posts that can’t be read and aren’t kept: "Site is under maintainance, Please check back soon.", until they are there', async () => {
  const page = await openPage('/dashboard', {
    user: userExample(),
    status: { kind: 'offline', asOf: undefined },
    server: (server) => server.on(getPosts, refuse('network_unreachable', 'It doesn’t answer.')),
  });
  await page
    .getByRole('alert')
    .getByText('Site is under maintainance, Please check back soon.', { exact: true })
    .waitFor();
  const there = await open(userExample(), { post: [postRow()] });
  await cards(there).waitFor();
  expect(there.getByText('under maintainance').count()).toBe(0);
});

// Shows fact 8.16.
test('what is kept stays while the server is away: nothing is told by a toast', async () => {
  const page = await openPage('/dashboard', {
    user: userExample(),
    status: { kind: 'offline', asOf: undefined },
    replica: { post: [postRow(), postRow({ id: '18000000000000002' })] },
  });
  await expect.poll(() => cards(page).count()).toBe(2);
  expect(page.toasts.count()).toBe(0);
  expect(page.getByText('under maintainance').count()).toBe(0);
});

// Shows fact 2.49.
test('an account without posts shows loading dots and a line that says what to do', async () => {
  const page = await open(userExample());
  const notice = page.getByRole('status').filter({ hasText: 'No posts yet.' });
  await notice.getByText('Post a picture or a video on Instagram.').waitFor();
  expect(notice.locator('span[aria-hidden="true"] > span').count()).toBe(3);
});

// Shows facts 3.08, 4.09.
test('a hidden like count is shown as hidden, never 0', async () => {
  const hidden = { edge_media_preview_like: { count: null }, organicLikes: null };
  const page = await open(userExample(), { post: [postRow(hidden)] });
  const card = cards(page);
  await card.getByText(/hidden/i).waitFor();
  expect(await card.text()).not.toMatch(/\b0 (?:organic )?likes/i);
});

test('a renewal that was declined is said on the dashboard, which stays open, and leads to billing', async () => {
  const page = await open(
    userExample({ connectedAccounts: [accountExample({ subscriptionState: 'Past due' })] }),
  );
  await page
    .getByRole('heading', { name: 'Your last payment for @ada.paints was declined' })
    .waitFor();
  expect(page.path).toBe('/dashboard');
  await page.getByRole('link', { name: 'Go to billing' }).click();
  await expect.poll(() => page.path).toBe('/my-billing');
});

test('a customer without any account is told what to do', async () => {
  const page = await open(userExample({ connectedAccounts: [] }));
  await page.getByRole('heading', { name: 'No accounts yet' }).waitFor();
  await page.locator('main').getByRole('button', { name: 'Add account' }).click();
  await page.getByRole('dialog', { name: 'Add new Instagram account' }).waitFor();
  expect(page.getByText('under maintainance').count()).toBe(0);
});

test('somebody in a workspace who was given no client is told to wait for one', async () => {
  const membership = {
    workspaceId: '01890000-0000-7000-8000-0000000000f1',
    role: 'Viewer' as const,
    allClients: false,
    grants: [],
    people: 2,
    workspaces: [],
  };
  const nobodys = { connectedAccounts: [], defaultIgUsername: '', defaultIgId: '', membership };
  const page = await open(userExample(nobodys));
  const main = page.locator('main');
  await main.getByText('There’s nothing to show you here yet.').waitFor();
  expect(await main.text()).not.toContain('undefined');
  expect(main.getByRole('button', { name: 'Add account' }).count()).toBe(0);
});

const firstSteps = (page: Page) =>
  page.locator('main section').filter({ has: page.getByText('Your plan is active.') });
const before = postRow({
  automaticOutcome: 'before_subscription',
  automaticLikes: 0,
  deliveredLikes: 0,
  order: null,
});

test('until the first like came, the steps to it stand above the posts and say which one is next', async () => {
  const page = await open(userExample(), { post: [before] });
  await firstSteps(page).getByText('We’re watching @ada.paints. Target: 30 seconds.').waitFor();
  expect(await firstSteps(page).locator('[aria-current="step"]').text()).toContain(
    'Post something.',
  );
  const spotted = postRow({ id: '18000000000000002', deliveredLikes: 0, organicLikes: 30 });
  const later = await open(userExample(), { post: [before, spotted] });
  await firstSteps(later).getByText('We spotted your post.').waitFor();
  expect(await firstSteps(later).locator('[aria-current="step"]').text()).toContain(
    'See your first likes arrive.',
  );
});

test.each([
  ['likes have come', userExample(), [before, postRow({ id: '18000000000000002' })]],
  [
    'the plan is paused',
    userExample({ connectedAccounts: [accountExample({ subscriptionState: 'Paused' })] }),
    [before],
  ],
])('no steps stand there when %s', async (_why, user, post) => {
  const page = await open(user, { post });
  await expect.poll(() => cards(page).count()).toBe(post.length);
  expect(firstSteps(page).count()).toBe(0);
});

test('a deleted post has neither extra likes nor a link, and its ring is lit as far as likes arrived', async () => {
  const order = { ...postRow().order, state: 'Partial', target: 1000, delivered: 119 } as const;
  const gone = postRow({
    deletedAt: '2026-11-21T10:00:00.000Z',
    order: { ...order, id: '0192d3c0-0000-7000-8000-0000000000aa', bonus: 0 },
  });
  const page = await openPage(`/dashboard?post=${gone.id}`, {
    user: userExample(),
    replica: {
      post: [gone],
      order: [
        {
          ...orderExample({
            state: 'Partial',
            reason: 'The post was deleted, so delivery stopped.',
          }),
          accountId: accountIdOf(0),
        },
      ],
    },
  });
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText('The post was deleted, so delivery stopped.').waitFor();
  await receipt.getByText('Deleted on Instagram. Ended with 119 of 1,000 likes').waitFor();
  expect(page.getByRole('button', { name: /^Extra likes/ }).count()).toBe(0);
  expect(receipt.getByRole('link').count()).toBe(0);
});

test('nowhere is told when an account was last polled: a replica hears only of changes', async () => {
  for (const path of ['/dashboard', '/my-subscriptions']) {
    const page = await openPage(path, { user: userExample(), replica: { post: [postRow()] } });
    await page.getByText('@ada.paints').first().waitFor();
    expect(await page.locator('main').text()).not.toMatch(/last (?:looked|read|checked|seen)/i);
  }
});

test('the receipt of a post without likes says so in place of an empty chart', async () => {
  const none = { organicLikes: 0, deliveredLikes: 0, edge_media_preview_like: { count: 0 } };
  const post = postRow({ ...none, order: null });
  const page = await openPage(`/dashboard?post=${post.id}`, {
    user: userExample(),
    replica: { post: [post] },
  });
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText(/^No likes yet\.$/).waitFor();
  expect(receipt.getByRole('figure').count()).toBe(0);
});
