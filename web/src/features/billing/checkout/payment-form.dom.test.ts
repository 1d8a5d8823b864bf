import { expect, test } from 'vitest';
import { addSubscription, addSubscriptionWithSavedCard } from '#shared/contract/money/checkout.ts';
import { buyCredits } from '#shared/contract/money/credits.ts';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import {
  CARD,
  fillCard,
  NEWCOMER,
  openAnotherCard,
  OWNER,
} from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { expectLoads } from '#web/testing/dom/loading-button.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const pay = (page: Page): Promise<void> => page.button(/^Confirm & Pay/).click();
const said = (page: Page, sentence: string): Promise<void> =>
  page.getByText(sentence, { exact: true }).waitFor();

async function atPlan(): Promise<Page> {
  const page = await openPage('/subscription', { user: NEWCOMER });
  await page.getByLabel('Cardholder name').waitFor();
  return page;
}

async function atPacks(): Promise<Page> {
  const page = await openPage('/payment/credits', { user: OWNER });
  await page.getByLabel('2,500 credits').click();
  return page;
}

/** With a saved card, for what is the same however a card is entered. */
async function atSavedCard(): Promise<Page> {
  const user = { ...NEWCOMER, billingInfo: OWNER.billingInfo };
  const page = await openPage('/subscription', { user });
  await payButton(page).waitFor();
  return page;
}

const payButton = (page: Page) => page.button(/^Pay .* with the card ending in 242$/);

/** Both checkouts: how they open, their call, and what they say of a refusal. */
const CHECKOUTS = [
  { name: 'plan', open: atPlan, call: addSubscription, refused: 'Unable to process the payment' },
  { name: 'credits', open: atPacks, call: buyCredits, refused: 'Unable to process payment' },
] as const;

// Shows facts 5.17, 5.19, 5.21.
test('an empty checkout has each sentence of the specification beside its field, and nothing is sent', async () => {
  const page = await atPlan();
  // What is known already is filled in.
  for (const known of ['Phone', 'Cardholder name']) await page.getByLabel(known).fill('');
  await pay(page);
  for (const sentence of [
    'Please enter a cardholder name',
    'Please enter a card number',
    'Please enter a month',
    'Please enter a year',
    'Please enter a CVV/CVC code',
    'Please enter an address',
    'Please enter a zip/postal code',
    'Please enter a state',
    'Please enter a city/town',
    'Please enter a phone number',
  ]) {
    await said(page, sentence);
  }
  expect(await page.getByLabel('Cardholder name').isFocused()).toBe(true);
  expect(page.server.asked(addSubscription)).toEqual([]);
});

// Shows facts 5.11, 5.12, 5.13, 5.15, 5.16, 5.20, 5.22, 5.23.
test('wrong, too long, pasted and right-to-left text is refused or taken beside its field', async () => {
  const page = await atPlan();
  const number = page.getByLabel('Card number');
  await number.fill('4242-4242-4242-4242');
  expect(await number.inputValue()).toBe('4242 4242 4242 4242');
  await number.fill('4242 4242 4242 42425');
  await said(page, 'Credit card number max length reached');
  await number.fill('378282246310005');
  expect(await number.inputValue()).toBe('3782 822463 10005');
  await page.getByText('Amex recognized').waitFor();
  await fillCard(page, { 'Card number': '4242 4242 4242 4241', 'CVV/CVC': '12' });
  await page.getByLabel('Cardholder name').fill('4242');
  await pay(page);
  await said(page, 'Card number is invalid');
  await said(page, 'Cardholder name is invalid');
  await said(page, 'CVV/CVC code is invalid');
  await page.getByLabel('Cardholder name').fill('דנה לוי');
  await page.getByLabel('Street address').fill('א'.repeat(300));
  await pay(page);
  await said(page, 'Please use at most 200 characters');
  expect(page.getByText('Cardholder name is invalid').count()).toBe(0);
  await page.getByLabel('Month').selectOption('01');
  await page.getByLabel('Year').selectOption('2024');
  await said(page, 'The selected date must be in the future.');
  await page.getByLabel('Country').selectOption('GB');
  await page.getByLabel('Zip/postal code').fill('SW1A 1AA');
  expect(await page.getByLabel('Zip/postal code').inputValue()).toBe('SW1A 1AA');
  await page.getByLabel('Country').selectOption('US');
  await page.getByLabel('Zip/postal code').fill('94a1034');
  expect(await page.getByLabel('Zip/postal code').inputValue()).toBe('94103');
  expect(page.server.asked(addSubscription)).toEqual([]);
});

// Shows facts 8.17, 8.19.
test.each(CHECKOUTS)(
  'a declined card ($name): "$refused"; what was typed stays, and another card pays',
  async ({ open, call, refused }) => {
    const page = await open();
    page.server.next(call, refuse('card_declined', 'The card was declined.'), succeed(call, OWNER));
    await fillCard(page, { 'Card number': '4000 0000 0000 0002' });
    await pay(page);
    await page.toasts.getByText(refused, { exact: true }).waitFor();
    await page.getByText('The bank declined this card. You were not charged.').waitFor();
    expect(await page.getByLabel('Street address').inputValue()).toBe('1 Main Street');
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002');
    await page.getByLabel('Card number').fill(CARD['Card number']);
    await pay(page);
    await page.getByText('Payment Successful').waitFor();
    const [first, second] = page.server.asked(call);
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
  },
);

// Shows facts 8.18, 8.20.
test.each(CHECKOUTS)(
  'an answer lost on the way back ($name): "Failed to process payment", the form stays, and it is sent again as the same payment',
  async ({ open, call }) => {
    const page = await open();
    page.server.next(call, lose, succeed(call, OWNER));
    await fillCard(page);
    await pay(page);
    await page.toasts.getByText('Failed to process payment', { exact: true }).waitFor();
    await page.getByText('you won’t be charged twice').waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe(CARD['Card number']);
    await pay(page);
    await page.getByText('Payment Successful').waitFor();
    const [first, second] = page.server.asked(call);
    expect(second).toEqual(first);
  },
);

test('a payment whose end the bank has not told is checked, not repeated: the form says so until it is settled', async () => {
  const page = await atSavedCard();
  const checking = 'Your payment is being checked. Please do not pay again.';
  const pause = holdTimers(2000);
  page.server.next(
    addSubscriptionWithSavedCard,
    refuse('payment_unknown', checking),
    succeed(addSubscriptionWithSavedCard, OWNER),
  );
  await payButton(page).click();
  await page.getByRole('alert').filter({ hasText: checking }).waitFor();
  expect(await payButton(page).isEnabled()).toBe(false);
  pause.end();
  await page.getByText('Payment Successful').waitFor();
  const [first, second] = page.server.asked(addSubscriptionWithSavedCard);
  expect(second).toEqual(first);
});

test('a network that is down at the checkout: the server’s words stand by the button, and the same form pays afterwards', async () => {
  const page = await atSavedCard();
  const down = 'Instagram isn’t responding right now. You were not charged.';
  page.server.next(
    addSubscriptionWithSavedCard,
    refuse('network_unreachable', down),
    succeed(addSubscriptionWithSavedCard, OWNER),
  );
  await payButton(page).click();
  await page.locator('form').getByText(down).waitFor();
  await payButton(page).click();
  await page.getByText('Payment Successful').waitFor();
  expect(page.server.asked(addSubscriptionWithSavedCard)).toHaveLength(2);
});

// Shows facts 2.74, 2.75, 2.76, 2.77.
test('a double click pays once, the dialog leads to the dashboard by itself after 3 s, and the form is reset', async () => {
  expect(DIALOG_MS).toBe(3000);
  const redirect = holdTimers(DIALOG_MS);
  const page = await openPage('/payment/credits', { user: OWNER });
  page.server.gives(buyCredits, OWNER);
  await openAnotherCard(page);
  await pay(page);
  await said(page, 'Please choose a credit package');
  await page.getByLabel('7,500 credits').click();
  await fillCard(page);
  const button = (await page.button(/^Confirm & Pay/).one()) as HTMLButtonElement;
  button.click();
  button.click();
  const dialog = page.getByRole('dialog', { name: 'Payment Successful' });
  await dialog.getByText('You will be redirected… if not').waitFor();
  await dialog.getByText('You paid $29.00.').waitFor();
  await expect.poll(() => dialog.getByRole('link', { name: 'click here' }).isFocused()).toBe(true);
  expect(await dialog.getByRole('link', { name: 'click here' }).getAttribute('href')).toBe(
    '/dashboard',
  );
  await expect.poll(() => page.getByLabel('Card number').inputValue()).toBe('');
  await expect.poll(redirect.count).toBe(1);
  redirect.end();
  await expect.poll(() => page.path).toBe('/dashboard');
  const keys = page.server.asked(buyCredits).map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(1);
});

test('a plan that was paid: the dialog names the amount and what happens next, and a screen reader is told all of it', async () => {
  holdTimers(DIALOG_MS);
  const page = await atSavedCard();
  page.server.gives(addSubscriptionWithSavedCard, OWNER);
  await page.getByLabel('Choose Your plan').selectOption('3');
  await page.getByText('Cancel anytime. 30-day money-back guarantee.').waitFor();
  await page.button('Pay $24.00 with the card ending in 242').click();
  const dialog = page.getByRole('dialog', { name: 'Payment Successful' });
  await dialog.getByText('You paid $24.00.').waitFor();
  await dialog.getByText('We’re watching @ada.paints.').waitFor();
  await expect.poll(() => dialog.getAttribute('aria-describedby')).toBeTruthy();
  const said = document.getElementById((await dialog.getAttribute('aria-describedby')) ?? '');
  expect(said?.textContent).toContain('250 likes per post');
  expect(said?.textContent).toContain('Post something.');
});

test('closing the success dialog leads to the dashboard at once', async () => {
  holdTimers(DIALOG_MS);
  const page = await atSavedCard();
  page.server.gives(addSubscriptionWithSavedCard, OWNER);
  await payButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Payment Successful' });
  await dialog.waitFor();
  await dialog.press('Escape');
  await expect.poll(() => page.path).toBe('/dashboard');
});

// Shows fact 4.10.
test.each(CHECKOUTS)(
  'the pay button ($name) is idle, loading, and idle again',
  async ({ open, call }) => {
    const page = await open();
    await fillCard(page);
    await expectLoads(page, page.button(/^Confirm & Pay/), call);
    await page.toasts.getByText('Failed to process payment').waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe(CARD['Card number']);
  },
);

test('letters that invoices can’t show are told at their field, and keep nobody from paying', async () => {
  const page = await atPlan();
  page.server.next(addSubscription, succeed(addSubscription, OWNER));
  const hints = page.getByText('Use Latin, Greek or Cyrillic letters for the invoice.');
  await fillCard(page, { 'Cardholder name': 'Łukasz Ωμέγα Привет' });
  expect(hints.count()).toBe(0);
  await page.getByLabel('Cardholder name').fill('山田太郎');
  await page.getByLabel('City').fill('東京');
  expect(hints.count()).toBe(2);
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
});
