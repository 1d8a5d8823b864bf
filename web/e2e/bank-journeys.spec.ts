import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  answerBank,
  ASKS_ALWAYS,
  ASKS_THEN_EMPTY,
  fillGatewayCheckout,
  payUntilBank,
} from './bank-customer.ts';
import { fillCheckout, logIn, newCustomer, pay } from './customer.ts';
import { startEmbedded } from './product.ts';
import { ownProduct, shareProduct } from './share-product.ts';
import { type Journeys, signedInPage, subscribedPage } from './subscriber.ts';

const form = shareProduct();
const gateway = ownProduct((from) =>
  startEmbedded(from, 'off', { settings: { CARD_ENTRY: 'gateway' } }),
);
/** Both ways of entering a card; accounts are named by them. */
const WAYS = [
  { way: 'form', shared: form, fill: fillCheckout },
  { way: 'gateway', shared: gateway, fill: fillGatewayCheckout },
] as const;
type Way = (typeof WAYS)[number];

const paid = (page: Page) => page.getByRole('dialog', { name: 'Payment Successful' });
const answered = (page: Page, { shared }: Way) =>
  page.waitForURL(`${shared.product.url}/payment-return?**`);
/** What the gateway's own book has of a customer's account, by what was charged, in cents. */
const charges = async (shared: Journeys): Promise<number> =>
  (await shared.sandbox.listCharges()).filter(({ status }) => status === 'succeeded').length;

async function atPlan(one: Way, name: string): Promise<Page> {
  const { page } = await signedInPage(one.shared, `${name}.${one.way}`);
  one.shared.pages.push(page);
  await page.goto(`${one.shared.product.url}/subscription`);
  return page;
}

test.each(WAYS)(
  '$way: the bank is told yes: one charge, the plan is there, and the page still says so when it is loaded again',
  async (one) => {
    const page = await atPlan(one, 'says.yes');
    const before = await charges(one.shared);
    await one.fill(page, { number: ASKS_ALWAYS });
    await payUntilBank(page, '$9.99');
    // Nothing is there before the bank has said yes.
    expect(await charges(one.shared)).toBe(before);
    await answerBank(page, 'Confirm');
    await answered(page, one);
    const back = page.url();
    await paid(page).getByText('You paid $9.99.').waitFor();
    await page.waitForURL('**/dashboard');
    await page.goto(back);
    await paid(page).getByText('You paid $9.99.').waitFor();
    expect(await charges(one.shared)).toBe(before + 1);
  },
);

test.each(WAYS)(
  '$way: the bank is told no, or the card is empty after its yes: nothing is charged, the way back leads to the checkout, and another card pays',
  async (one) => {
    const page = await atPlan(one, 'says.no');
    const before = await charges(one.shared);
    await one.fill(page, { number: ASKS_ALWAYS });
    await payUntilBank(page, '$9.99');
    await answerBank(page, 'Refuse');
    await answered(page, one);
    await page.getByText('Unable to process the payment').waitFor();
    await page.getByRole('link', { name: 'Back to the payment' }).click();
    await page.waitForURL('**/subscription');
    await one.fill(page, { number: ASKS_THEN_EMPTY });
    await payUntilBank(page, '$9.99');
    await answerBank(page, 'Confirm');
    await answered(page, one);
    await page.getByText('This card doesn’t have enough funds. You were not charged.').waitFor();
    expect(await charges(one.shared)).toBe(before);
    await page.goto(`${one.shared.product.url}/subscription`);
    await one.fill(page, { number: '4242 4242 4242 4242' });
    await pay(page);
    await paid(page).waitFor();
    expect(await charges(one.shared)).toBe(before + 1);
  },
);

test.each(WAYS)(
  '$way: the bank hears nothing and the browser is closed: billing lists what waits, giving up charges nothing, and the plan can be bought',
  async (one) => {
    const page = await atPlan(one, 'says.nothing');
    const before = await charges(one.shared);
    await one.fill(page, { number: ASKS_ALWAYS });
    await payUntilBank(page, '$9.99');
    await answerBank(page, 'Leave without an answer');
    // Chromium forgets to close a page that is just arriving elsewhere (crbug.com/536385539).
    await page.getByRole('heading', { name: 'You left without an answer.' }).waitFor();
    await page.close();
    const later = await page.context().newPage();
    await later.goto(`${one.shared.product.url}/my-billing`);
    const waiting = later.getByRole('region', { name: 'Waiting for you' });
    await waiting.getByText(`Plan for @says.nothing.${one.way}`).waitFor();
    await waiting.getByRole('button', { name: 'Confirm with your bank' }).click();
    await later.getByRole('button', { name: 'Don’t pay' }).click();
    await waiting.getByText('you were not charged').waitFor();
    expect(await charges(one.shared)).toBe(before);
    await later.goto(`${one.shared.product.url}/subscription`);
    await one.fill(later, { number: '4242 4242 4242 4242' });
    await pay(later);
    await paid(later).waitFor();
    expect(await charges(one.shared)).toBe(before + 1);
  },
);

test.each(WAYS)(
  '$way: the bank takes its time: nobody is told to pay again, nothing is there before its yes, and the page goes on by itself',
  async (one) => {
    const page = await atPlan(one, 'says.later');
    const before = await charges(one.shared);
    await one.fill(page, { number: ASKS_ALWAYS });
    await payUntilBank(page, '$9.99');
    await answerBank(page, 'Decide in 5 minutes');
    await answered(page, one);
    await page.getByText('Your payment is being checked. Please do not pay again.').waitFor();
    expect(await charges(one.shared)).toBe(before);
    const asked = new URL(page.url()).searchParams.get('payment_intent') ?? '';
    await one.shared.sandbox.decideAtBank(asked, 'confirm');
    await paid(page).getByText('You paid $9.99.').waitFor();
    expect(await charges(one.shared)).toBe(before + 1);
  },
);

test.each(WAYS)(
  '$way: the form is loaded again while the bank waits, in a second tab too: paying again leads to the same question, and its one yes pays once',
  async (one) => {
    const page = await atPlan(one, 'asks.again');
    const before = await charges(one.shared);
    await one.fill(page, { number: ASKS_ALWAYS });
    await pay(page);
    await page.getByRole('heading', { name: 'Your bank asks you to confirm $9.99.' }).waitFor();
    await page.reload();
    await one.fill(page, { number: ASKS_ALWAYS });
    await pay(page);
    await page.getByRole('heading', { name: 'Your bank asks you to confirm $9.99.' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${one.shared.product.url}/subscription`);
    await one.fill(other, { number: ASKS_ALWAYS });
    await payUntilBank(other, '$9.99');
    await answerBank(other, 'Confirm');
    await paid(other).waitFor();
    // The first tab finds out by itself.
    await page.bringToFront();
    await paid(page).waitFor();
    expect(await charges(one.shared)).toBe(before + 1);
  },
);

test.each(WAYS)(
  '$way: credits, with a new card and with the saved one, are there once the bank was told yes',
  async (one) => {
    const { page } = await subscribedOf(one, 'buys.more');
    const before = await charges(one.shared);
    await page.goto(`${one.shared.product.url}/payment/credits`);
    await page.getByLabel('2,500 credits').check();
    await one.fill(page, { number: ASKS_ALWAYS });
    await page.getByLabel('Use this card for all my plans from now on').check();
    await payUntilBank(page, '$10.00');
    await answerBank(page, 'Confirm');
    await paid(page).getByText('2,500 credits', { exact: true }).waitFor();
    const offered = async (): Promise<string> => {
      await page.goto(`${one.shared.product.url}/payment/credits`);
      await page.getByLabel('2,500 credits').check();
      return page.getByRole('button', { name: /^Pay / }).innerText();
    };
    // The copy on this device hears of the card a moment later.
    await expect.poll(offered).toBe('Pay $10.00 with the card ending in 184');
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.getByRole('button', { name: 'Go to your bank' }).click();
    await answerBank(page, 'Confirm');
    await paid(page).getByText('You paid $10.00.').waitFor();
    expect(await charges(one.shared)).toBe(before + 2);
  },
);

test.each(WAYS)(
  '$way: a card is replaced once its bank was told yes, and a plan change is asked about too',
  async (one) => {
    const { page } = await subscribedOf(one, 'changes.plan');
    const before = await charges(one.shared);
    await page.goto(`${one.shared.product.url}/my-billing`);
    await page.getByRole('button', { name: 'Replace card' }).click();
    await one.fill(page, { number: ASKS_ALWAYS });
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('button', { name: 'Go to your bank' }).click();
    await page.getByRole('heading', { name: 'Confirm this card' }).waitFor();
    await answerBank(page, 'Confirm');
    await page.getByText('Your card is saved.').waitFor();
    await page.goto(`${one.shared.product.url}/subscription`);
    await page.getByLabel('Choose Your plan').selectOption('4');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('button', { name: 'Confirm & Pay' }).click();
    await page.getByRole('button', { name: 'Go to your bank' }).click();
    await answerBank(page, 'Confirm');
    await page.getByRole('status').filter({ hasText: 'Payment Successful' }).waitFor();
    expect(await charges(one.shared)).toBe(before + 1);
  },
);

test.each(WAYS)(
  '$way: an account is added and its plan paid with a new card that the bank asks about',
  async (one) => {
    const { page } = await subscribedOf(one, 'adds.one');
    const [before, added] = [await charges(one.shared), `added.one.${one.way}`];
    await one.shared.sandbox.createAccount({ username: added, posts: 1 });
    await page.goto(`${one.shared.product.url}/my-subscriptions`);
    await page.getByRole('button', { name: 'Add account' }).first().click();
    await page.getByLabel('Instagram username').fill(added);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('button', { name: 'Add this account' }).click();
    await page.waitForURL('**/other-account-subscription?*');
    await one.fill(page, { number: ASKS_ALWAYS });
    await payUntilBank(page, '$9.99');
    await answerBank(page, 'Confirm');
    await paid(page).getByText(`@${added}`).first().waitFor();
    await page.waitForURL('**/dashboard');
    await page.getByRole('option', { name: `@${added}` }).waitFor();
    expect(await charges(one.shared)).toBe(before + 1);
  },
);

test('the bank’s page is closed: in a second browser what waits is confirmed, and the first one says that it’s paid', async () => {
  const [, one] = WAYS;
  const page = await atPlan(one, 'two.browsers');
  const before = await charges(one.shared);
  await one.fill(page, { number: ASKS_ALWAYS });
  await payUntilBank(page, '$9.99');
  const waits = await page.context().newPage();
  await page.close();
  const second = await (await one.shared.browser.newContext()).newPage();
  one.shared.pages.push(second);
  await logIn(second, one.shared.product.url, newCustomer(`two.browsers.${one.way}`));
  await second.waitForURL('**/subscription');
  await second.goto(`${one.shared.product.url}/my-billing`);
  await second.getByRole('button', { name: 'Confirm with your bank' }).click();
  await second.getByRole('button', { name: 'Go to your bank' }).click();
  await answerBank(second, 'Confirm');
  await paid(second).getByText('You paid $9.99.').waitFor();
  await waits.goto(`${one.shared.product.url}/my-billing`);
  await waits.getByText('$9.99').first().waitFor();
  expect(await waits.getByRole('region', { name: 'Waiting for you' }).count()).toBe(0);
  expect(await charges(one.shared)).toBe(before + 1);
});

/** Signed in with plan 1 paid, in the way that cards are entered there. */
async function subscribedOf(one: Way, name: string): Promise<{ page: Page }> {
  if (one.way === 'form') {
    const subscribed = await subscribedPage(one.shared, `${name}.${one.way}`);
    one.shared.pages.push(subscribed.page);
    return subscribed;
  }
  const page = await atPlan(one, name);
  await one.fill(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await page.waitForURL('**/dashboard');
  return { page };
}
