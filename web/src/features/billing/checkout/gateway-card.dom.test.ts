import { expect, test } from 'vitest';
import { about } from '#shared/contract/about.ts';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import { buyCredits } from '#shared/contract/money/credits.ts';
import { CARD, NEWCOMER, openAnotherCard, OWNER } from '#web/testing/dom/customer-forms.ts';
import { FakeGateway, GATEWAY_ABOUT } from '#web/testing/dom/fake-gateway.ts';
import { type FakeServer, lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const inGateway = (server: FakeServer): void => server.gives(about, GATEWAY_ABOUT);
const pay = (page: Page): Promise<void> => page.button(/^Confirm & Pay/).click();
const said = (page: Page, sentence: string): Promise<void> =>
  page.getByText(sentence, { exact: true }).waitFor();
const { 'Card number': _number, Month: _month, Year: _year, 'CVV/CVC': _code, ...HOLDER } = CARD;

async function open(path = '/subscription', user = NEWCOMER): Promise<Page> {
  const page = await openPage(path, { user, server: inGateway });
  await openAnotherCard(page);
  return page;
}

async function fillHolder(page: Page): Promise<void> {
  for (const [label, value] of Object.entries(HOLDER)) await page.getByLabel(label).fill(value);
}

const PACKS = { call: buyCredits, refused: 'Unable to process payment' };
const PLAN = { call: addSubscription, refused: 'Unable to process the payment' };

// Shows facts 5.17, 5.19, 5.21.
test('an empty form has each sentence of the specification beside its field in the gateway’s way too, the first field has the focus, and nobody is asked anything', async () => {
  const gateway = new FakeGateway();
  const page = await open();
  for (const known of ['Phone', 'Cardholder name']) await page.getByLabel(known).fill('');
  await page.getByLabel('The gateway’s cardCvc').waitFor();
  await pay(page);
  for (const sentence of [
    'Please enter a cardholder name',
    'Please enter a card number',
    'Please enter a month',
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
  await fillHolder(page);
  await pay(page);
  // What has the focus then is the gateway's own field.
  await expect.poll(() => page.getByLabel('The gateway’s cardNumber').isFocused()).toBe(true);
  expect(gateway.keys).toEqual(['pk_test_of_a_test']);
  expect(gateway.asked).toEqual([]);
  expect(page.server.asked(addSubscription)).toEqual([]);
});

test('pressed while the fields still load, it says so beside them and each other sentence, until they stand; then it pays', async () => {
  const gateway = new FakeGateway({ isReady: false });
  const page = await open();
  await page.getByLabel('The gateway’s cardCvc').waitFor();
  const loading = 'The card fields are still loading. Please try again in a moment.';
  await pay(page);
  await said(page, 'Please enter an address');
  await said(page, loading);
  await fillHolder(page);
  await pay(page);
  await said(page, loading);
  expect(gateway.asked).toEqual([]);
  await gateway.stand();
  await expect.poll(() => page.getByText(loading, { exact: true }).count()).toBe(0);
  page.server.gives(addSubscription, OWNER);
  await gateway.typeCard();
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
});

test('slow fields that come after all take the other way back, and pay', async () => {
  const slow = holdTimers(8000);
  const gateway = new FakeGateway({ isReady: false });
  const page = await open();
  await expect.poll(slow.count).toBe(1);
  slow.end();
  const offered = page.getByRole('alert').filter({ hasText: 'The card fields are taking a while' });
  await offered.waitFor();
  await gateway.stand();
  await expect.poll(() => offered.count()).toBe(0);
  await fillHolder(page);
  await gateway.typeCard();
  page.server.gives(addSubscription, OWNER);
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
});

// Shows facts 5.13, 5.22, 5.23.
test('what a field of the gateway’s says is said while typing in the specification’s words, until it is right', async () => {
  const gateway = new FakeGateway();
  const page = await open();
  for (const [field, code, sentence] of [
    ['cardNumber', 'incomplete_number', 'Card number is invalid'],
    ['cardNumber', 'invalid_number', 'Card number is invalid'],
    ['cardExpiry', 'incomplete_expiry', 'Please enter a year'],
    ['cardExpiry', 'invalid_expiry_month', 'Please enter a month'],
    ['cardExpiry', 'invalid_expiry_year', 'Please enter a year'],
    ['cardExpiry', 'invalid_expiry_month_past', 'The selected date must be in the future.'],
    ['cardExpiry', 'invalid_expiry_year_past', 'The selected date must be in the future.'],
    ['cardCvc', 'incomplete_cvc', 'CVV/CVC code is invalid'],
  ] as const) {
    await gateway.type(field, { code });
    await said(page, sentence);
    await gateway.type(field, {});
    await expect.poll(() => page.getByText(sentence, { exact: true }).count()).toBe(0);
  }
});

test('a brand that isn’t taken here is no card number, one that is stands out', async () => {
  const gateway = new FakeGateway();
  const page = await open();
  await gateway.type('cardNumber', { brand: 'jcb' });
  await said(page, 'Card number is invalid');
  await gateway.type('cardNumber', { brand: 'amex' });
  await page.getByText('Amex recognized').waitFor();
  expect(page.getByText('Card number is invalid').count()).toBe(0);
});

test('a plan is paid with the gateway’s word for the card: name and address go to the gateway, and neither they nor a number to us', async () => {
  const gateway = new FakeGateway();
  const page = await open();
  page.server.gives(addSubscription, OWNER);
  await fillHolder(page);
  await gateway.typeCard();
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
  expect(gateway.asked[0]?.['billing_details']).toEqual({
    name: 'Ada Lovelace',
    phone: '5550100100',
    address: {
      line1: '1 Main Street',
      line2: '',
      city: 'New York',
      state: 'NY',
      postal_code: '10001',
      country: 'US',
    },
  });
  const [asked] = page.server.asked(addSubscription);
  expect(asked?.input).toMatchObject({ confirmationToken: 'pm_1', packageIndex: 1 });
  expect(asked?.names).toEqual([
    'amount',
    'confirmationToken',
    'igUsername',
    'packageIndex',
    'timeZone',
    'userId',
  ]);
});

test('fields look as the product’s own: its text, its errors, its size', async () => {
  document.documentElement.style.setProperty('--ov-text', '#1b1714');
  document.documentElement.style.setProperty('--ov-bad', '#a3222a');
  const gateway = new FakeGateway();
  const page = await open();
  await page.getByLabel('The gateway’s cardNumber').waitFor();
  expect(gateway.style).toMatchObject({
    base: { color: '#1b1714' },
    invalid: { color: '#a3222a' },
  });
  document.documentElement.removeAttribute('style');
});

// Shows facts 8.17, 8.18, 8.19, 8.20.
test.each([
  ['/subscription', NEWCOMER, PLAN],
  ['/payment/credits', OWNER, PACKS],
] as const)(
  'at %s a declined card, a lost answer and a second press are said and answered as in the product’s own form',
  async (path, user, { call, refused }) => {
    const gateway = new FakeGateway();
    const page = await open(path, user);
    if (path === '/payment/credits') await page.getByLabel('2,500 credits').click();
    page.server.next(call, refuse('card_declined', 'No.'), lose, succeed(call, OWNER));
    await fillHolder(page);
    await gateway.typeCard();
    await pay(page);
    await page.toasts.getByText(refused, { exact: true }).waitFor();
    await page.getByText('The bank declined this card. You were not charged.').waitFor();
    expect(await page.getByLabel('Street address').inputValue()).toBe('1 Main Street');
    await pay(page);
    await page.toasts.getByText('Failed to process payment', { exact: true }).waitFor();
    await pay(page);
    await page.getByText('Payment Successful').waitFor();
    const [first, second, third] = page.server.asked(call);
    // A word that was refused is used up; an attempt nobody answered is repeated as it was.
    expect(second?.input).not.toEqual(first?.input);
    expect(third).toEqual(second);
    expect(gateway.asked).toHaveLength(2);
  },
);

test('a word that was used or is too old: the card has to be entered again, its fields are empty, and then it pays', async () => {
  const gateway = new FakeGateway();
  const page = await open();
  page.server.next(addSubscription, refuse('card_invalid', 'Please enter the card again.'));
  await fillHolder(page);
  await gateway.typeCard();
  await pay(page);
  await said(page, 'Please enter the card again.');
  expect(gateway.cleared).toEqual(['cardNumber', 'cardExpiry', 'cardCvc']);
  expect(await page.getByLabel('Street address').inputValue()).toBe('1 Main Street');
  page.server.gives(addSubscription, OWNER);
  await gateway.typeCard();
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
  const tokens = page.server.asked(addSubscription).map(({ input }) => input);
  expect(tokens).toMatchObject([{ confirmationToken: 'pm_1' }, { confirmationToken: 'pm_2' }]);
});

test('the gateway itself refuses a card: each refusal is said in our words, and the next press asks us', async () => {
  const gateway = new FakeGateway();
  const page = await open();
  await fillHolder(page);
  const refusals = [
    [{ type: 'card_error', code: 'incorrect_number' }, 'Card number is invalid'],
    [{ type: 'card_error', code: 'expired_card' }, 'The selected date must be in the future.'],
    [{ type: 'card_error', code: 'incorrect_cvc' }, 'CVV/CVC code is invalid'],
    [{ type: 'card_error', code: 'incorrect_zip' }, 'Please enter a zip/postal code'],
    [
      { type: 'card_error', code: 'card_declined' },
      'The bank declined this card. You were not charged. Check the details or use another card.',
    ],
    [
      { type: 'api_connection_error' },
      'We couldn’t reach the payment gateway. You were not charged. Please try again in a moment.',
    ],
  ] as const;
  for (const [index, [error, sentence]] of refusals.entries()) {
    gateway.next({ error });
    await gateway.typeCard();
    await pay(page);
    await said(page, sentence);
    expect(page.server.asked(addSubscription)).toHaveLength(index);
    page.server.next(addSubscription, refuse('network_unreachable', `Down ${index}.`));
    await gateway.typeCard();
    await page.getByLabel('Zip/postal code').fill(`1000${index}`);
    await pay(page);
    await said(page, `Down ${index}.`);
    expect(page.getByText(sentence, { exact: true }).count()).toBe(0);
  }
  page.server.gives(addSubscription, OWNER);
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
});

test('a server that can’t be asked how cards are entered is asked again when the person is back', async () => {
  let wake = (): void => undefined;
  const page = await openPage('/subscription', {
    user: NEWCOMER,
    server: (server) => server.next(about, lose),
    platform: {
      onWake: (listener) => {
        const before = wake;
        wake = () => [before(), listener()];
        return () => undefined;
      },
    },
  });
  await page.getByText('the card fields aren’t here yet').waitFor();
  wake();
  await page.getByLabel('Card number').waitFor();
  expect(page.server.asked(about)).toHaveLength(2);
});
