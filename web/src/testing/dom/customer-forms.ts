import { expect } from 'vitest';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import { lookUpAccount, updateUsername } from '#shared/contract/accounts/account-changes.ts';
import { buyCredits } from '#shared/contract/money/credits.ts';
import { findDocuments } from '#shared/contract/money/documents.ts';
import {
  deleteAccount,
  updatePassword,
  updateProfile,
} from '#shared/contract/people/own-account.ts';
import {
  changePlan,
  type Quote,
  quotePlan,
  replaceBillingInfo,
} from '#shared/contract/money/subscription.ts';
import { saveTaxId } from '#shared/contract/money/tax-id.ts';
import { accountExample, unpaidAccount, userExample } from '../examples.ts';
import { succeed } from './fake-server.ts';
import { click, form, type FormCase, formWith, text } from './form-case.ts';
import { NOW } from './now.ts';
import type { Page } from './open-page.ts';

export const CARD = {
  'Cardholder name': 'Ada Lovelace',
  'Card number': '4242 4242 4242 4242',
  Month: '12',
  Year: '2030',
  'CVV/CVC': '123',
  'Street address': '1 Main Street',
  City: 'New York',
  State: 'NY',
  'Zip/postal code': '10001',
  Phone: '5550100100',
};
export const OWNER = userExample({
  billingInfo: {
    ccNum: '•••• •••• •••• •242',
    ccName: 'Ada Lovelace',
    ccMonth: '12',
    ccYear: '2030',
  },
});
/** The same before a plan was paid. */
export const NEWCOMER = userExample({
  inSubscription: false,
  connectedAccounts: [unpaidAccount()],
});
export const QUOTE: Quote = {
  quoteId: '0192d3c0-0000-7000-8000-0000000000f1',
  expiresAt: new Date(NOW + 15 * 60_000).toISOString(),
  packageIndex: 5,
  price: 75,
  starts: 'now',
  totalToday: 65.33,
  periodDays: 30,
  unusedDays: 29,
  unused: 9.67,
  unpaidDays: 0,
  unpaid: 0,
  nextBillingDate: '2026-12-22T09:00:00.000Z',
};

/** Opens the card's fields where the saved card is offered first. */
export async function openAnotherCard(page: Page): Promise<void> {
  const other = page.getByRole('button', { name: 'Use another card' });
  const isOpen = () => other.count() + page.getByLabel('Card number').count();
  await expect.poll(isOpen).toBeGreaterThan(0);
  if (other.count() > 0) await other.click();
}

/** Fills a card and a billing address in, with these fields otherwise. */
export async function fillCard(page: Page, changes: Partial<typeof CARD> = {}): Promise<void> {
  await openAnotherCard(page);
  for (const [label, value] of Object.entries({ ...CARD, ...changes })) {
    const field = page.getByLabel(label, { exact: true });
    if (label === 'Month' || label === 'Year') await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Opens one of the dialogs behind the account's own. */
export const manage =
  (item: string) =>
  async (page: Page): Promise<void> => {
    await click(page, /^Manage @/);
    await page.getByRole('dialog').getByRole('button', { name: item }).click();
    await page.getByRole('dialog', { name: item }).waitFor();
  };

const renamed = userExample({
  defaultIgUsername: 'is.called',
  connectedAccounts: [accountExample({ igUsername: 'is.called' })],
});

/** The forms of customers. */
export const CUSTOMER_FORMS: FormCase[] = [
  {
    name: 'plan checkout',
    source: 'features/billing/checkout/payment-form.tsx',
    user: NEWCOMER,
    path: '/subscription',
    form: form('Secure checkout'),
    fields: { 'Choose Your plan': '6', ...CARD },
    submit: /^Confirm & Pay/,
    call: addSubscription,
    hasKey: true,
    reply: succeed(addSubscription, OWNER),
    again: text('Payment Successful'),
  },
  {
    name: 'credits checkout',
    source: 'features/billing/checkout/payment-form.tsx',
    user: OWNER,
    path: '/payment/credits',
    open: async (page) => {
      await openAnotherCard(page);
      await page.getByLabel('15,000 credits').click();
    },
    form: form('Secure checkout'),
    fields: CARD,
    submit: /^Confirm & Pay/,
    call: buyCredits,
    hasKey: true,
    reply: succeed(buyCredits, OWNER),
    again: text('Payment Successful'),
  },
  {
    name: 'look-up of an account',
    source: 'features/accounts/dialogs/add-account-dialog.tsx',
    user: OWNER,
    path: '/my-subscriptions',
    open: (page) => click(page, 'Add account'),
    form: form('Look up an account'),
    fields: { 'Instagram username': 'looked.up' },
    submit: 'Look up',
    call: lookUpAccount,
    isClearedByRefusal: true,
    reply: succeed(lookUpAccount, {
      igUsername: 'looked.up',
      igId: '17841400000000002',
      followers: 12,
      isConnected: false,
      standing: 'free',
    }),
    again: text('Instagram account found'),
  },
  {
    name: 'another username',
    source: 'features/accounts/dialogs/change-username-dialog.tsx',
    user: OWNER,
    path: '/my-subscriptions',
    open: manage('Change username'),
    form: form('Change username'),
    fields: { 'New Instagram username': 'is.called' },
    submit: 'Change username',
    call: updateUsername,
    reply: succeed(updateUsername, renamed),
    again: (page) =>
      page.waitForPath('/other-account-subscription?packageValue=1&defaultIgUsername=is.called'),
  },
  {
    name: 'plan change, choice',
    source: 'payments/plan/plan-change.tsx',
    user: OWNER,
    path: '/my-subscriptions',
    open: manage('Manage subscription'),
    form: form('Choose a plan'),
    fields: { 'Choose Your plan': '5' },
    submit: 'Next',
    call: quotePlan,
    reply: succeed(quotePlan, QUOTE),
    again: text('Total today'),
  },
  {
    name: 'plan change, price',
    source: 'payments/plan/plan-quote.tsx',
    user: OWNER,
    path: '/my-subscriptions',
    open: async (page) => {
      page.server.gives(quotePlan, QUOTE);
      await manage('Manage subscription')(page);
      await page.getByLabel('Choose Your plan').selectOption('5');
      await page.button('Next').click();
    },
    form: form('Confirm the plan change'),
    fields: {},
    submit: 'Confirm & Pay',
    call: changePlan,
    hasKey: true,
    reply: succeed(changePlan, OWNER),
    again: text('Done. Your next post gets'),
  },
  {
    name: 'details',
    source: 'features/settings/profile-form.tsx',
    user: OWNER,
    path: '/my-settings',
    form: formWith('Save details'),
    fields: { Name: 'Ada King', Phone: '5550100199', 'Time zone': 'Europe/London' },
    submit: 'Save details',
    call: updateProfile,
    reply: succeed(updateProfile, OWNER),
    again: text('Details saved'),
  },
  {
    name: 'another card',
    source: 'features/billing/overview/replace-card.tsx',
    user: OWNER,
    path: '/my-billing',
    open: (page) => click(page, 'Replace card'),
    form: form('Replace card'),
    fields: CARD,
    submit: 'Save card',
    call: replaceBillingInfo,
    hasKey: true,
    reply: succeed(replaceBillingInfo, OWNER),
    again: text('Your card has been replaced'),
  },
  {
    name: 'a tax ID',
    source: 'features/billing/overview/other-documents.tsx',
    user: OWNER,
    path: '/my-billing',
    page: {
      replica: { transaction: [], ledger: [] },
      server: (server) => server.gives(findDocuments, { taxId: null, documents: [] }),
    },
    form: form('Tax ID'),
    fields: { 'Tax ID (optional)': 'DE123456789' },
    submit: 'Save',
    call: saveTaxId,
    lost: /may not be saved/,
    reply: succeed(saveTaxId, { taxId: 'DE123456789' }),
    again: text('Tax ID saved.'),
  },
  {
    name: 'another password',
    source: 'features/settings/password-form.tsx',
    user: OWNER,
    path: '/my-settings',
    form: formWith('Save password'),
    fields: {
      'Current password': 'correct horse battery',
      'New password': 'a different long one',
      'Confirm password': 'a different long one',
    },
    submit: 'Save password',
    call: updatePassword,
    reply: succeed(updatePassword, null),
    again: text('Password changed successfully!'),
  },
  {
    name: 'deletion of the account',
    source: 'features/settings/own-data.tsx',
    user: OWNER,
    path: '/my-settings',
    open: (page) => click(page, /^Delete/),
    form: formWith('Delete everything now'),
    fields: { 'Your password, to delete your account': 'correct horse battery' },
    submit: 'Delete everything now',
    call: deleteAccount,
    reply: succeed(deleteAccount, null),
    // Where the page goes then is the shell's.
    again: async () => {
      await expect
        .poll(() => localStorage.getItem('session-ended'))
        .toMatch(/account has been deleted/);
    },
  },
];
