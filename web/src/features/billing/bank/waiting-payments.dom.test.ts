import { withoutMoney } from '#shared/contract/accounts/connected-account.ts';
import { expect, test } from 'vitest';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import {
  confirmRenewal,
  findPaymentState,
  findWaitingPayments,
  giveUpPayment,
  type WaitingPayment,
} from '#shared/contract/money/payment.ts';
import { findMoneyBacks } from '#shared/contract/money/returned-money.ts';
import { ACTION, askBank, BANK_ASKS, CHECKED, REFUSED, WAITS } from '#web/testing/dom/bank.ts';
import { fillCard, NEWCOMER, OWNER } from '#web/testing/dom/customer-forms.ts';
import { type FakeServer, lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

const AT_BANK: WaitingPayment = {
  paymentId: ACTION.paymentId,
  what: 'subscription',
  igUsername: 'ada.paints',
  amount: 24,
  url: ACTION.url,
  until: ACTION.until,
};
const RENEWAL: WaitingPayment = {
  paymentId: null,
  what: 'renewal',
  accountId: '0192d3c0-0000-7000-8000-0000000000a1',
  igUsername: 'ada.paints',
  amount: 9.99,
  url: null,
  until: new Date(NOW + 5 * 86_400_000).toISOString(),
};
const PAST_DUE = userExample({
  connectedAccounts: [accountExample({ subscriptionState: 'Past due' })],
});

const open = (server: (server: FakeServer) => void, path = '/my-billing'): Promise<Page> =>
  openPage(path, {
    user: PAST_DUE,
    replica: { transaction: [], ledger: [], post: [] },
    server: (fake) => {
      fake.gives(findMoneyBacks, []);
      server(fake);
    },
    platform: { leaveFor: (url) => void left.push(url) },
  });
const left: string[] = [];
const section = (page: Page) => page.getByRole('region', { name: 'Waiting for you' });

/** On a page that sells something; the line stands twice, once for each width. */
async function seeWaiting(page: Page): Promise<void> {
  await page.getByText('Not finished yet: Plan for @ada.paints, $24.00.').first().waitFor();
  await page.getByRole('button', { name: 'See what’s waiting' }).first().click();
  expect(page.getByRole('button', { name: 'See what’s waiting' }).count()).toBe(0);
}

test('a payment that waits at the bank is found again after a closed browser, and confirmed from here', async () => {
  left.length = 0;
  const wait = holdTimers(3000);
  const page = await open((server) => {
    server.next(findWaitingPayments, succeed(findWaitingPayments, [AT_BANK]));
    server.gives(findWaitingPayments, []);
    server.gives(findPaymentState, WAITS);
  });
  await section(page).getByText('Plan for @ada.paints').waitFor();
  await section(page).getByText('You have 60 minutes.').waitFor();
  await page.button('Confirm with your bank').click();
  await page.getByRole('heading', { name: BANK_ASKS }).waitFor();
  await page.button('Go to your bank').click();
  expect(left).toEqual([ACTION.url]);
  await expect.poll(wait.count).toBe(1);
  page.server.gives(findPaymentState, {
    kind: 'paid',
    what: 'subscription',
    amount: 24,
    user: OWNER,
  });
  wait.end();
  await page.toasts.getByText('You paid $24.00.').waitFor();
  await section(page).waitFor({ state: 'gone' });
});

test('a renewal that needs the person is paid by one press, with the bank’s question where it has one', async () => {
  const page = await open((server) => {
    server.next(findWaitingPayments, succeed(findWaitingPayments, [RENEWAL]));
    server.gives(findWaitingPayments, []);
    server.on(confirmRenewal, askBank);
    server.gives(findPaymentState, { kind: 'paid', what: 'renewal', amount: 9.99, user: OWNER });
  });
  await section(page).getByText('Plan renewal for @ada.paints').waitFor();
  await section(page).getByText('Your bank wants you to confirm this payment yourself.').waitFor();
  await section(page)
    .getByText(/^You have until November 2[67], 2026/)
    .waitFor();
  await page.button('Pay $9.99').click();
  await page.toasts.getByText('You paid $9.99.').waitFor();
  const [asked] = page.server.asked(confirmRenewal);
  expect(asked?.input).toEqual({ userId: PAST_DUE.id, accountId: RENEWAL.accountId });
  expect(asked?.idempotencyKey).toMatch(/^[-\da-f]{36}$/);
});

test.each([
  [refuse('insufficient_funds', 'No.'), 'This card doesn’t have enough funds.'],
  [lose, 'We couldn’t reach the server, so we don’t know yet if you were charged.'],
])('a renewal that isn’t paid says why, and can be paid again', async (reply, sentence) => {
  const page = await open((server) => {
    server.gives(findWaitingPayments, [RENEWAL]);
    server.next(confirmRenewal, reply);
    server.gives(confirmRenewal, OWNER);
  });
  await page.button('Pay $9.99').click();
  await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  await page.button('Pay $9.99').click();
  await page.toasts.getByText('You paid $9.99.').waitFor();
  expect(page.server.asked(confirmRenewal)).toHaveLength(2);
});

test('what is being checked is said, and becomes the bank’s question by itself', async () => {
  const wait = holdTimers(3000);
  const checked: WaitingPayment = { ...AT_BANK, url: null };
  const page = await open((server) => {
    server.next(findWaitingPayments, succeed(findWaitingPayments, [checked]));
    server.gives(findWaitingPayments, [AT_BANK]);
    server.next(findPaymentState, succeed(findPaymentState, CHECKED));
    server.gives(findPaymentState, WAITS);
  });
  await section(page)
    .getByText('Your payment is being checked. Please do not pay again.')
    .waitFor();
  expect(section(page).getByRole('button').count()).toBe(0);
  await expect.poll(wait.count).toBe(1);
  wait.end();
  await page.button('Confirm with your bank').waitFor();
});

test('a card that is being checked is saved by itself', async () => {
  const card: WaitingPayment = { ...AT_BANK, what: 'card', amount: 0, url: null };
  const page = await open((server) => {
    server.next(findWaitingPayments, succeed(findWaitingPayments, [card]));
    server.gives(findWaitingPayments, []);
    server.gives(findPaymentState, { kind: 'paid', what: 'card', amount: 0, user: OWNER });
  });
  await page.toasts.getByText('Your card is saved.').waitFor();
  await section(page).waitFor({ state: 'gone' });
  expect(page.server.asked(findWaitingPayments)).toHaveLength(2);
});

test('what the bank refuses is said where it waited', async () => {
  const page = await open((server) => {
    server.next(findWaitingPayments, succeed(findWaitingPayments, [AT_BANK]));
    server.gives(findWaitingPayments, []);
    server.gives(findPaymentState, REFUSED);
  });
  await page.button('Confirm with your bank').click();
  await page.toasts.getByText('Unable to process the payment').waitFor();
  await section(page).getByText('The bank declined this card. You were not charged.').waitFor();
  expect(page.getByRole('button', { name: 'Confirm with your bank' }).count()).toBe(0);
});

test.each([
  '/subscription',
  '/payment/credits',
  '/other-account-subscription?defaultIgUsername=ada.paints',
])(
  'loaded again at the bank’s question, %s says so, shows what waits above what it sells, and it is given up there',
  async (path) => {
    const page = await openPage(path, {
      user: path === '/subscription' ? NEWCOMER : OWNER,
      server: (server) => {
        server.next(findWaitingPayments, succeed(findWaitingPayments, [AT_BANK]));
        server.gives(findWaitingPayments, []);
        server.gives(findPaymentState, WAITS);
        server.gives(giveUpPayment, REFUSED);
      },
    });
    await seeWaiting(page);
    await section(page).getByText('Plan for @ada.paints').waitFor();
    const form = await page.locator('main form').one();
    const above = (await section(page).one()).compareDocumentPosition(form);
    expect(above & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    await page.button('Confirm with your bank').click();
    await section(page).getByRole('heading', { name: BANK_ASKS }).waitFor();
    await page.button('Don’t pay').click();
    await section(page).getByText('you were not charged').waitFor();
    expect(page.getByRole('button', { name: 'Confirm with your bank' }).count()).toBe(0);
  },
);

test('a checkout that is paid again while its payment waits has the bank’s question once, and reads anew what waits when that is given up', async () => {
  const page = await openPage('/subscription', {
    user: NEWCOMER,
    server: (server) => {
      server.next(findWaitingPayments, succeed(findWaitingPayments, [AT_BANK]));
      server.gives(findWaitingPayments, []);
      server.gives(findPaymentState, WAITS);
      server.gives(giveUpPayment, REFUSED);
      server.on(addSubscription, askBank);
    },
  });
  await seeWaiting(page);
  await section(page).waitFor();
  await fillCard(page);
  await page.button(/^Confirm & Pay/).click();
  await page.button('Go to your bank').waitFor();
  expect(section(page).count()).toBe(0);
  await page.button('Don’t pay').click();
  await page.button(/^Confirm & Pay/).waitFor();
  await expect.poll(() => page.server.asked(findWaitingPayments)).toHaveLength(2);
  expect(section(page).count()).toBe(0);
});

test('whoever has nothing that waits sees nothing of it', async () => {
  const page = await open((server) => server.gives(findWaitingPayments, []));
  await page.getByRole('heading', { name: 'Transaction history' }).waitFor();
  await expect.poll(() => page.server.asked(findWaitingPayments).length).toBe(1);
  expect(section(page).count()).toBe(0);
});

test('the dashboard says that the bank wants its customer for a renewal, and leads to where it is confirmed', async () => {
  const page = await open((server) => server.gives(findWaitingPayments, [RENEWAL]), '/dashboard');
  await page
    .getByRole('heading', { name: 'Your bank asks you to confirm $9.99 for @ada.paints' })
    .waitFor();
  await page.getByRole('link', { name: 'Confirm the payment' }).click();
  await expect.poll(() => page.path).toBe('/my-billing');
});

test('the dashboard asks for no renewal that is being checked', async () => {
  const checked = { ...RENEWAL, paymentId: ACTION.paymentId, amount: 1 };
  const page = await open(
    (server) => server.gives(findWaitingPayments, [checked, RENEWAL]),
    '/dashboard',
  );
  const asks = (amount: string) => `Your bank asks you to confirm ${amount} for @ada.paints`;
  await page.getByRole('heading', { name: asks('$9.99') }).waitFor();
  expect(page.getByRole('heading', { name: asks('$1.00') }).count()).toBe(0);
});

test('whoever may not see payments is told of none, but that posts wait', async () => {
  const workspace = { id: '0192d3c0-0000-7000-8000-0000000000f1', role: 'Editor' } as const;
  const { id: workspaceId, role } = workspace;
  const workspaces = [{ ...workspace, name: 'Bea' }];
  const membership = { workspaceId, role, people: 2, workspaces };
  const postsWaitSince = '2026-11-22T09:00:00.000Z';
  const unpaid = accountExample({ subscriptionState: 'Past due', postsWaitSince });
  const waiting = withoutMoney(unpaid, Date.parse(postsWaitSince));
  const page = await openPage('/dashboard', {
    user: { ...userExample({ connectedAccounts: [waiting] }), membership },
    replica: { transaction: [], ledger: [], post: [] },
  });
  await page.getByRole('heading', { name: 'New posts of @ada.paints are waiting' }).waitFor();
  expect(page.server.asked(findWaitingPayments)).toEqual([]);
  expect(page.getByRole('link', { name: 'Go to billing' }).count()).toBe(0);
  const words = document.body.textContent;
  expect(words.match(/.{0,60}(payment|card|charge).{0,60}/g)).toBeNull();
});
