import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillCheckout, newCustomer, pay } from './customer.ts';
import { middayZone } from './midday-zone.ts';
import { startEmbedded } from './product.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';

const ADD_PLAN = '**/creditsTransaction/addSubscripiton';
const ADD_CREDITS = '**/creditsTransaction/addRecord';
const GOOD_CARD = { number: '4242 4242 4242 4242' };
const CARD_FIELDS = ['ccNum', 'ccName', 'ccMonth', 'ccYear', 'cvv'];
const ADDRESS_FIELDS = ['country', 'address', 'apartment', 'city', 'state', 'zip', 'phone'];

const shared = shareProduct(startEmbedded);

async function keep(opened: Promise<{ page: Page; userId: string }>): Promise<Page> {
  const { page } = await opened;
  shared.pages.push(page);
  return page;
}

const journeys = () => shared;

async function atPlan(igUsername: string): Promise<Page> {
  const page = await keep(signedInPage(journeys(), igUsername));
  await page.goto(`${shared.product.url}/subscription`);
  await page.getByLabel('Cardholder name').waitFor();
  return page;
}

/** What a checkout's call carries, without the call being made. */
async function sentBy(page: Page, call: string): Promise<Record<string, unknown>> {
  const asked = page.waitForRequest(call);
  await page.route(call, (route) => route.abort(), { times: 1 });
  await pay(page);
  return (await asked).postDataJSON() as Record<string, unknown>;
}

const keptState = (page: Page) =>
  page.evaluate(() => {
    const { state } = JSON.parse(localStorage.getItem('ovation-client-state') ?? '{}') as {
      state: {
        user: { credits: number; inSubscription: boolean };
        activeAccount: { activeusername: string };
        connectedAccounts: { igUsername: string; nextBillingDate: string | null }[];
      };
    };
    return state;
  });

test('the own checkout opens with the customer’s package and username, titled "Secure checkout", and shows the date the server charges next', async () => {
  const page = await (await shared.browser.newContext({ timezoneId: middayZone() })).newPage();
  shared.pages.push(page);
  await shared.sandbox.createAccount({ username: 'own.package' });
  const form = { ...newCustomer('own.package'), package: '4', timeZone: middayZone() };
  await page.request.post(`${shared.product.url}/user/user/register`, { form });
  await page.goto(`${shared.product.url}/login`);
  await page.getByLabel('Email').fill(form.email);
  await page.getByLabel('Password', { exact: true }).fill(form.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL('**/subscription');
  await page.getByRole('heading', { name: 'Secure checkout', level: 1 }).waitFor();
  expect(await page.getByLabel('Choose Your plan').inputValue()).toBe('4');
  await page.getByRole('form', { name: 'Secure checkout' }).getByText('@own.package').waitFor();
  const shown = await page.locator('dt:text-is("Next charge date") + dd').innerText();
  await fillCheckout(page, GOOD_CARD);
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
  // The local copy may show the state of before once more.
  const charged = async (): Promise<string> =>
    page.evaluate(
      (date) => new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long' }),
      (await keptState(page)).connectedAccounts[0]?.nextBillingDate ?? '',
    );
  await expect.poll(charged).toBe(shown);
});

test('the credits checkout has card form, billing address, "Confirm & Pay" and links to terms and privacy policy; without a package nothing is sent', async () => {
  const page = await keep(signedInPage(journeys(), 'looks.first'));
  await page.goto(`${shared.product.url}/payment/credits`);
  for (const label of [
    'Cardholder name',
    'Card number',
    'Month',
    'Year',
    'CVV/CVC',
    'Street address',
    'Apartment',
    'City',
    'State',
    'Zip/postal code',
    'Country',
    'Phone',
  ]) {
    await page.getByLabel(label).waitFor();
  }
  const target = (name: string) =>
    page.locator('form').getByRole('link', { name }).getAttribute('href');
  expect(await target('terms of service')).toBe('/terms-of-service');
  expect(await target('privacy policy')).toBe('/privacy-policy');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await fillCheckout(page, GOOD_CARD);
  await pay(page);
  await page.getByText('Please choose a credit package').waitFor();
  expect(sent.filter((url) => url.includes('creditsTransaction'))).toEqual([]);
});

test('the terms open beside a checkout, which keeps what was filled in', async () => {
  const page = await keep(signedInPage(journeys(), 'reads.terms'));
  await page.goto(`${shared.product.url}/payment/credits`);
  await fillCheckout(page, GOOD_CARD);
  const beside = page.context().waitForEvent('page');
  await page.locator('form').getByRole('link', { name: 'terms of service' }).click();
  const terms = await beside;
  await terms.getByRole('heading', { name: 'Terms of service', level: 1 }).waitFor();
  expect(await terms.evaluate(() => globalThis.opener === null)).toBe(true);
  expect(await page.getByLabel('Card number').inputValue()).toBe(GOOD_CARD.number);
});

test('the checkouts send card, address and what is bought, and no address of the visitor', async () => {
  const page = await atPlan('sends.little');
  await fillCheckout(page, GOOD_CARD);
  expect(Object.keys(await sentBy(page, ADD_PLAN)).toSorted()).toEqual(
    [
      ...CARD_FIELDS,
      ...ADDRESS_FIELDS,
      'userId',
      'igUsername',
      'packageIndex',
      'amount',
      'timeZone',
    ].toSorted(),
  );
  await page.goto(`${shared.product.url}/payment/credits`);
  await page.getByLabel('2,500 credits').check();
  await fillCheckout(page, GOOD_CARD);
  expect(Object.keys(await sentBy(page, ADD_CREDITS)).toSorted()).toEqual(
    [...CARD_FIELDS, ...ADDRESS_FIELDS, 'amount', 'credits', 'userId'].toSorted(),
  );
});

test('the dialog is shown only if the answer says that the customer is in a subscription', async () => {
  const opened = await signedInPage(journeys(), 'not.active');
  const page = await keep(Promise.resolve(opened));
  await page.goto(`${shared.product.url}/subscription`);
  const unpaid = await page.request.post(`${shared.product.url}/user/user/findByUserId`, {
    data: { userId: opened.userId },
  });
  await page.route(ADD_PLAN, async (route) => route.fulfill({ json: await unpaid.json() }));
  await fillCheckout(page, GOOD_CARD);
  await pay(page);
  await page.getByText('You were charged, but the subscription is not active yet.').waitFor();
  expect(await page.getByText('Payment Successful').count()).toBe(0);
});

test('after the payment the stored user is the returned one, the chosen account is active, and the accounts are read anew', async () => {
  const { page, userId } = await subscribedPage(journeys(), 'has.one');
  shared.pages.push(page);
  await shared.sandbox.createAccount({ username: 'gets.another' });
  await page.request.post(`${shared.product.url}/user/connectedAccount/addRecord`, {
    data: { userId, igUsername: 'gets.another' },
  });
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByText('@has.one').first().waitFor();
  await expect
    .poll(async () => (await keptState(page)).activeAccount.activeusername)
    .toBe('has.one');
  await page.goto(
    `${shared.product.url}/other-account-subscription?packageValue=2&defaultIgUsername=gets.another`,
  );
  await fillCheckout(page, GOOD_CARD);
  const readAnew = page.waitForRequest('**/connectedAccount/findByUserId');
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
  await readAnew;
  await expect
    .poll(async () => (await keptState(page)).activeAccount.activeusername)
    .toBe('gets.another');
  const paid = async (): Promise<[string, boolean][]> =>
    (await keptState(page)).connectedAccounts.map(({ igUsername, nextBillingDate }) => [
      igUsername,
      nextBillingDate !== null,
    ]);
  await expect.poll(paid).toEqual([
    ['has.one', true],
    ['gets.another', true],
  ]);
});
