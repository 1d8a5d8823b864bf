import type { Locator, Page, Request, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { addAccount } from '#shared/contract/accounts/account-changes.ts';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import { PAYING_PAGES } from '#shared/domain/page-paths.ts';
import { bundled } from '#test/processes/bundled.ts';
import { startProcess } from '#test/processes/process.ts';
import { expectAccessible } from './axe.ts';
import {
  answerBank,
  ASKS_ALWAYS,
  codeField,
  expiryField,
  fillBesideCard,
  fillGatewayCard,
  fillGatewayCheckout,
  hasFocus,
  letBankTakeTime,
  numberField,
  payUntilBank,
} from './bank-customer.ts';
import { newCustomer, openAnotherCard, pay } from './customer.ts';
import { followTo } from './open-screen.ts';
import { overflow } from './overflow.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage } from './subscriber.ts';
import { listed, watchScripts } from './watch-scripts.ts';

const shared = shareProduct({ cardEntry: 'gateway' });
const paid = (page: Page) => page.getByRole('dialog', { name: 'Payment Successful' });

async function typeInto(field: Locator, text: string): Promise<void> {
  await hasFocus(field);
  await field.page().keyboard.type(text);
}

/** What some pages need in their address to be shown. */
const QUERIES: Partial<Record<(typeof PAYING_PAGES)[number], string>> = {
  '/other-account-subscription': '?packageValue=2&defaultIgUsername=gate.second',
  '/payment-return': '?payment=none',
};

/** One customer's page through the tests that follow, as where popups are blocked. */
let page: Page;
let userId: string;

test('on a phone the fields have the page’s own colors in both schemes, nothing is wider than the page, axe finds nothing, and the first wrong field has the focus', async () => {
  ({ page, userId } = await signedInPage(shared, 'asks.bank', { width: 390, height: 844 }));
  await page.addInitScript(() => void Object.assign(globalThis, { open: () => null }));
  await page.goto(`${shared.product.url}/subscription`);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Frames have the colors of the page that they came with.
    await followTo(page, '/subscription');
    await numberField(page).fill('4242');
    await expect
      .poll(() => numberField(page).evaluate((one) => getComputedStyle(one).color))
      .toBe(await page.evaluate(() => getComputedStyle(document.body).color));
    expect(await overflow(page)).toBe(0);
    await expectAccessible(page, colorScheme === 'dark' ? 'colours' : 'all');
  }
  await numberField(page).fill('');
  await pay(page);
  for (const sentence of [
    'Please enter a card number',
    'Please enter a month',
    'Please enter a CVV/CVC code',
  ]) {
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  }
  await hasFocus(numberField(page));
  const fields = [numberField(page), expiryField(page), codeField(page)];
  expect(await Promise.all(fields.map((field) => field.getAttribute('autocomplete')))).toEqual([
    'cc-number',
    'cc-exp',
    'cc-csc',
  ]);
  // A click on a label leads into its frame.
  await page.getByText('CVV/CVC', { exact: true }).click();
  await hasFocus(codeField(page));
});

test('a card’s token that got too old is asked for again and charges nothing; the bank says no to the card entered again, and the way back leads to another try, which the bank decides later: it pays once, and the page goes on by itself', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const charges = () => shared.sandbox.listCharges(newCustomer('asks.bank').email);
  await fillGatewayCheckout(page, { number: ASKS_ALWAYS });
  const outdate = async (route: Route): Promise<void> => {
    const token = /"confirmationToken":"(\w+)"/.exec(route.request().postData() ?? '')?.[1];
    await shared.sandbox.makeTokenOld(token ?? '');
    await route.continue();
  };
  await page.route(`**${addSubscription.path}`, outdate, { times: 1 });
  const refused = page.waitForResponse(`**${addSubscription.path}`);
  await pay(page);
  expect((await refused).status()).toBe(400);
  await page.getByText('Please enter the card again.').waitFor();
  await expect.poll(() => numberField(page).inputValue()).toBe('');
  expect(await charges()).toEqual([]);

  const answered = () =>
    page.waitForURL(`${shared.product.url}/payment-return?**`, { waitUntil: 'commit' });
  await fillGatewayCard(page, { number: ASKS_ALWAYS });
  await payUntilBank(page, '$9.99');
  await answerBank(page, 'Refuse');
  await answered();
  await page.getByText('Unable to process the payment').waitFor();
  await page.getByRole('link', { name: 'Back to the payment' }).click();
  await page.waitForURL('**/subscription');

  await fillGatewayCheckout(page, { number: ASKS_ALWAYS });
  await payUntilBank(page, '$9.99');
  const asked = await letBankTakeTime(page);
  await answered();
  await page.getByText('Your payment is being checked. Please do not pay again.').waitFor();
  const succeeded = async (): Promise<number> =>
    (await charges()).filter(({ status }) => status === 'succeeded').length;
  expect(await succeeded()).toBe(0);
  await Promise.all([
    paid(page).getByText('You paid $9.99.').waitFor(),
    shared.sandbox.decideAtBank(asked, 'confirm'),
  ]);
  expect(await succeeded()).toBe(1);
});

test('what the bank refused isn’t charged, a plan change that it confirms is, once. No window opens', async () => {
  await page.waitForURL('**/dashboard');
  const ofStatus = async (wanted: string): Promise<number[]> => {
    const charges = await shared.sandbox.listCharges(newCustomer('asks.bank').email);
    return charges.flatMap(({ status, amountCents }) => (status === wanted ? amountCents : []));
  };
  expect(await ofStatus('canceled')).toEqual([999]);

  await followTo(page, '/subscription');
  await page.getByLabel('Choose Your plan').selectOption('4');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: 'Confirm & Pay' }).click();
  await page.getByRole('button', { name: 'Go to your bank' }).click();
  await answerBank(page, 'Confirm');
  await page.getByRole('status').filter({ hasText: 'Payment Successful' }).waitFor();
  expect(await ofStatus('succeeded')).toHaveLength(2);
  expect(page.context().pages()).toEqual([page]);
});

test('only pages with a card form load a script beside those that the build has listed, the gateway’s; with the keyboard alone a plan is paid with a card that is typed into its fields', async () => {
  expect(listed.length).toBeGreaterThan(10);
  const foreign: string[] = [];
  const hear = (request: Request): void => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== shared.product.url || /\/gateway-[^/]*\.js$/.test(pathname)) {
      foreign.push(request.url());
    }
  };
  // A second account without a plan, whose checkout can be opened.
  await shared.sandbox.createAccount({ username: 'gate.second', posts: 1 });
  await page.request.post(`${shared.product.url}${addAccount.path}`, {
    data: { userId, igUsername: 'gate.second' },
  });
  page.on('request', hear);
  const unlisted = watchScripts(shared, page);
  await page.goto(shared.product.url);
  await page.getByTitle('Up to date').waitFor();
  const known = new Set(listed.map(({ path }) => path));
  for (const path of PAYING_PAGES) {
    const address = path + (QUERIES[path] ?? '');
    const asked = { headers: { accept: 'text/html' } };
    const html = await (await page.request.get(shared.product.url + address, asked)).text();
    const tags = [...html.matchAll(/<script\b[^>]*>/gi)].map(([tag]) => tag);
    expect(tags.length).toBeGreaterThan(0);
    expect(tags.filter((tag) => !known.has(/ src="([^"]+)"/.exec(tag)?.[1] ?? ''))).toEqual([]);
    await followTo(page, address);
    expect(new URL(page.url()).pathname).toBe(path);
  }
  page.off('request', hear);
  expect(foreign).toEqual([]);

  await followTo(page, `/other-account-subscription${QUERIES['/other-account-subscription']}`);
  await openAnotherCard(page);
  for (const field of [numberField(page), expiryField(page), codeField(page)])
    await field.waitFor();
  const { origin: gateway } = new URL(shared.product.sandboxUrl);
  const scripts = await unlisted();
  expect(scripts).toContain(`${gateway}/stripe/v3/stripe.js`);
  expect(scripts.filter((one) => !one.startsWith(`${gateway}/stripe/v3/`))).toEqual([]);

  await page.getByLabel('Cardholder name', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await typeInto(numberField(page), '4242424242424242');
  await page.keyboard.press('Tab');
  await typeInto(expiryField(page), '1230');
  await page.keyboard.press('Tab');
  await typeInto(codeField(page), '739');
  await page.keyboard.press('Tab');
  await hasFocus(page.getByLabel('Country'));
  await expect.poll(() => expiryField(page).inputValue()).toBe('12 / 30');
  await page.getByText('Visa recognized').waitFor({ state: 'attached' });
  await fillBesideCard(page);
  await expectAccessible(page);
  await pay(page);
  await paid(page).getByText('You paid $17.00.').waitFor();
  const charges = await shared.sandbox.listCharges(newCustomer('asks.bank').email);
  expect(charges.filter(({ amountCents }) => amountCents === 1700)).toMatchObject([
    { status: 'succeeded' },
  ]);
});

test('the operator’s dry run says line by line that all of it fits, and what doesn’t', async () => {
  const { url, sandboxUrl, directory } = shared.product;
  const operator = await bundled('server/src/main/operator.ts');
  const check = async (way: string): Promise<{ code: number | null; told: string }> => {
    const [PORT, SANDBOX_PORT] = [new URL(url).port, new URL(sandboxUrl).port];
    const env = { PORT, SANDBOX_PORT, DATA_DIR: directory, CARD_ENTRY: way };
    const command = startProcess(operator, env, ['cards', 'check']);
    return { code: await command.ended, told: command.output() };
  };
  const fits = await check('gateway');
  const headers = PAYING_PAGES.map(() => 'headers');
  const others = ['scripts', 'events', 'endpoint'];
  const parts = ['keys', 'fields', 'product', 'script', ...headers, ...others];
  expect(fits.told.match(/^\w+ +ok /gm)?.map((line) => line.split(' ')[0])).toEqual(parts);
  expect(fits.code).toBe(0);
  const other = await check('form');
  expect(other.told).toMatch(/^(.*: )?.*product +FAILS +.* runs with another card entry/m);
  expect(other.code).toBe(1);
});
