import { expect, test } from 'vitest';
import { findPaymentState, giveUpPayment } from '#shared/contract/money/payment.ts';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import { ACTION, BANK_ASKS, CHECKED, REFUSED, RETURNED, WAITS } from '#web/testing/dom/bank.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import {
  type FakeServer,
  type Reply,
  lose,
  refuse,
  succeed,
} from '#web/testing/dom/fake-server.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const PATH = `/payment-return?payment=${ACTION.paymentId}`;
const FROM_SHOP = { 'ovation-paying-from': '/payment/credits' };

const open = (
  server: (server: FakeServer) => void,
  kept: Record<string, string> = {},
): Promise<Page> => openPage(PATH, { user: OWNER, server, kept });

test.each([
  {
    what: 'subscription',
    amount: 9.99,
    says: ['You paid $9.99.', '50 likes per post', 'We’re watching @ada.paints.'],
  },
  {
    what: 'credits',
    amount: 10,
    says: ['You paid $10.00.', '2,500 credits', 'Press “Extra likes” on any post'],
  },
] as const)(
  'the bank said yes to $what: what the checkout’s own dialog says, and the dashboard by itself',
  async ({ what, amount, says }) => {
    const redirect = holdTimers(DIALOG_MS);
    const page = await open((server) =>
      server.gives(findPaymentState, {
        kind: 'paid',
        what,
        amount,
        igUsername: 'ada.paints',
        user: OWNER,
      }),
    );
    const dialog = page.getByRole('dialog', { name: 'Payment Successful' });
    for (const sentence of says) await dialog.getByText(sentence).waitFor();
    await expect.poll(redirect.count).toBe(1);
    redirect.end();
    await expect.poll(() => page.path).toBe('/dashboard');
  },
);

test.each([
  ['plan_change', 65.33, 'You paid $65.33. @ada.paints’s next post gets 50 likes.'],
  ['renewal', 9.99, 'You paid $9.99. @ada.paints’s plan is paid for another month.'],
  ['card', 0, 'Your card is saved.'],
] as const)('the bank said yes to a %s', async (what, amount, sentence) => {
  const page = await open((server) =>
    server.gives(findPaymentState, {
      kind: 'paid',
      what,
      amount,
      igUsername: 'ada.paints',
      user: OWNER,
    }),
  );
  await page.getByRole('status').filter({ hasText: sentence }).waitFor();
  expect(page.path).toBe(PATH);
});

test('a card entered on the gateway’s page leads back to the payment it was entered for', async () => {
  const page = await open(
    (server) =>
      server.gives(findPaymentState, { kind: 'paid', what: 'card', amount: 0, user: OWNER }),
    FROM_SHOP,
  );
  await page.getByRole('link', { name: 'Continue to payment' }).click();
  await expect.poll(() => page.path).toBe('/payment/credits');
});

test('the bank said no: the specification’s sentence, that nothing was charged, and the way back', async () => {
  const page = await open((server) => server.gives(findPaymentState, REFUSED), FROM_SHOP);
  const alert = page.getByRole('alert').filter({ hasText: 'Unable to process the payment' });
  await alert.getByText('The bank declined this card. You were not charged.').waitFor();
  await alert.getByRole('link', { name: 'Back to the payment' }).click();
  await expect.poll(() => page.path).toBe('/payment/credits');
});

test.each([
  ['subscription', 'Unable to process the payment', 'Plan for @ada.paints'],
  ['plan_change', 'Unable to process the payment', 'Plan change for @ada.paints'],
  ['credits', 'Unable to process payment', 'Credits'],
  ['renewal', 'Unable to process the payment', 'Plan renewal for @ada.paints'],
  ['card', 'Unable to save the card', 'The bank declined this card.'],
] as const)('the bank said no to a %s: what was refused is said', async (what, title, of) => {
  const page = await open((server) => server.gives(findPaymentState, { ...REFUSED, what }));
  const alert = page.getByRole('alert').filter({ hasText: of });
  await alert.waitFor();
  expect(alert.getByText(title, { exact: true }).count()).toBe(1);
});

test('a page of the gateway’s that was left without a card: the way there again, in its own words', async () => {
  holdTimers(3000);
  const left: string[] = [];
  const action = { ...ACTION, amount: 0, isCardPage: true };
  const message = 'Please enter your card on the payment page.';
  const page = await openPage(PATH, {
    user: OWNER,
    server: (server) => {
      server.gives(findPaymentState, { kind: 'needs_action', what: 'card', message, action });
      server.gives(giveUpPayment, { ...REFUSED, what: 'card' });
    },
    platform: { leaveFor: (url) => void left.push(url) },
  });
  await page.getByRole('heading', { name: message }).waitFor();
  await page.getByText('Nothing is charged. You have 60 minutes.').waitFor();
  await page.button('Enter your card').click();
  expect(left).toEqual([ACTION.url]);
  expect(page.getByText('bank').count()).toBe(0);
  await page.button('Don’t enter a card').click();
  await page.getByText('You didn’t confirm the card, so nothing was changed.').waitFor();
});

test('a page that nobody of ours left is never led back to', async () => {
  const page = await open((server) => server.gives(findPaymentState, REFUSED), {
    'ovation-paying-from': 'https://elsewhere.test/',
  });
  const link = page.getByRole('link', { name: 'Go to billing' });
  expect(await link.getAttribute('href')).toBe('/my-billing');
});

test('money that goes back is told in the server’s words', async () => {
  const page = await open((server) => server.gives(findPaymentState, RETURNED));
  await page.getByText('The money is on its way back to your card.').waitFor();
  expect(page.getByText('Unable to process').count()).toBe(0);
});

test('the bank has not been told yet: its question again, and giving up is said to cost nothing', async () => {
  holdTimers(3000);
  const page = await open((server) => {
    server.gives(findPaymentState, WAITS);
    server.gives(giveUpPayment, REFUSED);
  });
  await page.getByRole('heading', { name: BANK_ASKS }).waitFor();
  await page.button('Don’t pay').click();
  await page.getByText('You didn’t confirm the payment, so you were not charged.').waitFor();
  expect(page.getByText('Unable to process').count()).toBe(0);
});

test('whoever goes to their bank from here is still led back to where they began to pay', async () => {
  holdTimers(3000);
  const page = await openPage(PATH, {
    user: OWNER,
    server: (server) => {
      server.gives(findPaymentState, WAITS);
      server.gives(giveUpPayment, REFUSED);
    },
    kept: FROM_SHOP,
    platform: { leaveFor: () => undefined },
  });
  await page.button('Go to your bank').click();
  await page.button('Don’t pay').click();
  await page.getByRole('link', { name: 'Back to the payment' }).click();
  await expect.poll(() => page.path).toBe('/payment/credits');
});

test('a server that is away or still looks: the page says so, and asks on by itself', async () => {
  const waits = [3000, 4500].map((ms) => holdTimers(ms));
  const page = await open((server) => {
    server.next(findPaymentState, lose, succeed(findPaymentState, CHECKED));
    server.gives(findPaymentState, REFUSED);
  });
  await page.getByText('We’ll check your payment as soon as it’s back.').waitFor();
  await expect.poll(() => waits[0]?.count()).toBe(1);
  waits[0]?.end();
  await page.getByText('Your payment is being checked. Please do not pay again.').waitFor();
  await expect.poll(() => waits[1]?.count()).toBe(1);
  waits[1]?.end();
  await page.getByText('Unable to process the payment').waitFor();
});

test('polled too often: the page says how long it waits, and then asks on by itself', async () => {
  const wait = holdTimers(23_000);
  const tooMany: Reply = async () =>
    new Response(JSON.stringify({ status: 'error', code: 'rate_limited', message: 'No.' }), {
      status: 429,
      headers: { 'retry-after': '23' },
    });
  const page = await open((server) => {
    server.next(findPaymentState, tooMany);
    server.gives(findPaymentState, REFUSED);
  });
  await page
    .getByText(
      'Too many tries. We’ll check again automatically in 23 seconds. Please do not pay again.',
    )
    .waitFor();
  expect(page.getByText('reach the server').count()).toBe(0);
  await expect.poll(wait.count).toBe(1);
  wait.end();
  await page.getByText('Unable to process the payment').waitFor();
});

test.each([
  ['somebody else’s payment', PATH, refuse('not_found', 'There is no such payment.')],
  ['a payment that they may not see', PATH, refuse('not_allowed', 'Only an owner can do this.')],
  ['no id at all', '/payment-return', refuse('invalid_input', 'This isn’t an id')],
])('%s: a sentence and a way on', async (_name, path, reply) => {
  const page = await openPage(path, {
    user: OWNER,
    server: (server) => server.on(findPaymentState, reply),
  });
  await page.getByText('We can’t find this payment in your account.').waitFor();
  const link = page.getByRole('link', { name: 'Go to billing' });
  expect(await link.getAttribute('href')).toBe('/my-billing');
});

test('the secret that the bank adds to the address is in none that is kept: not here, not in the log-in’s', async () => {
  const secret =
    '&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=x';
  const page = await openPage(PATH + secret);
  const link = page.getByRole('link', { name: /log in/i });
  expect(await link.getAttribute('href')).toBe(`/login?next=${encodeURIComponent(PATH)}`);
  expect(page.path).toBe(PATH);
  expect(
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  ).not.toContain('secret');
});

test('in a browser where nobody is signed in the log-in leads on to the payment, and nobody is sent away', async () => {
  const page = await openPage(PATH);
  await page.getByText('You can close this page and go back there.').waitFor();
  expect(page.path).toBe(PATH);
  expect(page.server.asked(findPaymentState)).toEqual([]);
  const link = page.getByRole('link', { name: 'Log in to see how the payment ended' });
  expect(await link.getAttribute('href')).toBe(`/login?next=${encodeURIComponent(PATH)}`);
});
