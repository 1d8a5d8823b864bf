import type { Browser, FrameLocator, Locator, Page } from 'playwright-core';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workersBrowser } from './share-product.ts';
import { openShop, type ShopPage } from './shop-page.ts';

let shop: ShopPage;
let browser: Browser;
let stripe: Stripe;
/** That of the tests since the last `openPage`: what one of them enters, the next replaces. */
let page: Page;
/** What the page's console said. */
let troubles: string[];

beforeAll(async () => {
  [shop, browser] = await Promise.all([openShop(), workersBrowser()]);
  const { hostname: host, port } = new URL(shop.world.url);
  stripe = new Stripe('sk_test_sandbox', { host, port, protocol: 'http', telemetry: false });
});

afterAll(async () => {
  await closePages();
  await shop.stop();
});

async function closePages(): Promise<void> {
  for (const context of browser.contexts()) await context.close();
}

async function openPage(): Promise<void> {
  await closePages();
  const context = await browser.newContext({ colorScheme: 'dark' });
  page = await context.newPage();
  troubles = [];
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  await page.goto(shop.url);
}

const fieldOf = (title: string, label: string): Locator =>
  page.frameLocator(`iframe[title="${title}"]`).getByLabel(label, { exact: true });
const number = (): Locator =>
  fieldOf('Secure card number input frame', 'Credit or debit card number');
const expiry = (): Locator =>
  fieldOf('Secure expiration date input frame', 'Credit or debit card expiration date');
const cvc = (): Locator => fieldOf('Secure CVC input frame', 'Credit or debit card CVC/CVV');
const output = (): Locator => page.locator('output');
/** The focus goes from frame to frame through the browser, later than the key that sends it there. */
const arrives = (id: string): Promise<void> =>
  page.locator(`#${id}.StripeElement--focus`).waitFor();

/** The card is typed with the keyboard alone; gives the id of what the gateway made of it. */
async function typeCard(digits: string, code = '739'): Promise<string> {
  const before = await output().textContent();
  await number().focus();
  await arrives('cardNumber');
  await page.keyboard.type(digits);
  await page.keyboard.press('Tab');
  await arrives('cardExpiry');
  await page.keyboard.type('1230');
  await page.keyboard.press('Tab');
  await arrives('cardCvc');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  let made = before;
  await expect
    .poll(async () => {
      made = await output().textContent();
      return made !== before && made?.startsWith('pm_');
    })
    .toBe(true);
  return made ?? '';
}

const charge = async (
  payment_method: string,
  params: Partial<Stripe.PaymentIntentCreateParams>,
) => {
  const { id: customer } = await stripe.customers.create({});
  const amount = { amount: 2400, currency: 'usd' };
  return stripe.paymentIntents.create({ ...amount, customer, payment_method, ...params });
};

test('fields look as the page says, let browsers fill them in, and keep their frames’ sizes', async () => {
  await openPage();
  // The page tells a frame its looks once that is there, and hears its size after that.
  const looks = () =>
    number().evaluate((input) => {
      const { color, fontSize, backgroundColor } = getComputedStyle(input);
      return { color, fontSize, backgroundColor };
    });
  const dressed = { color: 'rgb(238, 238, 238)', fontSize: '18px' };
  await expect.poll(looks).toEqual({ ...dressed, backgroundColor: 'rgba(0, 0, 0, 0)' });
  for (const [field, autocomplete] of [
    [number(), 'cc-number'],
    [expiry(), 'cc-exp'],
    [cvc(), 'cc-csc'],
  ] as const) {
    expect(await field.getAttribute('autocomplete')).toBe(autocomplete);
    expect(await field.getAttribute('inputmode')).toBe('numeric');
  }
  const frame = page.locator('#cardNumber iframe');
  const heights = async () => {
    const [outer, inner] = [await frame.boundingBox(), await number().boundingBox()];
    return (outer?.height ?? 0) - Math.ceil(inner?.height ?? Infinity);
  };
  await expect.poll(heights).toBe(0);
});

test('a confirmation token isn’t made of separate card fields, as with the real gateway', async () => {
  const refused = await page.evaluate<string>(
    `try { window.stripe.createConfirmationToken({ elements: {} }); 'made' } catch (error) { error.name + ': ' + error.message }`,
  );
  expect(refused).toMatch(/^IntegrationError: .*should have a mounted Payment Element/);
});

test('what is missing or wrong is said by its code, and the field is marked', async () => {
  await page.getByRole('button', { name: 'Pay' }).click();
  await expect.poll(() => output().textContent()).toBe('incomplete_number');
  await expect.poll(() => page.locator('.StripeElement--invalid').count()).toBe(3);
  await number().fill('4242424242424241');
  await expiry().fill('1224');
  await number().focus();
  await page.keyboard.press('Escape');
  const told = () => page.evaluate<Array<[string, { error?: { code: string } }]>>('window.told');
  await expect.poll(async () => (await told()).at(-1)?.[0]).toBe('escape');
  const codes = (await told()).map(([, { error }]) => error?.code);
  expect(codes).toContain('invalid_number');
  expect(codes).toContain('invalid_expiry_year_past');
});

test('a card that the gateway refuses comes back with its code', async () => {
  await number().fill('4111111111111111');
  await expiry().fill('1230');
  await cvc().fill('123');
  await cvc().press('Enter');
  await expect.poll(() => output().textContent()).toBe('incorrect_number');
});

test('a card is typed into the gateway’s frames, and the page learns its id and nothing more', async () => {
  await openPage();
  const id = await typeCard('5555555555554444');
  await expect.poll(() => number().inputValue()).toBe('5555 5555 5555 4444');
  await expect.poll(() => expiry().inputValue()).toBe('12 / 30');
  const method = await stripe.paymentMethods.retrieve(id);
  expect(method).toMatchObject({
    card: { brand: 'mastercard', last4: '4444', exp_month: 12, exp_year: 2030 },
    billing_details: { name: 'Mia Cole' },
  });
  const heard = await page.evaluate<string[]>('window.heard');
  expect(heard.length).toBeGreaterThan(5);
  for (const text of [...heard, ...shop.requests]) expect(text).not.toMatch(/5555 ?5555|\b739\b/);
  const told = await page.evaluate<Array<[string, object]>>('window.told');
  expect(told.filter(([event]) => event === 'ready')).toHaveLength(3);
  expect(told).toContainEqual([
    'change',
    { elementType: 'cardNumber', empty: false, complete: true, brand: 'mastercard' },
  ]);
  expect(troubles).toEqual([]);
});

test('nobody but the page itself can command a field or speak for it', async () => {
  await number().fill('4242424242424242');
  await page.evaluate(() => document.body.append(document.createElement('iframe')));
  const strangers = () => page.frames().filter((frame) => frame.url() === 'about:blank');
  await expect.poll(() => strangers().length).toBe(1);
  const [stranger] = strangers();
  const field = `window.parent.document.querySelector('#cardNumber iframe')`;
  await stranger?.evaluate(`${field}.contentWindow.postMessage({ command: 'clear' }, '*');
    const forged = { event: 'change', change: { complete: 'forged' } };
    window.parent.postMessage({ ...forged, frame: ${field}.name }, '*');`);
  await cvc().fill('12');
  await cvc().blur();
  await expect
    .poll(() => page.evaluate<string>('JSON.stringify(window.told)'))
    .toContain('incomplete_cvc');
  await expect.poll(() => number().inputValue()).toBe('4242 4242 4242 4242');
  expect(await page.evaluate<string>('JSON.stringify(window.told)')).not.toContain('forged');
});

test('the bank’s page takes its answer and goes back to the shop', async () => {
  await openPage();
  const id = await typeCard('4000002760003184');
  const intent = await charge(id, { confirm: true, return_url: `${shop.url}/return?payment=7` });
  await page.goto(intent.next_action?.redirect_to_url?.url ?? '');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(`${shop.url}/return**`);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('payment')).toBe('7');
  expect(searchParams.get('redirect_status')).toBe('succeeded');
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
});

test('the script shows the bank over the page, and says what came of it', async () => {
  await openPage();
  const bank = (): FrameLocator => page.frameLocator('iframe[title="Your bank"]');
  const outcomes: string[] = [];
  for (const button of ['Refuse', 'Confirm']) {
    const intent = await charge(await typeCard('4000000000003220'), {});
    const outcome = page.evaluate<string>(
      `window.stripe.confirmCardPayment('${intent.client_secret}').then((answer) => answer.error?.code ?? answer.paymentIntent.status)`,
    );
    await bank().getByRole('button', { name: button }).click();
    outcomes.push(await outcome);
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
  }
  expect(outcomes).toEqual(['payment_intent_authentication_failure', 'succeeded']);
});
