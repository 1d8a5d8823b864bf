import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import { fillCheckout, newCustomer, pay, signUp } from './customer.ts';
import { holdTimers } from './held-timers.ts';
import { middayZone } from './midday-zone.ts';
import { upload } from './network-page.ts';
import { makeJpeg } from './real-files.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage } from './subscriber.ts';

const shared = shareProduct();

async function open(): Promise<Page> {
  const context = await shared.browser.newContext({ timezoneId: middayZone() });
  const page = await context.newPage();
  shared.pages.push(page);
  return page;
}

/** A new customer at the open checkout. */
async function atCheckout(igUsername: string): Promise<Page> {
  const { page } = await signedInPage(shared, igUsername);
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/subscription`);
  return page;
}

const isPaid = (page: Page): Promise<void> =>
  page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();

const chargesOf = async (amountCents: number): Promise<number> =>
  (await shared.sandbox.listCharges()).filter(
    (charge) => charge.amountCents === amountCents && charge.status === 'succeeded',
  ).length;

test.each([
  ['nobody.has.this.name', undefined],
  ['just.a.person', 'personal'],
  ['behind.a.door', 'private'],
])(
  'an account that can’t be read (%s) is refused with its causes, and the form is kept',
  async (name, kind) => {
    if (kind) await shared.sandbox.createAccount({ username: name, kind });
    const page = await open();
    await signUp(page, shared.product.url, newCustomer(name));
    await page
      .getByText(/private|personal|renamed/i)
      .first()
      .waitFor();
    expect(new URL(page.url()).pathname).toBe('/signup');
    expect(await page.getByLabel('Instagram username').inputValue()).toBe(name);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada Lovelace');
  },
);

test('an e-mail address that is taken is said so', async () => {
  await atCheckout('first.of.two');
  const page = await open();
  await signUp(page, shared.product.url, { ...newCustomer('first.of.two'), name: 'Somebody Else' });
  await page
    .getByText(/already|taken|in use/i)
    .first()
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/signup');
});

test('a declined card says so, keeps what was typed, and another card pays once', async () => {
  const page = await atCheckout('declined.once');
  const before = await chargesOf(999);
  await fillCheckout(page, { number: '4000 0000 0000 0002' });
  await pay(page);
  await page.getByText('Unable to process the payment').first().waitFor();
  expect(await page.getByLabel('Street address').inputValue()).toBe('1 Main Street');
  expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002');
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await pay(page);
  await isPaid(page);
  expect(await chargesOf(999)).toBe(before + 1);
});

test('a card past its date is refused beside its field', async () => {
  const page = await atCheckout('past.its.date');
  const before = await chargesOf(999);
  await fillCheckout(page, { number: '4242 4242 4242 4242', month: '01', year: '2024' });
  await pay(page);
  await page.getByText('The selected date must be in the future.').first().waitFor();
  expect(await chargesOf(999)).toBe(before);
});

test('a payment whose answer is lost is checked, not repeated', async () => {
  const page = await atCheckout('answer.lost');
  const before = await chargesOf(999);
  await shared.sandbox.setFault({
    system: 'cards',
    scenario: 'reset_after',
    call: 'cards.intents',
    times: 1,
  });
  await fillCheckout(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await page.getByText('Your payment is being checked').first().waitFor();
  await page.getByText('Payment Successful').waitFor();
  expect(await chargesOf(999)).toBe(before + 1);
});

test('a network that is down at the checkout means no charge, and the same form pays afterwards', async () => {
  const page = await atCheckout('network.down');
  const before = await chargesOf(999);
  await shared.sandbox.setFault({ system: 'graph', scenario: 'server_error' });
  await fillCheckout(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await page.getByText('You were not charged').first().waitFor();
  expect(await chargesOf(999)).toBe(before);
  await shared.sandbox.clearFaults();
  await pay(page);
  await isPaid(page);
  expect(await chargesOf(999)).toBe(before + 1);
});

test('a provider that fails is waited for, and a mail server that is down too', async () => {
  await shared.sandbox.setFault({ system: 'mail', scenario: 'down' });
  await shared.sandbox.setFault({ system: 'provider', scenario: 'down' });
  const page = await atCheckout('patient.one');
  await fillCheckout(page, { number: '4242 4242 4242 4242' });
  // Nobody is led on before the link is clicked.
  await holdTimers(page, DIALOG_MS);
  await pay(page);
  await page.getByRole('link', { name: 'click here' }).click();
  await page.waitForURL('**/dashboard');
  const network = await open();
  const buffer = await makeJpeg(9);
  await upload(network, shared.product.sandboxUrl, 'patient.one', {
    name: 'wait.jpg',
    mimeType: 'image/jpeg',
    buffer,
  });
  const [post] = await shared.sandbox.listPosts('patient.one');
  const card = page.locator(`[data-post="${post?.id}"]`);
  await card.getByText('waiting for the delivery network').waitFor();
  await shared.sandbox.clearFaults();
  await card.getByText('Completed').waitFor();
  const book = await shared.sandbox.readPost(post?.id ?? '');
  expect(book.distinctMembers).toBe(book.memberLikes);
  const mails = await shared.sandbox.listMails('patient.one@example.test');
  expect(mails.filter(({ subject }) => subject.startsWith('Welcome'))).toHaveLength(1);
});
