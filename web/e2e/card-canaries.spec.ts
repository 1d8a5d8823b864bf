import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import type { Database, Db } from '#server/kit/db/database.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import {
  allSpellings,
  scanDatabase,
  scanDirectory,
  scanTexts,
  tablesWithCvv,
  tellsCvv,
} from '#test/processes/canaries.ts';
import { scanForCards } from '#server/ops/invariants/scan-for-cards.ts';
import { freePort } from '#test/processes/free-port.ts';
import {
  answerBank,
  fillGatewayCard,
  fillGatewayCheckout,
  fillHostedPage,
  followToBank,
} from './bank-customer.ts';
import { newCustomer, pay } from './customer.ts';
import { followTo } from './open-screen.ts';
import { makeDue } from './make-due.ts';
import { type SingleProduct, findPorts, startSingle } from './product.ts';
import { readKept } from './read-kept.ts';
import { type RecordingProxy, recordTraffic } from './recording-proxy.ts';
import { sandboxControl } from './sandbox-control.ts';
import { workersBrowser } from './share-product.ts';
import { type Journeys, signedInPage } from './subscriber.ts';

/**
 * Where cards are entered in the gateway's own fields, no digit run of a card and no security code comes near us:
 * not over the wire, and not into logs, database, or what the browser keeps of our origin.
 */
const CARDS = {
  'card that is refused': '4000000000000002',
  'card that pays a pack': '378282246310005',
  'card that replaces the saved one, whose bank asks': '4000002760003184',
  'card on the gateway’s page': '5555555555554444',
};
/** Somebody sends this one to us; what they send goes over the wire, what we answer has none of it. */
const SENT = { 'card in a call': '6011111111111117' };
/** Four digits, as that card has, can be searched for alone; three only under their name. */
const CODE = '7391';
const OTHER_CODE = '739';
const CANARIES = allSpellings(CARDS);
const ALL_CANARIES = allSpellings({ ...CARDS, ...SENT });

let proxy: RecordingProxy;
let product: SingleProduct;
let database: Database;
let browser: Browser;
let journeys: Journeys;
let customer: Page;
/** What the browser has kept at the end of each journey. */
const kept: string[] = [];

beforeAll(async () => {
  const ports = await findPorts();
  proxy = await recordTraffic(await freePort(), ports[0]);
  const settings = { CARD_ENTRY: 'gateway', PUBLIC_URL: proxy.url, LOG_LEVEL: 'debug' };
  const [started, known] = await Promise.all([
    startSingle(inject('startFrom'), settings, { ports }),
    workersBrowser({ serviceWorkers: 'allow' }),
  ]);
  [product, browser] = [started, known];
  database = openPostgres(started.databaseUrl, { onError: () => undefined });
  const { sandboxUrl } = product;
  journeys = {
    browser,
    product: { url: proxy.url, sandboxUrl },
    sandbox: sandboxControl(sandboxUrl),
  };
});
afterAll(async () => {
  for (const context of browser.contexts()) await context.close();
  await proxy.stop();
  await product.stop();
  await database.close();
});

const paidAmounts = async (): Promise<number[]> => {
  const charges = await journeys.sandbox.listCharges(newCustomer('canary.gateway').email);
  const succeeded = charges.filter(({ status }) => status === 'succeeded');
  return succeeded.map(({ amountCents }) => amountCents).toSorted((one, other) => one - other);
};
const savedCard = (page: Page, lastDigits: string) =>
  page.getByRole('region', { name: 'Saved card' }).getByText(new RegExp(`^\\W*${lastDigits}$`));
const paid = (page: Page) => page.getByRole('dialog', { name: 'Payment Successful' });

test('a blocked script: the card is entered on the gateway’s own page, and pays where its owner was', async () => {
  ({ page: customer } = await signedInPage(journeys, 'canary.gateway'));
  const page = customer;
  // As where popups are blocked.
  await page.addInitScript(() => void Object.assign(globalThis, { open: () => null }));
  await page.route('**/stripe.js', (route) => route.abort());
  await page.goto(`${proxy.url}/subscription`);
  await page.getByRole('alert').filter({ hasText: 'couldn’t be loaded' }).waitFor();
  await page.getByRole('button', { name: 'Enter the card there' }).click();
  await fillHostedPage(page, CARDS['card on the gateway’s page']);
  await page.getByText('Your card is saved.').waitFor();
  await page.getByRole('link', { name: 'Continue to payment' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/subscription');
  await page.getByRole('button', { name: 'Pay $9.99 with the card ending in 444' }).click();
  await paid(page).waitFor();
  kept.push(await readKept(page));
  expect(await paidAmounts()).toEqual([999]);
  await page.unroute('**/stripe.js');
});

test('a card that is refused, a pack, another saved card that a bank asks about', async () => {
  const page = customer;
  await page.waitForURL('**/dashboard');
  await followTo(page, '/payment/credits');
  await page.getByLabel('2,500 credits').check();
  await fillGatewayCheckout(page, { number: CARDS['card that is refused'], cvv: OTHER_CODE });
  await pay(page);
  await page.getByText('The bank declined this card.').first().waitFor();
  await fillGatewayCard(page, { number: CARDS['card that pays a pack'], cvv: CODE });
  await pay(page);
  await paid(page).waitFor();
  await page.waitForURL('**/dashboard');
  await followTo(page, '/my-billing');
  await savedCard(page, '444').waitFor();
  await page.getByRole('button', { name: 'Replace card' }).click();
  const replacing = CARDS['card that replaces the saved one, whose bank asks'];
  await fillGatewayCheckout(page, { number: replacing, cvv: OTHER_CODE });
  await page.getByRole('button', { name: 'Save card' }).press('Enter');
  await followToBank(page, 'Your bank asks you to confirm your card.');
  await page.getByRole('heading', { name: 'Confirm this card' }).waitFor();
  await answerBank(page, 'Confirm');
  await page.getByText('Your card is saved.').waitFor();
  kept.push(await readKept(page));
  expect(page.context().pages()).toEqual([page]);
  expect(await paidAmounts()).toEqual([999, 1000]);
});

test('calls that hold a card’s number and code, in body, address and header, are refused', async () => {
  const number = SENT['card in a call'];
  const [first = '', ...groups] = number.match(/.{4}/g) ?? [];
  const url = proxy.url + addSubscription.path;
  const sent = [
    { data: { ccNum: number, cvv: CODE } },
    { data: { igUsername: `${first} ${groups.join(' ')}` } },
    { data: { igUsername: 'x' }, params: { note: [first, ...groups].join('-') } },
    { data: { igUsername: number }, headers: { 'user-agent': `Card/${number}`, referer: number } },
  ];
  for (const options of sent) {
    const answer = await customer.request.post(url, options);
    expect(await answer.json()).toMatchObject({ code: 'card_not_taken' });
  }
});

const waiting = () => customer.getByRole('region', { name: 'Waiting for you' });
const askedAgain = () =>
  customer.getByRole('heading', {
    name: 'Your bank asks you to confirm $9.99 for @canary.gateway',
  });

test('a month later a plan whose bank asks each time is charged nothing without its owner: a mail and the dashboard say so, and lead to one page', async () => {
  await makeDue(database.db);
  await followTo(customer, '/dashboard');
  await askedAgain().waitFor();
  const mails = async (): Promise<string> => {
    const all = await journeys.sandbox.listMails(newCustomer('canary.gateway').email);
    return all.map(({ text }) => text).join('\n');
  };
  await expect.poll(mails).toContain('/my-billing');
  await customer.getByRole('link', { name: 'Confirm the payment' }).click();
  await waiting().getByText('Plan renewal for @canary.gateway').waitFor();
  await savedCard(customer, '184').waitFor();
  expect(await paidAmounts()).toEqual([999, 1000]);
});

test('the bank is told yes: one charge, the plan has another month, and nothing waits any more', async () => {
  await waiting().getByRole('button', { name: 'Pay $9.99' }).click();
  await followToBank(customer, 'Your bank asks you to confirm $9.99.');
  await customer.getByRole('heading', { name: 'Confirm $9.99' }).waitFor();
  await answerBank(customer, 'Confirm');
  const told = 'You paid $9.99. @canary.gateway’s plan is paid for another month.';
  await customer.getByText(told).waitFor();
  kept.push(await readKept(customer));
  expect(await paidAmounts()).toEqual([999, 999, 1000]);
  await customer.getByRole('link', { name: 'Go to the dashboard' }).click();
  await customer.locator('[data-post]').first().waitFor();
  await expect.poll(() => askedAgain().count()).toBe(0);
  await followTo(customer, '/my-billing');
  await customer.getByRole('heading', { name: 'Transaction history' }).waitFor();
  await expect.poll(() => waiting().count()).toBe(0);
});

test('no card and no code is in any address, header or body between the browser and us', () => {
  const { texts } = proxy;
  expect(texts.filter((text) => /^POST .*confirmationToken/s.test(text)).length).toBeGreaterThan(2);
  expect(scanTexts('traffic', texts, CANARIES)).toEqual([]);
  const answers = texts.filter((text) => text.startsWith('answer to'));
  const bodies = answers.map((text) => text.slice(text.indexOf('\n')));
  expect(scanTexts('answers', bodies, ALL_CANARIES)).toEqual([]);
  const ours = texts.filter((text) => !text.includes(SENT['card in a call']));
  const telling = ours.filter((text) => tellsCvv(text, CODE) || tellsCvv(text, OTHER_CODE));
  expect(telling.map((text) => text.slice(0, 200))).toEqual([]);
});

test('none is in what the browser keeps of our origin', () => {
  expect(kept).toHaveLength(3);
  for (const text of kept) {
    expect(text).toContain('canary.');
    expect(scanTexts('browser', [text], ALL_CANARIES)).toEqual([]);
    expect([tellsCvv(text, CODE), tellsCvv(text, OTHER_CODE)]).toEqual([false, false]);
  }
});

/** Where the server keeps this database, with all that has been written into it. */
async function filesOf(db: Db): Promise<string> {
  await sql`checkpoint`.execute(db);
  const { rows } = await sql<{ path: string }>`
    select current_setting('data_directory') || '/base/' || oid as path
    from pg_database where datname = current_database()`.execute(db);
  return String(rows[0]?.path);
}

test('none is in our log, our files or any row', async () => {
  await product.end();
  const log = product.processes['start']?.output() ?? '';
  expect(log).toContain('"event":"request"');
  expect(scanTexts('log', [log], ALL_CANARIES)).toEqual([]);
  expect([tellsCvv(log, CODE), tellsCvv(log, OTHER_CODE)]).toEqual([false, false]);
  const { db } = database;
  const path = await filesOf(db);
  expect(await scanDirectory(path, { name: 'canary.gateway' })).not.toEqual([]);
  const files = [
    ...(await scanDirectory(product.directory, ALL_CANARIES)),
    ...(await scanDirectory(path, ALL_CANARIES)),
  ];
  // The gateway's own, which the sandbox plays, is not ours.
  expect(files.filter(({ subject }) => !/sandbox\.db/.test(subject))).toEqual([]);
  const rows = await scanDatabase(db, ALL_CANARIES);
  const likely = await scanForCards(db);
  const tables = [...(await tablesWithCvv(db, CODE)), ...(await tablesWithCvv(db, OTHER_CODE))];
  expect({ rows, likely, tables }).toEqual({ rows: [], likely: [], tables: [] });
});

test('a card that went over the wire would be found', () => {
  const number = CARDS['card that pays a pack'];
  const planted = [`POST /user/x\n{}\nccNum=${number}&cvv=${OTHER_CODE}`];
  expect(scanTexts('traffic', planted, CANARIES)).toHaveLength(1);
  expect(planted.filter((text) => tellsCvv(text, OTHER_CODE))).toHaveLength(1);
});
