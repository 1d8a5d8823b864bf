import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { formatCents } from '#shared/domain/money.ts';
import { PLANS } from '#shared/domain/plans.ts';
import { expectAccessible } from './axe.ts';
import { fillCheckout, newCustomer, pay } from './customer.ts';
import { holdTimers } from './held-timers.ts';
import { typeHere } from './keyboard.ts';
import { startEmbedded } from './product.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';

const ADD_PLAN = '**/user/creditsTransaction/addSubscripiton';
const ADD_CREDITS = '**/user/creditsTransaction/addRecord';
const GOOD_CARD = { number: '4242 4242 4242 4242' };

const shared = shareProduct(startEmbedded);

async function newcomerAt(path: string, igUsername: string, width?: number): Promise<Page> {
  const options = width === undefined ? {} : { width, height: 844 };
  const { page } = await signedInPage(shared, igUsername, options);
  shared.pages.push(page);
  await page.goto(shared.product.url + path);
  await page.getByRole('heading', { name: 'Secure checkout' }).waitFor();
  await page.getByLabel('Cardholder name').waitFor();
  return page;
}

const succeeded = async (amountCents: number): Promise<number> =>
  (await shared.sandbox.listCharges()).filter(
    (charge) => charge.amountCents === amountCents && charge.status === 'succeeded',
  ).length;

const messages = (page: Page, sentence: string) => page.getByText(sentence, { exact: true });

test('an empty checkout has each sentence of the specification beside its field, and nothing is sent', async () => {
  const page = await newcomerAt('/subscription', 'empty.form');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.getByLabel('Phone').fill('');
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
    await messages(page, sentence).waitFor();
  }
  expect(await page.getByLabel('Cardholder name').evaluate((el) => el.matches(':focus'))).toBe(
    true,
  );
  expect(sent.filter((url) => url.includes('addSubscripiton'))).toEqual([]);
});

test('wrong, too long, pasted and right-to-left text is refused or taken beside its field', async () => {
  const page = await newcomerAt('/subscription', 'odd.input');
  const number = page.getByLabel('Card number');
  await number.fill('4242-4242-4242-4242');
  expect(await number.inputValue()).toBe('4242 4242 4242 4242');
  await number.press('End');
  await number.pressSequentially('5');
  await messages(page, 'Credit card number max length reached').waitFor();
  await number.fill('378282246310005');
  expect(await number.inputValue()).toBe('3782 822463 10005');
  await page.getByText('Amex recognised').waitFor({ state: 'attached' });
  await fillCheckout(page, { number: '4242 4242 4242 4241', cvv: '12', year: '2030' });
  await page.getByLabel('Cardholder name').fill('4242');
  await pay(page);
  await messages(page, 'Card number is invalid').waitFor();
  await messages(page, 'Cardholder name is invalid').waitFor();
  await messages(page, 'CVV/CVC code is invalid').waitFor();
  await page.getByLabel('Cardholder name').fill('דנה לוי');
  await page.getByLabel('Street address').fill('א'.repeat(300));
  await pay(page);
  await messages(page, 'Please use at most 200 characters').waitFor();
  expect(await messages(page, 'Cardholder name is invalid').count()).toBe(0);
  await page.getByLabel('Month').selectOption('01');
  await page.getByLabel('Year').selectOption('2024');
  await messages(page, 'The selected date must be in the future.').waitFor();
  await page.getByLabel('Country').selectOption('GB');
  await page.getByLabel('Zip/postal code').fill('SW1A 1AA');
  expect(await page.getByLabel('Zip/postal code').inputValue()).toBe('SW1A 1AA');
  await page.getByLabel('Country').selectOption('US');
  await page.getByLabel('Zip/postal code').fill('94a1034');
  expect(await page.getByLabel('Zip/postal code').inputValue()).toBe('94103');
});

test('the months 01 to 12, the years 2024 to 2034 and 27 countries are offered, the US first chosen', async () => {
  const page = await newcomerAt('/subscription', 'offers.all');
  const options = (label: string) => page.getByLabel(label).locator('option').allTextContents();
  expect((await options('Month')).join(' ')).toBe('MM 01 02 03 04 05 06 07 08 09 10 11 12');
  expect((await options('Year')).slice(1)).toEqual(
    Array.from({ length: 11 }, (_, index) => String(2024 + index)),
  );
  expect(await options('Country')).toHaveLength(27);
  expect(await page.getByLabel('Country').inputValue()).toBe('US');
  expect(await options('Choose Your plan')).toHaveLength(9);
});

test('the summary follows the chosen plan: likes per post, monthly price, next charge date, total today', async () => {
  const page = await newcomerAt('/subscription', 'summary.follows');
  await page.getByLabel('Choose Your plan').selectOption('3');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  const read = (label: string) => summary.locator(`dt:text-is("${label}") + dd`).innerText();
  expect(await read('Likes per post')).toBe('250');
  expect(await read('Monthly price')).toBe('$24.00');
  expect(await read('Total today')).toBe('$24.00');
  expect(await read('Next charge date')).toMatch(/\d{1,2} \w+ \d{4}/);
  await summary
    .getByText(/You pay \$24\.00 now, then \$24\.00 on the \d+\w\w of each month/)
    .waitFor();
  await summary.getByText('against the rules of most networks').waitFor();
});

test('on a phone the summary and the honest sentence stand above the card form, and nothing scrolls sideways', async () => {
  const page = await newcomerAt('/subscription', 'on.a.phone', 390);
  const top = async (text: string): Promise<number> =>
    (await page.getByText(text).first().boundingBox())?.y ?? 0;
  expect(await top('against the rules of most networks')).toBeLessThan(
    await top('Cardholder name'),
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('a declined card: "Unable to process the payment" for a plan, "Unable to process payment" for credits; what was typed stays', async () => {
  const page = await newcomerAt('/subscription', 'declined.words');
  await fillCheckout(page, { number: '4000 0000 0000 0002' });
  await pay(page);
  await messages(page, 'Unable to process the payment').waitFor();
  await page.getByText('The bank declined this card. You were not charged.').waitFor();
  expect(await page.getByLabel('Street address').inputValue()).toBe('1 Main Street');
  await page.goto(`${shared.product.url}/payment/credits`);
  await page.getByLabel('2,500 credits').check();
  await fillCheckout(page, { number: '4000 0000 0000 0002' });
  await pay(page);
  await messages(page, 'Unable to process payment').waitFor();
  expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002');
});

test.each([
  ['/subscription', ADD_PLAN, 999, 'lost.plan'],
  ['/payment/credits', ADD_CREDITS, 1000, 'lost.pack'],
])(
  'an answer lost on the way back at %s: "Failed to process payment", the form stays, and sent again it is charged once',
  async (path, call, cents, igUsername) => {
    const page = await newcomerAt(path, igUsername);
    const before = await succeeded(cents);
    await page.route(
      call,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    if (path === '/payment/credits') await page.getByLabel('2,500 credits').check();
    await fillCheckout(page, GOOD_CARD);
    await pay(page);
    await messages(page, 'Failed to process payment').waitFor();
    await page.getByText('the same payment is never charged twice').waitFor();
    expect(await page.getByLabel('Card number').inputValue()).toBe(GOOD_CARD.number);
    await pay(page);
    await page.getByText('Payment Successful').waitFor();
    expect(await succeeded(cents)).toBe(before + 1);
  },
);

test('a double click pays once, the dialog leads to the dashboard by itself after 3 s, and the form is reset', async () => {
  const page = await newcomerAt('/payment/credits', 'double.click');
  const before = await succeeded(2900);
  await pay(page);
  await messages(page, 'Please choose a credit package').waitFor();
  await page.getByLabel('7,500 credits').check();
  await fillCheckout(page, GOOD_CARD);
  const redirect = await holdTimers(page, 3000);
  await page.getByRole('button', { name: 'Confirm & Pay' }).dblclick();
  const dialog = page.getByRole('dialog', { name: 'Payment Successful' });
  await dialog.getByText('You will be redirected… if not').waitFor();
  expect(await dialog.getByRole('link', { name: 'click here' }).getAttribute('href')).toBe(
    '/dashboard',
  );
  expect(await page.getByLabel('Card number').inputValue()).toBe('');
  await expect.poll(redirect.count).toBe(1);
  await redirect.end();
  await page.waitForURL('**/dashboard');
  expect(await succeeded(2900)).toBe(before + 1);
  await page.getByRole('button', { name: /7,500 credits/ }).waitFor();
});

test('the page of another account takes its name and plan from the address; a bad packageValue means plan 1', async () => {
  const { page } = await subscribedPage(shared, 'first.account');
  shared.pages.push(page);
  const other = (query: string) => `${shared.product.url}/other-account-subscription?${query}`;
  await page.goto(other('packageValue=3&defaultIgUsername=somebody.else'));
  await page.waitForURL('**/my-subscriptions');
  await page.getByText('@somebody.else isn’t one of your connected accounts').first().waitFor();
  await page.goto(other('packageValue=3&defaultIgUsername=first.account'));
  await page.getByText('@first.account already has a plan').waitFor();
  expect(await page.getByLabel('Choose Your plan').inputValue()).toBe('3');
  expect(await page.getByLabel('Card number').count()).toBe(0);
  const now = page.getByRole('complementary', { name: 'Your plan now' });
  expect(await now.locator('dd').allTextContents()).toEqual([
    '50',
    '$9.99',
    expect.stringMatching(/^\d{1,2} \w+ \d{4}$/),
  ]);
  await page.goto(other('packageValue=10&defaultIgUsername=first.account'));
  await page.getByText('@first.account already has a plan').waitFor();
  expect(await page.getByLabel('Choose Your plan').inputValue()).toBe('1');
});

test('packageValue is a plan’s number from 1 to 9 in the address, and what is none of them means plan 1: shown, priced and charged alike', async () => {
  const { page, userId } = await subscribedPage(shared, 'has.a.plan');
  shared.pages.push(page);
  await shared.sandbox.createAccount({ username: 'gets.a.plan' });
  await page.request.post(`${shared.product.url}/user/connectedAccount/addRecord`, {
    data: { userId, igUsername: 'gets.a.plan' },
  });
  const other = `${shared.product.url}/other-account-subscription?defaultIgUsername=gets.a.plan`;
  const plan = page.getByLabel('Choose Your plan');
  const first = PLANS[0]?.number;
  for (const [value, number] of [
    ['2', 2],
    ['9', 9],
    ...['0', '10', '2.5', 'two', ''].map((bad) => [bad, first] as const),
  ]) {
    await page.goto(`${other}&packageValue=${value}`);
    await page.getByLabel('Cardholder name').waitFor();
    expect([value, Number(await plan.inputValue())]).toEqual([value, number]);
  }
  await page.goto(`${other}&packageValue=4`);
  const chosen = PLANS.find(({ number }) => number === 4);
  const cents = chosen?.priceCents ?? 0;
  await page.locator('dd').getByText(formatCents(cents)).first().waitFor();
  const before = await succeeded(cents);
  await fillCheckout(page, GOOD_CARD);
  const asked = page.waitForRequest(ADD_PLAN);
  await pay(page);
  expect((await asked).postDataJSON()).toMatchObject({ packageIndex: 4, amount: cents / 100 });
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  expect(await succeeded(cents)).toBe(before + 1);
});

test('the card of plan 9 leads over sign-up to a checkout with plan 9, which sign-up itself doesn’t offer', async () => {
  await shared.sandbox.createAccount({ username: 'wants.most' });
  const page = await (await shared.browser.newContext()).newPage();
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/signup?package=9`);
  await page.getByText('The checkout opens with the plan you chose: 10,000 likes').waitFor();
  const { name, email, password, igUsername, phone } = newCustomer('wants.most');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Instagram username').fill(igUsername);
  await page.getByLabel('Phone').fill(phone);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.waitForURL('**/other-account-subscription?packageValue=9*');
  await page.getByText('For @wants.most').waitFor();
  expect(await page.getByLabel('Choose Your plan').inputValue()).toBe('9');
});

test('the checkouts have no violation axe can find, light and dark', async () => {
  const page = await newcomerAt('/subscription', 'for.everybody');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of ['/subscription', '/payment/credits']) {
      await page.goto(shared.product.url + path);
      await page.getByLabel('Cardholder name').waitFor();
      await pay(page);
      await messages(page, 'Please enter a cardholder name').waitFor();
      await expectAccessible(page);
      expect(new URL(page.url()).pathname).toBe(path);
    }
  }
});

test('a checkout can be paid with the keyboard alone', async () => {
  const page = await newcomerAt('/payment/credits', 'keyboard.only');
  const before = await succeeded(1000);
  await page.locator('input[name="credits"]').first().focus();
  await page.keyboard.press('Space');
  const [card, country] = [['Ada Lovelace', '4242424242424242', '12', '2030', '123'], undefined];
  const address = ['1 Main Street', '', 'New York', 'NY', '10001', '5550100100'];
  for (const typed of [...card, country, ...address]) {
    await page.keyboard.press('Tab');
    if (typed !== undefined) await typeHere(page, typed);
  }
  await page.keyboard.press('Enter');
  await page.getByText('Payment Successful').waitFor();
  expect(await succeeded(1000)).toBe(before + 1);
});
