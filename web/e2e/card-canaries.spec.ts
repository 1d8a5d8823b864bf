import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openEmbedded } from '#server/kit/db/embedded.ts';
import {
  allSpellings,
  scanDatabase,
  scanDirectory,
  scanTexts,
  tablesWithCvv,
  tellsCvv,
} from '#server/ops/invariants/canaries.ts';
import { freePort } from '#test/free-port.ts';
import { answerBank, fillGatewayCheckout, payUntilBank } from './bank-customer.ts';
import { pay } from './customer.ts';
import { launchBrowser } from './browser.ts';
import { type EmbeddedProduct, findPorts, startEmbedded } from './product.ts';
import { type RecordingProxy, recordTraffic } from './recording-proxy.ts';
import { sandboxControl } from './sandbox-control.ts';
import { type Journeys, signedInPage } from './subscriber.ts';

/**
 * Where cards are entered in the gateway's own fields, no digit run of a card and no security code comes near us:
 * not over the wire, and not into logs, database, or what the browser keeps of our origin.
 */
const CARDS = {
  'card that pays': '378282246310005',
  'card whose bank asks': '4000002760003184',
  'card that is refused': '4000000000000002',
};
/** Four digits, as that card has, can be searched for alone; three only under their name. */
const CODE = '7391';
const OTHER_CODE = '739';
const CANARIES = allSpellings(CARDS);

let proxy: RecordingProxy;
let product: EmbeddedProduct;
let browser: Browser;
let journeys: Journeys;
const kept: string[] = [];

beforeAll(async () => {
  const [ports, port] = [await findPorts(), await freePort()];
  proxy = await recordTraffic(port, ports[0]);
  const settings = { CARD_ENTRY: 'gateway', PUBLIC_URL: proxy.url, LOG_LEVEL: 'debug' };
  [product, browser] = await Promise.all([
    startEmbedded(inject('startedDirectory'), 'off', { ports, settings }),
    launchBrowser({ serviceWorkers: 'allow' }),
  ]);
  const { sandboxUrl } = product;
  journeys = {
    browser,
    product: { url: proxy.url, sandboxUrl },
    sandbox: sandboxControl(sandboxUrl),
  };
});
afterAll(async () => {
  await browser.close();
  await proxy.stop();
  await product.stop();
});

/** What the browser keeps of our origin: both storages, every row of every database, every cached answer. */
const readKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const done = <T>(asked: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        asked.addEventListener('success', () => resolve(asked.result));
        asked.addEventListener('error', () => reject(asked.error ?? new Error('unread')));
      });
    const storages = [localStorage, sessionStorage];
    const texts = storages.map((storage) => JSON.stringify(Object.entries(storage)));
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        texts.push(store, JSON.stringify(await done(rows.getAll())));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const asked of await cache.keys()) {
        texts.push(asked.url, (await (await cache.match(asked))?.text()) ?? '');
      }
    }
    return texts.join('\n');
  });

test('a plan, refused and then paid, credits that a bank asks about: the pages do what they do', async () => {
  const { page } = await signedInPage(journeys, 'canary.gateway');
  await page.goto(`${proxy.url}/subscription`);
  await fillGatewayCheckout(page, { number: CARDS['card that is refused'], cvv: OTHER_CODE });
  await pay(page);
  await page.getByText('The bank declined this card.').first().waitFor();
  await page.reload();
  await fillGatewayCheckout(page, { number: CARDS['card that pays'], cvv: CODE });
  await pay(page);
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  await page.goto(`${proxy.url}/payment/credits`);
  await page.getByLabel('2,500 credits').check();
  await fillGatewayCheckout(page, { number: CARDS['card whose bank asks'], cvv: OTHER_CODE });
  await payUntilBank(page, '$10.00');
  await answerBank(page, 'Confirm');
  const paid = page.getByRole('dialog', { name: 'Payment Successful' });
  await paid.getByText('2,500 credits', { exact: true }).waitFor();
  kept.push(await readKept(page));
  const charges = await journeys.sandbox.listCharges();
  expect(charges.filter(({ status }) => status === 'succeeded')).toHaveLength(2);
});

test('no card and no code is in any address, header or body between the browser and us', () => {
  const { texts } = proxy;
  expect(texts.filter((text) => /^POST .*confirmationToken/s.test(text)).length).toBeGreaterThan(1);
  expect(scanTexts('traffic', texts, CANARIES)).toEqual([]);
  const telling = texts.filter((text) => tellsCvv(text, CODE) || tellsCvv(text, OTHER_CODE));
  expect(telling.map((text) => text.slice(0, 200))).toEqual([]);
});

test('none is in what the browser keeps of our origin', () => {
  const [text = ''] = kept;
  expect(text).toContain('canary.gateway');
  expect(scanTexts('browser', kept, CANARIES)).toEqual([]);
  expect([tellsCvv(text, CODE), tellsCvv(text, OTHER_CODE)]).toEqual([false, false]);
});

test('none is in our log, our files or any row', async () => {
  await product.end();
  const log = product.processes['start']?.output() ?? '';
  expect(log).toContain('"event":"request"');
  expect(scanTexts('log', [log], CANARIES)).toEqual([]);
  expect([tellsCvv(log, CODE), tellsCvv(log, OTHER_CODE)]).toEqual([false, false]);
  const files = await scanDirectory(product.directory, CANARIES);
  // The gateway's own, which the sandbox plays, is not ours.
  expect(files.filter(({ subject }) => !/sandbox\.db/.test(subject))).toEqual([]);
  const database = await openEmbedded({ directory: product.directory });
  const rows = await scanDatabase(database.db, CANARIES);
  const tables = [
    ...(await tablesWithCvv(database.db, CODE)),
    ...(await tablesWithCvv(database.db, OTHER_CODE)),
  ];
  await database.close();
  expect({ rows, tables }).toEqual({ rows: [], tables: [] });
});

test('a card that went over the wire would be found', () => {
  const planted = [`POST /user/x\n{}\nccNum=${CARDS['card that pays']}&cvv=${OTHER_CODE}`];
  expect(scanTexts('traffic', planted, CANARIES)).toHaveLength(1);
  expect(planted.filter((text) => tellsCvv(text, OTHER_CODE))).toHaveLength(1);
});
