import { expect, test } from 'vitest';
import { addSubscription, addSubscriptionWithSavedCard } from '#shared/contract/money/checkout.ts';
import { buyCredits } from '#shared/contract/money/credits.ts';
import { findPaymentState, giveUpPayment } from '#shared/contract/money/payment.ts';
import { findMoneyBacks } from '#shared/contract/money/returned-money.ts';
import { changePlan, quotePlan, replaceBillingInfo } from '#shared/contract/money/subscription.ts';
import type { Platform } from '#shared/platform.ts';
import {
  ACTION,
  askBank,
  BANK_ASKS,
  CHECKED,
  REFUSED,
  RETURNED,
  WAITS,
} from '#web/testing/dom/bank.ts';
import { fillCard, manage, NEWCOMER, OWNER, QUOTE } from '#web/testing/dom/customer-forms.ts';
import { lose, succeed } from '#web/testing/dom/fake-server.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

/** The page asks again after so long, the first time. */
const FIRST_MS = 3000;
const left: string[] = [];
const platform = { leaveFor: (url: string) => void left.push(url) };
const paid = { kind: 'paid', what: 'subscription', amount: 24, user: OWNER } as const;
const question = (page: Page) => page.getByRole('heading', { name: BANK_ASKS, level: 2 });

/** Who has a card, so that none has to be typed. */
const PAYER = { ...NEWCOMER, billingInfo: OWNER.billingInfo };
const pay = (page: Page): Promise<void> => page.button(/^Pay .* with the card/).click();

async function payPlan(changes: Partial<Platform> = {}): Promise<Page> {
  left.length = 0;
  const page = await openPage('/subscription', {
    user: PAYER,
    platform: { ...platform, ...changes },
    server: (server) => server.on(addSubscriptionWithSavedCard, askBank),
  });
  await pay(page);
  return page;
}

test('the bank asks: the sentence has the focus, the time left is told, nothing happens by itself, and one press leads to the bank', async () => {
  const wait = holdTimers(FIRST_MS);
  const page = await payPlan();
  page.server.gives(findPaymentState, WAITS);
  await question(page).waitFor();
  await expect.poll(() => question(page).isFocused()).toBe(true);
  await page.getByText('You won’t be charged until you confirm. You have 60 minutes.').waitFor();
  await expect.poll(wait.count).toBe(1);
  expect(left).toEqual([]);
  expect(page.getByRole('form', { name: 'Secure checkout' }).all().every(isHiddenForm)).toBe(true);
  await page.button('Go to your bank').click();
  expect(left).toEqual([ACTION.url]);
  expect(page.server.asked(findPaymentState)[0]?.input).toEqual({
    userId: PAYER.id,
    paymentId: ACTION.paymentId,
  });
});

const isHiddenForm = (form: Element): boolean => form.hasAttribute('hidden');

test('an app opens the bank in the browser, says so, and goes on by itself once the bank has said yes', async () => {
  const wait = holdTimers(FIRST_MS);
  const page = await payPlan({ kind: 'desktop' });
  page.server.next(findPaymentState, succeed(findPaymentState, WAITS));
  await page.button('Go to your bank').click();
  await page.getByText('Your bank’s page is open in your browser.').waitFor();
  await expect.poll(wait.count).toBe(1);
  page.server.gives(findPaymentState, paid);
  wait.end();
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  expect(page.server.asked(addSubscriptionWithSavedCard)).toHaveLength(1);
});

test('coming back to the page asks at once, and less and less often while nothing happens', async () => {
  const waits = [3000, 4500, 6750].map((ms) => holdTimers(ms));
  let wake = (): void => undefined;
  const page = await payPlan({
    onWake: (listener) => {
      const before = wake;
      wake = () => [before(), listener()];
      return () => undefined;
    },
  });
  page.server.gives(findPaymentState, WAITS);
  for (const wait of waits.slice(0, 2)) {
    await expect.poll(wait.count).toBe(1);
    wait.end();
  }
  await expect.poll(() => waits[2]?.count()).toBe(1);
  expect(page.server.asked(findPaymentState)).toHaveLength(3);
  page.server.gives(findPaymentState, paid);
  wake();
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  expect(page.server.asked(findPaymentState)).toHaveLength(4);
});

// Shows facts 8.17, 8.19.
test.each([
  ['plan', '/subscription', NEWCOMER, addSubscription, 'Unable to process the payment'],
  ['credits', '/payment/credits', OWNER, buyCredits, 'Unable to process payment'],
] as const)(
  'the bank says no (%s): the specification’s sentence, the form as it was left, and the next press is another payment',
  async (_name, path, user, call, refused) => {
    const page = await openPage(path, { user, platform });
    if (path === '/payment/credits') await page.getByLabel('2,500 credits').click();
    await fillCard(page);
    page.server.next(call, askBank, succeed(call, OWNER));
    page.server.gives(findPaymentState, REFUSED);
    await page.button(/^Confirm & Pay/).click();
    await page.toasts.getByText(refused, { exact: true }).waitFor();
    await page.getByText('The bank declined this card. You were not charged.').waitFor();
    expect(await page.getByLabel('Street address').inputValue()).toBe('1 Main Street');
    await page.button(/^Confirm & Pay/).click();
    await page.getByText('Payment Successful').waitFor();
    const [first, second] = page.server.asked(call);
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
  },
);

test('somebody who doesn’t pay is told that nothing was charged, without a complaint, and has their form back', async () => {
  holdTimers(FIRST_MS);
  const page = await openPage('/subscription', { user: NEWCOMER, platform });
  await fillCard(page);
  page.server.on(addSubscription, askBank);
  page.server.gives(findPaymentState, WAITS);
  page.server.gives(giveUpPayment, REFUSED);
  await page.button(/^Confirm & Pay/).click();
  await page.button('Don’t pay').click();
  await page.getByText('You didn’t confirm the payment, so you were not charged.').waitFor();
  expect(page.toasts.count()).toBe(0);
  expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
});

test('a yes that was quicker than giving up is a payment, and is said to be one', async () => {
  holdTimers(FIRST_MS);
  const page = await payPlan();
  page.server.gives(findPaymentState, WAITS);
  page.server.gives(giveUpPayment, paid);
  await page.button('Don’t pay').click();
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  expect(page.getByText('you were not charged').count()).toBe(0);
});

test('money that goes back is told in the server’s words', async () => {
  const page = await payPlan();
  page.server.gives(findPaymentState, RETURNED);
  await page.getByText('The money is on its way back to your card.').waitFor();
  expect(await page.button(/^Pay .* with the card/).isEnabled()).toBe(true);
});

test('while the server is away or still looks, the page says so and asks on; nothing can be paid twice meanwhile', async () => {
  const waits = [3000, 4500].map((ms) => holdTimers(ms));
  const page = await payPlan();
  page.server.next(findPaymentState, lose, succeed(findPaymentState, CHECKED));
  page.server.gives(findPaymentState, paid);
  await page.getByText('We can’t reach the server right now.').waitFor();
  await expect.poll(() => waits[0]?.count()).toBe(1);
  waits[0]?.end();
  await page.getByText('Your payment is being checked. Please do not pay again.').waitFor();
  expect(page.getByRole('button', { name: /^Pay .* with the card/ }).count()).toBe(0);
  await expect.poll(() => waits[1]?.count()).toBe(1);
  waits[1]?.end();
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
});

test('a plan change that the bank asks about goes on where it was', async () => {
  const page = await openPage('/my-subscriptions', { user: OWNER, platform });
  page.server.gives(quotePlan, QUOTE);
  await manage('Manage subscription')(page);
  await page.getByLabel('Choose Your plan').selectOption('5');
  await page.button('Next').click();
  page.server.on(changePlan, askBank);
  page.server.gives(findPaymentState, WAITS);
  const wait = holdTimers(FIRST_MS);
  await page.button('Confirm & Pay').click();
  await question(page).waitFor();
  await expect.poll(wait.count).toBe(1);
  page.server.gives(findPaymentState, { ...paid, what: 'plan_change' });
  wait.end();
  await page.getByText('Done. Your next post gets').waitFor();
});

test('a card that the bank asks about is replaced after its yes, and stays as it was without one', async () => {
  const page = await openPage('/my-billing', {
    user: OWNER,
    replica: { transaction: [], ledger: [] },
    server: (server) => server.gives(findMoneyBacks, []),
    platform,
  });
  await page.button('Replace card').click();
  await fillCard(page);
  const asks = { ...ACTION, amount: 0 };
  page.server.on(replaceBillingInfo, async () =>
    Response.json(
      {
        status: 'error',
        code: 'payment_needs_action',
        message: 'Your bank asks you to confirm this card.',
        action: asks,
      },
      { status: 402 },
    ),
  );
  page.server.gives(findPaymentState, REFUSED);
  await page.button('Save card').click();
  await page.getByText('The bank declined this card.').waitFor();
  page.server.gives(findPaymentState, { kind: 'paid', what: 'card', amount: 0, user: OWNER });
  await page.button('Save card').click();
  await page.toasts.getByText('Your card has been replaced.').waitFor();
  expect(page.getByRole('form', { name: 'Replace card' }).count()).toBe(0);
});
