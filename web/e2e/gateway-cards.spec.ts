import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { addSubscription } from '#shared/contract/checkout.ts';
import { expectAccessible } from './axe.ts';
import {
  codeField,
  expiryField,
  fillGatewayCheckout,
  fillHostedPage,
  numberField,
} from './bank-customer.ts';
import { pay } from './customer.ts';
import { overflow } from './overflow.ts';
import { startEmbedded } from './product.ts';
import { ownProduct } from './share-product.ts';
import { signedInPage } from './subscriber.ts';

const shared = ownProduct((from) =>
  startEmbedded(from, 'off', { settings: { CARD_ENTRY: 'gateway' } }),
);
const paid = (page: Page) => page.getByRole('dialog', { name: 'Payment Successful' });

async function atCheckout(
  igUsername: string,
  size: { width?: number; height?: number } = {},
): Promise<Page> {
  const { page } = await signedInPage(shared, igUsername, size);
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/subscription`);
  return page;
}

/** What is asked for there stays on its way until it is let go. */
async function holdRequests(page: Page, address: string): Promise<{ letGo: () => void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    // By then the page may have gone on.
    await route.continue().catch(() => undefined);
  });
  return { letGo: resolve };
}

test('a plan is paid with a card that is typed into the gateway’s fields, with the keyboard alone, and neither its number nor its code reaches our server', async () => {
  const page = await atCheckout('gate.way');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== shared.product.url) return;
    sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
  });
  await numberField(page).waitFor();
  await page.getByLabel('Cardholder name', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type('4242424242424242');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1230');
  await page.keyboard.press('Tab');
  await page.keyboard.type('739');
  await page.keyboard.press('Tab');
  expect(await page.getByLabel('Country').evaluate((one) => one === document.activeElement)).toBe(
    true,
  );
  expect(await expiryField(page).inputValue()).toBe('12 / 30');
  await page.getByText('Visa recognized').waitFor({ state: 'attached' });
  await fillGatewayCheckout(page, { number: '4242 4242 4242 4242', cvv: '739' });
  await expectAccessible(page);
  await pay(page);
  await paid(page).getByText('You paid $9.99.').waitFor();
  expect((await shared.sandbox.listCharges()).map(({ amountCents }) => amountCents)).toEqual([999]);
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.filter((text) => /4242 ?4242|\b739\b/.test(text))).toEqual([]);
});

test('the sentences of the specification stand beside the gateway’s fields, the first wrong one has the focus, and browsers may fill them in', async () => {
  const page = await atCheckout('says.what');
  await numberField(page).waitFor();
  await pay(page);
  for (const sentence of [
    'Please enter a card number',
    'Please enter a month',
    'Please enter a CVV/CVC code',
  ]) {
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
  }
  await expect
    .poll(() => numberField(page).evaluate((one) => one === document.activeElement))
    .toBe(true);
  await numberField(page).fill('4242 4242 4242 4241');
  await page.getByText('Card number is invalid').waitFor();
  await expiryField(page).fill('0124');
  await page.getByText('The selected date must be in the future.').waitFor();
  await codeField(page).fill('12');
  await page.getByLabel('Cardholder name', { exact: true }).focus();
  await page.getByText('CVV/CVC code is invalid').waitFor();
  const autocompletes = [numberField(page), expiryField(page), codeField(page)];
  expect(
    await Promise.all(autocompletes.map((field) => field.getAttribute('autocomplete'))),
  ).toEqual(['cc-number', 'cc-exp', 'cc-csc']);
  // A click on a label leads into its frame.
  await page.getByText('CVV/CVC', { exact: true }).click();
  await expect
    .poll(() => codeField(page).evaluate((one) => one === document.activeElement))
    .toBe(true);
});

test.each(['light', 'dark'] as const)(
  'on a phone in the %s scheme nothing is wider than the page, the fields have the page’s own colors, and axe finds nothing',
  async (colorScheme) => {
    const page = await atCheckout(`phone.${colorScheme}`, { width: 390, height: 844 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await numberField(page).fill('4242');
    await expect
      .poll(() => numberField(page).evaluate((one) => getComputedStyle(one).color))
      .toBe(await page.evaluate(() => getComputedStyle(document.body).color));
    expect(await overflow(page)).toBe(0);
    await expectAccessible(page);
  },
);

test('a blocked script: the card is entered on the gateway’s own page, and pays where its owner was', async () => {
  const page = await atCheckout('blocks.scripts');
  await page.route('**/stripe.js', (route) => route.abort());
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'couldn’t be loaded' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Enter the card there' }).click();
  await fillHostedPage(page, '4242 4242 4242 4242');
  await page.getByText('Your card is saved.').waitFor();
  await page.getByRole('link', { name: 'Continue to payment' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/subscription');
  await page.getByRole('button', { name: 'Pay $9.99 with the card ending in 242' }).click();
  await paid(page).waitFor();
});

test('frames that never load: it is said, and the card is entered on the gateway’s own page', async () => {
  const page = await atCheckout('no.frames');
  const held = await holdRequests(page, '**/stripe/v3/field*');
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'taking long to load' }).waitFor();
  await page.getByRole('button', { name: 'Enter the card there' }).click();
  await fillHostedPage(page, '4242 4242 4242 4242');
  await page.getByRole('link', { name: 'Continue to payment' }).click();
  await page.getByRole('button', { name: 'Pay $9.99 with the card ending in 242' }).click();
  await paid(page).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  held.letGo();
});

test('a slow script: another way is offered meanwhile, and the fields pay once they are there', async () => {
  const page = await atCheckout('slow.script');
  const held = await holdRequests(page, '**/stripe.js');
  await page.reload();
  const slow = page.getByRole('alert').filter({ hasText: 'taking long to load' });
  await slow.waitFor();
  held.letGo();
  await slow.waitFor({ state: 'detached' });
  await fillGatewayCheckout(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await paid(page).getByText('You paid $9.99.').waitFor();
  expect(await slow.count()).toBe(0);
});

test('a card’s token that somebody has used already pays nothing: the card is asked for again, and pays then', async () => {
  const first = await atCheckout('token.first');
  const tokens: string[] = [];
  const hear = (request: Request): void => {
    const token = /"confirmationToken":"(\w+)"/.exec(request.postData() ?? '')?.[1];
    if (token !== undefined) tokens.push(token);
  };
  first.on('request', hear);
  await fillGatewayCheckout(first, { number: '4242 4242 4242 4242' });
  await pay(first);
  await first.waitForURL('**/dashboard');
  const before = (await shared.sandbox.listCharges()).length;
  const page = await atCheckout('token.again');
  const used = `"confirmationToken":"${tokens[0]}"`;
  await page.route(
    `**${addSubscription.path}`,
    (route) => {
      const body = route.request().postData() ?? '';
      return route.continue({ postData: body.replace(/"confirmationToken":"\w+"/, used) });
    },
    { times: 1 },
  );
  await fillGatewayCheckout(page, { number: '5555 5555 5555 4444' });
  await pay(page);
  await page.getByText('Please enter the card again.').waitFor();
  expect(await shared.sandbox.listCharges()).toHaveLength(before);
  page.on('request', hear);
  await fillGatewayCheckout(page, { number: '5555 5555 5555 4444' });
  await pay(page);
  await paid(page).getByText('You paid $9.99.').waitFor();
  expect(await shared.sandbox.listCharges()).toHaveLength(before + 1);
  expect(new Set(tokens).size).toBe(2);
});

test('the gateway’s script comes with a form that takes a card, and with nothing else', async () => {
  const page = await atCheckout('loads.little');
  await numberField(page).waitFor();
  await fillGatewayCheckout(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await page.waitForURL('**/dashboard');
  const foreign: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== shared.product.url || /\/gateway-[^/]*\.js$/.test(pathname)) {
      foreign.push(request.url());
    }
  });
  for (const path of ['/', '/dashboard', '/my-billing', '/my-settings', '/my-subscriptions']) {
    await page.goto(shared.product.url + path);
    await page.getByTitle('Up to date').waitFor();
  }
  expect(foreign).toEqual([]);
});
