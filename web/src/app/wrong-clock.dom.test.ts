import { expect, test } from 'vitest';
import { addSubscriptionWithSavedCard } from '#shared/contract/money/checkout.ts';
import {
  cancelSubscription,
  changePlan,
  moneyBack,
  pauseSubscription,
  quoteMoneyBack,
  quotePlan,
} from '#shared/contract/money/subscription.ts';
import type { User } from '#shared/contract/people/user.ts';
import { manage, NEWCOMER, OWNER, QUOTE } from '#web/testing/dom/customer-forms.ts';
import { succeed } from '#web/testing/dom/fake-server.ts';
import { postRow, type Rows } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample } from '#web/testing/examples.ts';

/** Two minutes before a day ends, in the plan's zone: five minutes later it is another one. */
const NIGHT = Date.parse('2026-11-22T23:58:00.000Z');
const OFF_MS = 5 * 60_000;
/** As far as a device's clock is wrong. */
const CLOCKS = [0, -OFF_MS, OFF_MS];
const PAID_UNTIL = '2026-12-21T09:00:00.000Z';

const withAccount = (changes: Parameters<typeof accountExample>[0]): User => ({
  ...OWNER,
  connectedAccounts: [accountExample({ timeZone: 'UTC', ...changes })],
});
const PLAN_OWNER = withAccount({});
const RICH = { ...OWNER, credits: 2500 };

interface Open {
  user: User;
  path: string;
  replica?: Rows;
}

const wayOut = async (page: Page): Promise<void> => {
  await manage('Manage subscription')(page);
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
};
const press = (page: Page, name: string | RegExp): Promise<void> => page.button(name).click();
/** What stands there of amounts and dates. */
const read = (page: Page, words: RegExp): string => {
  const [sentence = ''] = page.getByText(words).texts();
  return sentence;
};

/** Each move: who plays it, and how; answers what was sent, and what the page then says. */
const MOVES: Record<string, Open & { play: (page: Page) => Promise<unknown[]> }> = {
  subscribe: {
    user: { ...NEWCOMER, billingInfo: OWNER.billingInfo },
    path: '/subscription',
    play: async (page) => {
      page.server.gives(addSubscriptionWithSavedCard, OWNER);
      await page.getByLabel('Choose Your plan').selectOption('6');
      await press(page, /^Pay .* with the card ending in 242$/);
      await page.getByText('Payment Successful').waitFor();
      return [page.server.asked(addSubscriptionWithSavedCard).map(({ input }) => input)];
    },
  },
  upgrade: {
    user: PLAN_OWNER,
    path: '/my-subscriptions',
    play: async (page) => {
      page.server.gives(quotePlan, QUOTE);
      page.server.gives(changePlan, PLAN_OWNER);
      await manage('Manage subscription')(page);
      await page.getByLabel('Choose Your plan').selectOption('5');
      await press(page, 'Next');
      await page.getByText('Total today').waitFor();
      const said = page.getByRole('form', { name: 'Confirm the plan change' }).texts();
      await press(page, 'Confirm & Pay');
      await page.getByText('Done. Your next post gets').waitFor();
      return [said, page.server.asked(changePlan).map(({ input }) => input)];
    },
  },
  pause: {
    user: PLAN_OWNER,
    path: '/my-subscriptions',
    play: async (page) => {
      const message = 'Likes stop on November 24, 2026, and start again on December 2, 2026.';
      page.server.on(pauseSubscription, succeed(pauseSubscription, PLAN_OWNER, { message }));
      await wayOut(page);
      await page.getByLabel('Pause until').fill('2026-12-02');
      await press(page, 'Pause until December 2, 2026');
      await page.getByText(message).waitFor();
      return [page.server.asked(pauseSubscription).map(({ input }) => input)];
    },
  },
  cancel: {
    user: PLAN_OWNER,
    path: '/my-subscriptions',
    play: async (page) => {
      const stopping = withAccount({ endsAt: PAID_UNTIL });
      page.server.on(
        cancelSubscription,
        succeed(cancelSubscription, stopping, { message: 'Stops.' }),
      );
      await wayOut(page);
      const said = read(page, /^Likes continue until/);
      await press(page, 'Stop on December 21, 2026');
      await page.getByText(/^Stops\./).waitFor();
      return [said, page.server.asked(cancelSubscription).map(({ input }) => input)];
    },
  },
  'money back': {
    user: PLAN_OWNER,
    path: '/my-subscriptions',
    play: async (page) => {
      page.server.gives(quoteMoneyBack, {
        least: 9.99,
        most: 9.99,
        until: PAID_UNTIL,
        charged: 9.99,
        hasFreeLikes: true,
        paidLikes: 0,
        likesCost: 0,
        takenCredits: 0,
        usedCredits: 0,
        creditsCost: 0,
      });
      page.server.gives(moneyBack, {
        user: withAccount({ subscriptionState: 'Canceled', moneyBackState: 'Requested' }),
        state: 'Requested',
        amount: 9.99,
        most: 9.99,
        approvedBy: '2026-11-25T23:58:00.000Z',
      });
      await wayOut(page);
      await page.button('Get $9.99 back').waitFor();
      const said = read(page, /^Until December 21, 2026/);
      await press(page, 'Get $9.99 back');
      await page.getByText(/\$9\.99 is going back to your card/).waitFor();
      return [said, page.server.asked(moneyBack).map(({ input }) => input)];
    },
  },
  order: {
    user: RICH,
    path: '/dashboard',
    replica: { post: [postRow()] },
    play: async (page) => {
      await page.locator('[data-post]').waitFor();
      await page
        .locator('[data-post]')
        .getByRole('button', { name: /Extra likes/ })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Send extra likes' });
      await dialog.getByRole('textbox', { name: 'Likes' }).fill('40');
      await dialog.getByRole('button', { name: 'Send likes' }).click();
      await page.toasts.getByText('40 likes are on their way', { exact: true }).waitFor();
      // Each order has an id of its own.
      return (page.leader?.sent ?? []).map(({ name, args }) => [
        name,
        { ...(args as { orderId: string }), orderId: '' },
      ]);
    },
  },
};

test.each(Object.entries(MOVES))(
  'with a clock five minutes off, either way, near midnight: %s sends and says the same',
  async (_name, { play, ...opened }) => {
    const seen: unknown[] = [];
    for (const offMs of CLOCKS) {
      const { path, ...others } = opened;
      const page = await openPage(path, { ...others, platform: { now: () => NIGHT + offMs } });
      seen.push(await play(page));
    }
    expect(seen[0]).not.toEqual([]);
    expect(seen.slice(1)).toEqual([seen[0], seen[0]]);
  },
);
