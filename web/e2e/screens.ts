import type { Page } from 'playwright-core';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import { DISPUTES, OWNERSHIP } from './answered-screens.ts';
import { loseRequest, PUSH } from './bad-answers.ts';
import { fillCheckout, openAnotherCard, pay } from './customer.ts';
import { DESK_SCREENS } from './desk-screens.ts';
import { BLOCKED_SCREENS, PAYMENT_SCREENS } from './payment-screens.ts';
import type { Product } from './product.ts';
import { RECOVERY_SCREENS } from './recovery-screens.ts';
import { TEAM_SCREENS } from './team-screens.ts';

/** A screen or a dialog, and how a person gets there. */
export interface Screen {
  name: string;
  path: string;
  /** Without the app: a link within it doesn’t lead there. */
  isLoaded?: true;
  /** With another page of the app open: what the server will answer. */
  before?: (page: Page, product: Product) => Promise<void>;
  /** From the opened path on; the path itself is the screen without it. */
  open?: (page: Page, product: Product) => Promise<void>;
}

/** An account without a plan that the subscriber has too. */
export const UNPAID = 'without.a.plan';

const click = async (page: Page, ...names: (string | RegExp)[]): Promise<void> => {
  for (const name of names) await page.getByRole('button', { name }).first().click();
};
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

type Open = (page: Page) => Promise<void>;

/** Opens the dialog of the account with a plan, and one of those behind it. */
const manage =
  (item?: string, more?: Open): Open =>
  async (page) => {
    await click(page, new RegExp(`^Manage @(?!${UNPAID})`));
    await dialog(page, 'Manage account').waitFor();
    if (!item) return;
    await dialog(page, 'Manage account').getByRole('button', { name: item }).click();
    await dialog(page, item).waitFor();
    await more?.(page);
  };

const onDashboard =
  (open: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await page.locator('[data-post]').first().waitFor();
    await open(page);
  };

/** What a visitor sees, beside the landing page. */
export const VISITOR_SCREENS: Screen[] = [
  { name: 'log-in', path: '/login' },
  { name: 'sign-up', path: '/signup' },
  {
    name: 'sign-up with its messages',
    path: '/signup',
    open: async (page) => {
      await click(page, 'Sign Up');
      await page.getByText('Please enter your name').waitFor();
    },
  },
  ...RECOVERY_SCREENS,
  { name: 'back from the bank, signed out', path: '/payment-return?payment=any' },
  { name: 'unknown path', path: '/nothing-here' },
  // Last: nothing goes on from them.
  { name: 'terms of service', path: '/terms-of-service', isLoaded: true },
  { name: 'privacy policy', path: '/privacy-policy', isLoaded: true },
];

/** What a subscriber sees, page by page and dialog by dialog. */
export const CUSTOMER_SCREENS: Screen[] = [
  { name: 'dashboard', path: '/dashboard', open: onDashboard(async () => undefined) },
  {
    name: 'open receipt',
    path: '/dashboard',
    open: onDashboard(async (page) => {
      await page.locator('[data-post]').first().getByRole('link').click();
      await page
        .getByRole('region', { name: 'Receipt' })
        .getByText('Posted', { exact: true })
        .waitFor();
    }),
  },
  {
    name: 'filter and chart',
    path: '/dashboard?sort=likes',
    open: onDashboard(async (page) => {
      await click(page, 'Filter', 'Save for later', /^Save$/, 'Chart');
      await page.getByRole('list', { name: 'Saved filters' }).waitFor();
      await page.getByRole('figure').first().waitFor();
    }),
  },
  {
    name: 'export',
    path: '/dashboard',
    open: onDashboard(async (page) => {
      await click(page, 'Export receipts');
      await dialog(page, 'What’s in the file').waitFor();
    }),
  },
  {
    name: 'extra likes',
    path: '/dashboard',
    open: onDashboard(async (page) => {
      await click(page, /Extra likes/);
      await dialog(page, 'Send extra likes').waitFor();
    }),
  },
  {
    name: 'menu',
    path: '/my-billing',
    open: async (page) => {
      await click(page, /^Menu/);
      await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
    },
  },
  {
    name: 'palette',
    path: '/my-settings',
    open: async (page) => {
      // Its key works once the keys are loaded; its button does from the start.
      await click(page, 'Find anything');
      await page.getByLabel('Find a command').waitFor();
    },
  },
  {
    name: 'buy credits',
    path: '/my-settings',
    open: async (page) => {
      await click(page, /^[\d,]+ credits/);
      await dialog(page, 'Buy credits').waitFor();
    },
  },
  {
    name: 'account settings, about to delete the account',
    path: '/my-settings',
    open: async (page) => {
      await click(page, /^Delete/);
      await page.getByLabel('Your password, to delete your account').waitFor();
    },
  },
  {
    name: 'billing, replacing the card',
    path: '/my-billing',
    open: (page) => click(page, 'Replace card', 'Save card'),
  },
  {
    name: 'receipt of a payment',
    path: '/my-billing',
    open: async (page) => {
      await click(page, /^Receipt for/);
      await dialog(page, /Receipt/).waitFor();
    },
  },
  { name: 'disputes and refunds', path: '/my-billing', ...DISPUTES },
  {
    name: 'proof of ownership',
    path: `/other-account-subscription?packageValue=2&defaultIgUsername=${UNPAID}`,
    ...OWNERSHIP,
  },
  { name: 'subscriptions', path: '/my-subscriptions', open: (page) => ready(page, 'Add account') },
  ...DESK_SCREENS,
  { name: 'help', path: '/help', open: (page) => ready(page, 'Buy credits') },
  {
    name: 'add account',
    path: '/my-subscriptions',
    open: async (page) => {
      await click(page, 'Add account');
      await dialog(page, 'Add new Instagram account')
        .getByRole('button', { name: 'Look up' })
        .click();
      await page.getByText('Please enter a username').waitFor();
    },
  },
  {
    name: 'add account, found',
    path: '/my-subscriptions',
    open: async (page) => {
      await click(page, 'Add account');
      await page.getByLabel('Instagram username', { exact: true }).fill(UNPAID);
      await click(page, 'Look up');
      await dialog(page, 'Add new Instagram account').getByLabel('Choose Your plan').waitFor();
    },
  },
  { name: 'manage account', path: '/my-subscriptions', open: manage() },
  { name: 'change username', path: '/my-subscriptions', open: manage('Change username') },
  { name: 'delivery settings', path: '/my-subscriptions', open: manage('Delivery settings') },
  { name: 'manage subscription', path: '/my-subscriptions', open: manage('Manage subscription') },
  {
    name: 'price of a plan change',
    path: '/my-subscriptions',
    open: manage('Manage subscription', async (page) => {
      await page.getByLabel('Choose Your plan').selectOption('4');
      await dialog(page, 'Manage subscription')
        .getByRole('button', { name: 'Next', exact: true })
        .click();
      await page.getByText('Total today').waitFor();
    }),
  },
  {
    name: 'ways out',
    path: '/my-subscriptions',
    open: manage('Manage subscription', async (page) => {
      await click(page, 'Cancel subscription');
      await page.getByRole('button', { name: 'Stop likes today' }).waitFor();
    }),
  },
  { name: 'subscription, paid already', path: '/subscription' },
  {
    name: 'checkout of another account',
    path: `/other-account-subscription?packageValue=2&defaultIgUsername=${UNPAID}`,
    open: (page) => ready(page, /^Pay .* with the card ending/),
  },
  {
    name: 'credits checkout with its messages',
    path: '/payment/credits',
    open: async (page) => {
      await openAnotherCard(page);
      await pay(page);
    },
  },
  ...PAYMENT_SCREENS,
  { name: 'changes that wait', path: '/my-subscriptions', open: openChanges },
  {
    name: 'log-out while a change waits',
    path: '/my-subscriptions',
    open: async (page) => {
      await openChanges(page);
      await page.keyboard.press('Escape');
      await click(page, /^Menu/);
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await dialog(page, 'Log out?').waitFor();
    },
  },
  {
    name: 'payment that went through',
    path: '/payment/credits',
    open: async (page) => {
      await page.evaluate((dialogMs) => {
        const later = setTimeout.bind(globalThis);
        const unless = (work: () => void, delayMs?: number): number =>
          // The dialog stays for as long as somebody looks at it here.
          delayMs === dialogMs ? 0 : Number(later(work, delayMs));
        Object.assign(globalThis, { setTimeout: unless });
      }, DIALOG_MS);
      await page.getByLabel('2,500 credits').check();
      await fillCheckout(page, { number: '4242 4242 4242 4242' });
      await pay(page);
      await dialog(page, 'Payment Successful').waitFor();
    },
  },
  // Last: they change the browser’s replica, and the app.
  ...TEAM_SCREENS,
  ...BLOCKED_SCREENS,
];

/** Delivery settings that can't be sent. */
async function openChanges(page: Page): Promise<void> {
  await page.route(PUSH, loseRequest);
  await manage('Delivery settings', async () => {
    await page.getByLabel('Delivery speed').selectOption('1 Hour');
    await click(page, 'Save settings');
    await dialog(page, 'Delivery settings').waitFor({ state: 'hidden' });
  })(page);
  await click(page, /show changes/);
  await dialog(page, 'Your changes').waitFor();
}

async function ready(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).first().waitFor();
}
