import { expect, test } from 'vitest';
import { enterCardElsewhere, findPaymentState } from '#shared/contract/money/payment.ts';
import { about } from '#shared/contract/about.ts';
import { NEWCOMER, OWNER } from '#web/testing/dom/customer-forms.ts';
import { FakeGateway, GATEWAY_ABOUT } from '#web/testing/dom/fake-gateway.ts';
import { type FakeServer, lose, succeed } from '#web/testing/dom/fake-server.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const inGateway = (server: FakeServer): void => server.gives(about, GATEWAY_ABOUT);
const pay = (page: Page): Promise<void> => page.button(/^Confirm & Pay/).click();
const said = (page: Page, sentence: string): Promise<void> =>
  page.getByText(sentence, { exact: true }).waitFor();

/** After a card was entered elsewhere. */
const SAVED = { ...NEWCOMER, billingInfo: OWNER.billingInfo };
const ENTRY = {
  paymentId: '0192d3c0-0000-7000-8000-0000000000c1',
  url: 'http://gateway.test/page',
};

test('fields that don’t come within 8 s are said to be slow, with the gateway’s own page as another way; a card entered there is offered', async () => {
  const slow = holdTimers(8000);
  const gateway = new FakeGateway({ isReady: false });
  const left: string[] = [];
  const page = await openPage('/subscription', {
    user: NEWCOMER,
    server: inGateway,
    platform: { leaveFor: (url) => void left.push(url) },
  });
  await page.getByLabel('The gateway’s cardNumber').waitFor();
  await pay(page);
  await expect.poll(slow.count).toBe(1);
  slow.end();
  await page.getByRole('alert').filter({ hasText: 'The card fields are taking a while' }).waitFor();
  page.server.gives(enterCardElsewhere, ENTRY);
  page.server.next(findPaymentState, lose);
  page.server.gives(findPaymentState, { kind: 'paid', what: 'card', amount: 0, user: SAVED });
  const wait = holdTimers(3000);
  await page.button('Enter the card there').click();
  await expect.poll(() => left).toEqual([ENTRY.url]);
  await expect.poll(wait.count).toBe(1);
  wait.end();
  expect(gateway.asked).toEqual([]);
  await page.button(/^Pay \$9.99 with the card ending in 242/).waitFor();
});

test('a blocked script is said at once, with both ways on: the gateway’s own page, or another try', async () => {
  const page = await openPage('/subscription', { user: NEWCOMER, server: inGateway });
  await page.getByRole('alert').filter({ hasText: 'couldn’t be loaded' }).waitFor();
  await page.button('Enter the card there').waitFor();
  const address = {
    'Street address': '1 Main',
    City: 'NYC',
    State: 'NY',
    'Zip/postal code': '10001',
  };
  for (const [label, value] of Object.entries(address)) await page.getByLabel(label).fill(value);
  await page.getByLabel('Phone').fill('5550100100');
  await pay(page);
  await said(
    page,
    'The card fields are blocked. Allow scripts from localhost and try again, or enter your card on the card gateway’s own page.',
  );
  const gateway = new FakeGateway();
  await page.button('Try again').click();
  await page.getByLabel('The gateway’s cardNumber').waitFor();
  expect(page.getByText('couldn’t be loaded').count()).toBe(0);
  expect(gateway.keys).toHaveLength(1);
});

test('in an app’s window no field of the gateway is drawn: the card is entered in the browser, and this goes on by itself', async () => {
  const gateway = new FakeGateway();
  const left: string[] = [];
  const page = await openPage('/subscription', {
    user: NEWCOMER,
    server: inGateway,
    platform: { kind: 'desktop', leaveFor: (url) => void left.push(url) },
  });
  await page.getByText('Your card is entered in your browser').waitFor();
  expect(page.getByLabel('Cardholder name').count()).toBe(0);
  await pay(page);
  await said(page, 'Please enter your card in your browser first.');
  page.server.gives(enterCardElsewhere, ENTRY);
  page.server.gives(findPaymentState, { kind: 'paid', what: 'card', amount: 0, user: SAVED });
  await page.button('Enter the card there').click();
  await page.button(/^Pay \$9.99 with the card ending in 242/).waitFor();
  expect(left).toEqual([ENTRY.url]);
  expect(gateway.keys).toEqual([]);
});

test('an app whose click is too old for opening a browser, because the answer was slow, says that the page is ready', async () => {
  let now = NOW;
  const left: string[] = [];
  const page = await openPage('/subscription', {
    user: NEWCOMER,
    server: inGateway,
    platform: { kind: 'desktop', now: () => now, leaveFor: (url) => void left.push(url) },
  });
  page.server.next(enterCardElsewhere, () => {
    now += 6000;
    return succeed(enterCardElsewhere, ENTRY)();
  });
  const looks = page.server.holdNext(findPaymentState);
  await page.button('Enter the card there').click();
  await said(page, 'The gateway’s page is ready. Open it to enter your card.');
  expect(left).toEqual([]);
  await page.button('Open the page').click();
  await page.getByText('The page is open in your browser.').waitFor();
  expect(left).toEqual([ENTRY.url]);
  await page.button('Open the page again').waitFor();
  looks();
});
