import type { Page } from 'playwright-core';
import { type Budget, type Budgets, findBudgets } from '#shared/contract/money/budget.ts';
import { type Client, findClients } from '#shared/contract/accounts/clients.ts';
import { buyCreditsWithSavedCard } from '#shared/contract/money/credits.ts';
import { budgetRefusal } from '#shared/domain/money/budget.ts';
import { answer, answering } from './answered-screens.ts';
import type { Screen } from './screens.ts';

const MONTH = {
  from: '2026-11-01T05:00:00.000Z',
  until: '2026-12-01T05:00:00.000Z',
  timeZone: 'America/New_York',
};
const SHOWN = 'aurelie.lumen';

const budget = (igUsername: string | null, limit: number | null, spent: number): Budget => ({
  igUsername,
  limit,
  spent,
  due: 48,
  monthly: 72,
});
const CLIENT: Client = {
  id: '0192d3c0-0000-7000-8000-00000000e0c1',
  name: 'Lumen Bakery',
  accounts: 3,
  archivedAt: null,
};
const ofClient: Budget = {
  ...budget(null, 300, 120),
  client: { id: CLIENT.id, name: CLIENT.name },
};
const month = (...budgets: Budget[]): Budgets => ({ ...MONTH, budgets });

const withBudgets = (...budgets: Budget[]) =>
  answering(findBudgets.path, month(...budgets), (page) =>
    page.getByRole('region', { name: 'Monthly budget' }).waitFor(),
  );

async function openOfAccount(page: Page): Promise<void> {
  await answer(page, findBudgets.path, month(budget(SHOWN, 100, 24)));
  await page
    .getByRole('button', { name: /^Manage @/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Manage account' });
  await dialog.getByRole('button', { name: 'Monthly budget' }).click();
  await dialog.getByLabel('Dollars a month').waitFor();
}

async function answerOfClient(page: Page): Promise<void> {
  await answer(page, findClients.path, [CLIENT]);
  await answer(page, findBudgets.path, month(ofClient));
}

async function openOfClient(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Budget: ${CLIENT.name}` }).click();
  await page.getByLabel('Dollars a month').waitFor();
}

/** Credits that a budget has no room for. */
async function openRefused(page: Page): Promise<void> {
  const sums = { limitCents: 10_000, spentCents: 4700, dueCents: 4800, monthlyCents: 7200 };
  const { from, until, timeZone } = MONTH;
  const message = budgetRefusal(
    {
      ...sums,
      igUsername: null,
      clientName: null,
      amountCents: 1000,
      addedDueCents: 0,
      addedMonthlyCents: 0,
    },
    { fromMs: Date.parse(from), untilMs: Date.parse(until), timeZone },
  );
  await page.route(`**${buyCreditsWithSavedCard.path}`, (route) =>
    route.fulfill({ status: 403, json: { status: 'error', code: 'budget_reached', message } }),
  );
  await page.getByLabel('2,500 credits').check();
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByText('Of this month’s budget').first().waitFor();
}

/** Opens what stands behind the sentences about one’s own posts. */
async function openFigures(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
  });
}

async function openAdvice(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'What your posts say' }).waitFor();
  await openFigures(page);
}

async function openPack(page: Page): Promise<void> {
  await page.getByLabel('2,500 credits').check();
  await page.getByText('2,500 credits are enough for').waitFor();
  await openFigures(page);
}

/** What a month may cost, and what posts say of a price. */
export const BUDGET_SCREENS: Screen[] = [
  { name: 'no monthly budget', path: '/my-billing', ...withBudgets(budget(null, null, 24)) },
  {
    name: 'monthly budgets',
    path: '/my-billing',
    ...answering(
      findBudgets.path,
      {
        ...month(budget(null, 250, 24), budget(SHOWN, 100, 24), budget('a.second.one', 60, 0)),
        clients: [ofClient],
      },
      (page) => page.getByRole('list', { name: 'Budgets of clients' }).waitFor(),
    ),
  },
  {
    name: 'monthly budget nearly spent',
    path: '/my-billing',
    ...withBudgets(budget(null, 250, 201.5)),
  },
  {
    name: 'monthly budgets that are spent',
    path: '/my-billing',
    ...withBudgets(budget(null, 250, 250), budget(SHOWN, 100, 82)),
  },
  { name: 'monthly budget of an account', path: '/my-subscriptions', open: openOfAccount },
  {
    name: 'monthly budget of a client',
    path: '/my-team',
    before: answerOfClient,
    open: openOfClient,
  },
  { name: 'credits beyond a budget', path: '/payment/credits', open: openRefused },
  { name: 'what posts say of a plan', path: '/subscription', open: openAdvice },
  { name: 'what posts say of credits', path: '/payment/credits', open: openPack },
];
