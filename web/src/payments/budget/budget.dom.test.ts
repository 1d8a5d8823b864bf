import { expect, test } from 'vitest';
import {
  type Budget,
  type Budgets,
  findBudgets,
  saveBudget,
} from '#shared/contract/money/budget.ts';
import { addSubscriptionWithSavedCard } from '#shared/contract/money/checkout.ts';
import { findMoneyBacks, findPaymentReturns } from '#shared/contract/money/returned-money.ts';
import type { User } from '#shared/contract/people/user.ts';
import { NEWCOMER, OWNER } from '#web/testing/dom/customer-forms.ts';
import { refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

/** A month with $9.99 spent and $9.99 due. */
const budgetsExample = (limit: number | null, changes: Partial<Budget> = {}): Budgets => ({
  from: '2026-11-01T00:00:00.000Z',
  until: '2026-12-01T00:00:00.000Z',
  timeZone: 'UTC',
  budgets: [{ igUsername: null, limit, spent: 9.99, due: 9.99, monthly: 9.99, ...changes }],
});

const open = (
  limit: number | null,
  { user = OWNER, spent = 9.99 }: { user?: User; spent?: number } = {},
): Promise<Page> =>
  openPage('/my-billing', {
    user,
    replica: { transaction: [], ledger: [] },
    server: (server) => {
      server.gives(findBudgets, budgetsExample(limit, { spent }));
      server.gives(findMoneyBacks, []);
      server.gives(findPaymentReturns, []);
    },
  });

test('an owner sets a budget, hears why one is too low, and takes it back; what is left stands beside it', async () => {
  const page = await open(null);
  const budget = page.getByRole('region', { name: 'Monthly budget' });
  await budget
    .getByText(
      'There is no budget. $9.99 is spent or waiting for payment this month, and renewals of $9.99',
    )
    .waitFor();
  const low = 'Plans of this workspace cost $9.99 a month. Please set $10.00 or more.';
  page.server.next(
    saveBudget,
    refuse('budget_reached', low),
    succeed(saveBudget, budgetsExample(50)),
    succeed(saveBudget, budgetsExample(null)),
  );
  const save = () => budget.getByRole('button', { name: 'Save budget' }).click();
  await budget.getByLabel('Dollars a month').fill('12.50');
  await save();
  await budget.getByText('Please enter whole dollars, from 1 to 1,000,000').waitFor();
  await budget.getByLabel('Dollars a month').fill('5');
  await save();
  await budget.getByText(low).waitFor();
  await budget.getByLabel('Dollars a month').fill('50');
  await save();
  await budget.getByText('$9.99 of $50.00 is spent or waiting for payment this month').waitFor();
  expect(await budget.text()).toContain('$30.02 is left until December 1, 2026.');
  await budget.getByLabel('Dollars a month').fill('');
  await save();
  await budget.getByText('There is no budget.').waitFor();
  expect(page.server.asked(saveBudget).map(({ input }) => input.limit)).toEqual([5, 50, null]);
});

test('from 80 percent on it is said on top of the page, and at 100 that nothing more can be bought', async () => {
  const sentence =
    /Monthly budget: \$(\d+)\.00 of \$100\.00 is spent or waiting for payment this month/;
  const almost = await open(100, { spent: 80 });
  expect(await almost.getByRole('alert').text()).toMatch(sentence);
  const all = await open(100, { spent: 100 });
  expect(await all.getByRole('alert').text()).toContain(
    'Nothing more can be bought for this workspace until December 1, 2026. Renewals continue.',
  );
  const little = await open(100, { spent: 79 });
  await little.getByRole('region', { name: 'Monthly budget' }).waitFor();
  expect(little.getByRole('alert').count()).toBe(0);
});

test('who isn’t an owner sees the budget and can’t change it', async () => {
  const user: User = {
    ...OWNER,
    membership: {
      workspaceId: OWNER.id,
      role: 'Manager',
      people: 2,
      workspaces: [],
    },
  };
  const page = await open(50, { user });
  const budget = page.getByRole('region', { name: 'Monthly budget' });
  await budget.getByText('Only an owner of this workspace can change the budget.').waitFor();
  expect(budget.getByLabel('Dollars a month').count()).toBe(0);
});

test('an account’s dialog has its own budget, asked for when it is opened', async () => {
  const page = await openPage('/my-subscriptions', { user: OWNER });
  page.server.gives(findBudgets, budgetsExample(30, { igUsername: 'ada.paints' }));
  page.server.gives(saveBudget, budgetsExample(40, { igUsername: 'ada.paints' }));
  await page.getByRole('button', { name: /^Manage @/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage account' });
  await dialog.getByRole('button', { name: 'Monthly budget' }).click();
  await dialog.getByText('$9.99 of $30.00 is spent or waiting for payment this month').waitFor();
  await dialog.getByLabel('Dollars a month').fill('40');
  await dialog.getByRole('button', { name: 'Save budget' }).click();
  await dialog.getByText('$9.99 of $40.00 is spent or waiting for payment this month').waitFor();
  expect(page.server.asked(saveBudget)[0]?.input).toMatchObject({
    igUsername: 'ada.paints',
    limit: 40,
  });
});

test('a checkout that a budget refuses says the sums, and nothing was charged', async () => {
  const user: User = { ...NEWCOMER, billingInfo: OWNER.billingInfo };
  const page = await openPage('/subscription', { user });
  const sums =
    'This costs $9.99. Of this month’s budget of $15.00 for this workspace, $5.01 is left: $9.99 is spent or waiting for payment, and renewals of $0.00 are due by November 30, 2026. You were not charged. An owner can raise it under Billing.';
  page.server.next(addSubscriptionWithSavedCard, refuse('budget_reached', sums));
  await page.button(/^Pay .* with the card ending in 242$/).click();
  await page
    .getByText('Of this month’s budget of $15.00 for this workspace, $5.01 is left')
    .waitFor();
  expect(page.server.asked(addSubscriptionWithSavedCard)).toHaveLength(1);
});
