import { expect, test } from 'vitest';
import type { User } from '#shared/contract/people/user.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { AccountChange } from '#shared/sync/entities.ts';
import { manage, OWNER, QUOTE } from '#web/testing/dom/customer-forms.ts';
import { quotePlan } from '#shared/contract/money/subscription.ts';
import { succeed } from '#web/testing/dom/fake-server.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountIdOf, postRow } from '#web/testing/dom/replica.ts';
import { accountExample, orderExample, unpaidAccount } from '#web/testing/examples.ts';

const agoIso = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

/** A customer for whose account so many posts are known, some days apart, for 90 days. */
const open = (
  path: string,
  { user = OWNER, posts = 27, days = 90, isOffline = false, unreadDays = 0 } = {},
): Promise<Page> => {
  const account: AccountChange = {
    ...(user.connectedAccounts[0] ?? accountExample()),
    lastReadAt: agoIso(unreadDays),
    problem: unreadDays > 0 ? 'unreadable' : null,
    accountId: accountIdOf(0),
    connectedAt: agoIso(days),
  };
  const post = Array.from({ length: posts }, (_, nth) =>
    postRow({ id: `1800000000000${nth}`, takenAt: agoIso(((nth + 0.5) * days) / posts) }),
  );
  const order = [{ ...orderExample({ kind: 'credit', ordered: 250 }), accountId: accountIdOf(0) }];
  const status = isOffline
    ? ({ kind: 'offline', asOf: NOW } as const)
    : ({ kind: 'live' } as const);
  return openPage(path, { user, status, replica: { account: [account], post, order } });
};

test('an account’s dialog says what a month would cost in either way, with the sums, also offline', async () => {
  const page = await open('/my-subscriptions', { isOffline: true });
  await page.getByRole('button', { name: /^Manage @/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage account' });
  await dialog
    .getByText(
      'At 9 posts a month, credits would cost $1.80 and the plan with 50 likes costs $9.99.',
    )
    .waitFor();
  await dialog.getByText('You don’t need a plan: credits cost $8.19 less.').waitFor();
  expect(await dialog.text()).toContain('27 × 30 ÷ 90 is about 9 posts a month.');
});

test('a plan change is advised on, and shows what it would have bought last month, before its price and with it', async () => {
  const page = await open('/my-subscriptions', { posts: 90 });
  await manage('Manage subscription')(page);
  const dialog = page.getByRole('dialog', { name: 'Manage subscription' });
  await dialog.getByLabel('Choose Your plan').selectOption('5');
  await dialog
    .getByText(
      'At 30 posts a month, credits would cost $111.60 and the plan with 1,000 likes costs $75.00.',
    )
    .waitFor();
  await dialog.getByText('For that you don’t need a plan: credits would cost $6.00').waitFor();
  page.server.next(quotePlan, succeed(quotePlan, QUOTE));
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByText('Total today').waitFor();
  const line = 'this plan would have sent likes to 30 of 30 posts, at 0.25 cents a like.';
  await dialog.getByText(line).waitFor();
  expect(dialog.getByText(/^Nov \d+, 2026, .*: likes$/).count()).toBeGreaterThan(20);
});

test('a checkout compares for its account, and an account known for few days gets no figure', async () => {
  const user: User = { ...OWNER, connectedAccounts: [unpaidAccount()] };
  const page = await open(
    '/other-account-subscription?packageValue=3&defaultIgUsername=ada.paints',
    {
      user,
      days: 10,
      posts: 3,
    },
  );
  await page.getByText('We know 10 days of this account’s posts. After 14 days').waitFor();
  await page
    .getByText('In the 10 days we know of, this plan would have sent likes to 3 of 3')
    .waitFor();
  expect(page.getByText('How we counted').count()).toBe(0);
});

test('a package of credits says how many posts it is enough for at the usual amount', async () => {
  const page = await open('/payment/credits');
  await page.getByLabel(/^2,500 credits/).click();
  const line = page.getByText(
    'At 250 likes a post, your usual amount, 2,500 credits are enough for',
  );
  await line.waitFor();
  expect(await line.text()).toContain('for 10 posts. We know of 9 posts in the last 30 days.');
});

test('of an account that can’t be read only the days count on which it could be', async () => {
  const page = await open('/my-subscriptions', { posts: 0, unreadDays: 80 });
  await page.getByRole('button', { name: /^Manage @/ }).click();
  const known = page.getByText('We know 10 days of this account’s posts. After 14 days');
  await known.waitFor();
  expect(page.getByText('How we counted').count()).toBe(0);
});
