import type { Page, Route } from 'playwright-core';
import { about } from '#shared/contract/about.ts';
import { buyCreditsWithSavedCard } from '#shared/contract/money/credits.ts';
import {
  findPaymentState,
  findWaitingPayments,
  type PaymentState,
  type WaitingPayment,
} from '#shared/contract/money/payment.ts';
import { answer, answering, readUser } from './answered-screens.ts';
import { fetchAgain } from './bad-answers.ts';
import { codeField } from './bank-customer.ts';
import { BUDGET_SCREENS } from './budget-screens.ts';
import { openAnotherCard, pay } from './customer.ts';
import type { Product } from './product.ts';
import type { Screen } from './screens.ts';

/** As a bank leads back. */
const PAYMENT = '0192d3c0-0000-7000-8000-0000000000c1';
const CARD_ID = '0192d3c0-0000-7000-8000-0000000000c2';
const RETURN = `/payment-return?payment=${PAYMENT}`;
type Opened = Pick<Screen, 'before' | 'open'>;

/** Sixty minutes are left, by the clock of the page. */
const waits = async (page: Page): Promise<Extract<PaymentState, { kind: 'needs_action' }>> => ({
  kind: 'needs_action',
  message: 'Your bank asks you to confirm $10.00.',
  what: 'credits',
  action: {
    paymentId: PAYMENT,
    url: 'https://bank.example/',
    amount: 10,
    until: new Date((await page.evaluate(() => Date.now())) + 3_600_000).toISOString(),
  },
});

/** A payment that the bank asks about, where its person comes back to. */
const ASKED: Opened = {
  before: async (page) => answer(page, findPaymentState.path, await waits(page)),
  open: (page) => page.getByRole('button', { name: 'Go to your bank' }).waitFor(),
};

/** One that the bank has refused. */
const REFUSED = answering(
  findPaymentState.path,
  { kind: 'declined', what: 'credits', code: 'card_declined', message: 'The card was declined.' },
  (page) => page.getByText('Unable to process payment').waitFor(),
);

/** One that nobody knows of yet. */
const CHECKED = answering(
  findPaymentState.path,
  { kind: 'checking', message: 'Your payment is being checked. Please do not pay again.' },
  (page) => page.getByText('is being checked').waitFor(),
);

/** One that is paid, of whoever is signed in. */
const PAID: Opened = {
  before: async (page, product) => {
    const user = await readUser(page, product);
    const { igUsername } = user.connectedAccounts.find((one) => one.accountPackageId) ?? {};
    const paid = { kind: 'paid', what: 'renewal', igUsername, amount: 24, user };
    await answer(page, findPaymentState.path, paid);
  },
  open: (page) => page.getByText('Payment Successful').waitFor(),
};

const NEW_CARD = { amount: 0, isCardPage: true };

/** The gateway's own page was left without a card. */
const CARD_PAGE: Opened = {
  before: async (page) => {
    const { action, ...state } = await waits(page);
    const message = 'Please enter your card on the payment page.';
    const asked = { ...state, what: 'card', message, action: { ...action, ...NEW_CARD } };
    await answer(page, findPaymentState.path, asked);
  },
  open: (page) => page.getByRole('button', { name: 'Enter your card' }).waitFor(),
};

/** The question in a checkout's place. */
async function openBankQuestion(page: Page): Promise<void> {
  const state = await waits(page);
  await answer(page, findPaymentState.path, state);
  const asks = (route: Route): Promise<void> =>
    route.fulfill({
      status: 402,
      json: { ...state, status: 'error', code: 'payment_needs_action' },
    });
  await page.route(`**${buyCreditsWithSavedCard.path}`, asks);
  await page.getByLabel('2,500 credits').check();
  // By key: what the pack would have bought comes above the button, and moves it away under a click.
  await page.getByRole('button', { name: /^Pay / }).press('Enter');
  await page.getByRole('button', { name: 'Go to your bank' }).waitFor();
}

/** What waits, on the billing page and on a checkout: at the bank, and a renewal for its person. */
async function keepWaiting(page: Page): Promise<void> {
  const { action } = await waits(page);
  const common = { igUsername: 'aurelie.lumen', until: action.until };
  const waiting: WaitingPayment[] = [
    { ...common, ...action, what: 'credits' },
    { ...action, ...NEW_CARD, paymentId: CARD_ID, what: 'card' },
    {
      ...common,
      paymentId: null,
      what: 'renewal',
      accountId: '0192d3c0-0000-7000-8000-0000000000a1',
      amount: 24,
      url: null,
    },
  ];
  await answer(page, findWaitingPayments.path, waiting);
}

const showWaiting = (page: Page): Promise<void> =>
  page.getByRole('heading', { name: 'Waiting for you' }).waitFor();

/** A checkout says it in a line, beside the form or by its button. */
async function showWaitingLine(page: Page): Promise<void> {
  await page.getByText('3 payments aren’t finished.').filter({ visible: true }).waitFor();
}

async function openWaitingThere(page: Page): Promise<void> {
  await showWaitingLine(page);
  await page.getByRole('button', { name: 'See what’s waiting' }).click();
  await showWaiting(page);
}

/** Cards are entered in the gateway's fields, and its script doesn't come. */
async function openBlockedFields(page: Page, { sandboxUrl }: Product): Promise<void> {
  await page.route('**/blocked.js', (route) => route.abort());
  await inGatewayWay(page, `${sandboxUrl}/blocked.js`);
  await page.getByText('couldn’t be loaded').waitFor();
}

/** The fields as the gateway draws them, with what is said beside them. */
async function openFields(page: Page): Promise<void> {
  await openAnotherCard(page);
  await codeField(page).waitFor();
  await pay(page);
  await page.getByText('Please enter a card number').waitFor();
}

/** As a server that has that way says it. */
async function inGatewayWay(page: Page, scriptUrl: string): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === about.path,
    async (route) => {
      const told = await fetchAgain(route);
      const { data } = (await told.json()) as { data: object };
      const cardEntry = { way: 'gateway', publishableKey: 'pk_test_sandbox', scriptUrl };
      await route.fulfill({ json: { status: 'success', data: { ...data, cardEntry } } });
    },
  );
  await page.reload();
  await openAnotherCard(page);
}

/** Cards in the gateway's fields, and what banks ask. */
export const PAYMENT_SCREENS: Screen[] = [
  { name: 'question of the bank', path: '/payment/credits', open: openBankQuestion },
  { name: 'back from the bank, asked again', path: RETURN, ...ASKED },
  { name: 'back from the bank, refused', path: RETURN, ...REFUSED },
  { name: 'back from the bank, paid', path: RETURN, ...PAID },
  { name: 'back from the bank, being checked', path: RETURN, ...CHECKED },
  { name: 'back from the card page without a card', path: RETURN, ...CARD_PAGE },
  { name: 'payments that wait', path: '/my-billing', before: keepWaiting, open: showWaiting },
  {
    name: 'checkout while payments wait',
    path: '/payment/credits',
    before: keepWaiting,
    open: showWaitingLine,
  },
  {
    name: 'checkout with what waits',
    path: '/payment/credits',
    before: keepWaiting,
    open: openWaitingThere,
  },
  {
    name: 'paid plan while payments wait',
    path: '/subscription',
    before: keepWaiting,
    open: showWaitingLine,
  },
  ...BUDGET_SCREENS,
];

/** Left, the app goes on as on a product on which cards are entered in the gateway's fields. */
export const BLOCKED_SCREENS: Screen[] = [
  { name: 'card fields that are blocked', path: '/payment/credits', open: openBlockedFields },
];

/** Those of a product on which cards are entered in the gateway's fields. */
export const GATEWAY_SCREENS: Screen[] = [
  { name: 'card fields of the gateway', path: '/payment/credits', open: openFields },
];
