import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { patiently } from '#test/patience.ts';
import { bundled } from '#test/processes/bundled.ts';
import { SHORT_LIVED } from '#test/processes/process.ts';
import { fillCheckout, newCustomer, pay, signUp } from './customer.ts';
import { middayZone } from './midday-zone.ts';
import { upload } from './network-page.ts';
import { startEmbedded, startOnPostgres } from './product.ts';
import { makeJpeg } from './real-files.ts';
import { ownProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const DETECTION_MS = 30_000;
const DELIVERY_MS = 120_000;
const PLAN_LIKES = 50;
const VIDEO = join(import.meta.dirname, '../../server/sandbox/pictures/film.webm');

const oneProcess = ownProduct(async ({ directory }) => {
  const command = [await bundled('server/src/main/start.ts')] as const;
  return startEmbedded(directory, 'off', { command, nodeArguments: SHORT_LIVED });
});
const onPostgres = ownProduct(({ postgresUrl }) => startOnPostgres(postgresUrl));
const ALONE = 'one.process';
let alone: Page;
let aloneId: string;

const cardOn = (page: Page, postId: string): Locator => page.locator(`[data-post="${postId}"]`);

/** Opens the receipt of a finished post; gives what it says beside a label. */
async function readReceipt(
  page: Page,
  postId: string,
): Promise<(label: string) => Promise<string>> {
  await cardOn(page, postId).getByRole('link').click();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await receipt.getByText('Finished').waitFor();
  return (label) => receipt.locator(`dt:text-is("${label}") + dd`).innerText();
}

const secondsToDetect = async (read: (label: string) => Promise<string>): Promise<number> =>
  Number(/\((\d+) s after/.exec(await read('Detected'))?.[1]);

/** One process does it all by itself while the other shape is looked at. */
beforeAll(async () => {
  ({ page: alone } = await subscribedPage(oneProcess, ALONE));
  const file = { name: 'first.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(1) };
  const posts = `${oneProcess.product.sandboxUrl}/control/accounts/${ALONE}/posts`;
  const shared = await alone.request.post(posts, { multipart: { file } });
  aloneId = ((await shared.json()) as { id: string }).id;
});

describe('a picture goes up, likes arrive: serve and a worker on Postgres', () => {
  const customer = newCustomer('ada.pictures');
  const { igUsername } = customer;
  let page: Page;
  let network: Page;
  let ids: { picture: string; video: string };

  beforeAll(async () => {
    await onPostgres.sandbox.createAccount({ username: igUsername, posts: 3 });
    const context = await onPostgres.browser.newContext({
      timezoneId: middayZone(),
      viewport: { width: 1440, height: 900 },
      // It stands open for a minute, and what moves there is nobody's question.
      reducedMotion: 'reduce',
    });
    [page, network] = [await context.newPage(), await context.newPage()];
  });

  const card = (postId: string): Locator => cardOn(page, postId);

  /** Uploads through the network's own page; gives the post's id. */
  async function share(file: { name: string; mimeType: string; buffer: Buffer }): Promise<string> {
    await upload(network, onPostgres.product.sandboxUrl, igUsername, file);
    const newest = (await onPostgres.sandbox.listPosts(igUsername))[0];
    if (!newest) throw new Error('The upload is not on the network.');
    return newest.id;
  }

  // Shows facts 1.01, 5.18.
  test('a customer signs up and pays once', async () => {
    await signUp(page, onPostgres.product.url, customer);
    await page.getByText('Successfully Registered').waitFor();
    await page.waitForURL('**/subscription');
    await fillCheckout(page, { number: '4242 4242 4242 4242' });
    await pay(page);
    await page.getByText('Payment Successful').waitFor();
    await page.waitForURL('**/dashboard');
    expect(await onPostgres.sandbox.listCharges(customer.email)).toContainEqual(
      expect.objectContaining({ amountCents: 999, status: 'succeeded' }),
    );
  });

  // Shows fact 1.14.
  test('the posts that were there before are shown and get nothing', async () => {
    const old = await onPostgres.sandbox.listPosts(igUsername);
    expect(old).toHaveLength(3);
    for (const { id } of old) await card(id).waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  });

  // Shows facts 1.03, 1.04.
  test('an uploaded picture stands on the dashboard within 30 s', async () => {
    // Both go up before either is waited for.
    const video = { name: 'first.webm', mimeType: 'video/webm', buffer: await readFile(VIDEO) };
    const picture = { name: 'second.jpg', mimeType: 'image/jpeg', buffer: await makeJpeg(1) };
    ids = { video: await share(video), picture: await share(picture) };
    await network.close();
    await card(ids.picture).waitFor({ timeout: patiently(DETECTION_MS) });
    const image = card(ids.picture).getByRole('img').first();
    await expect
      .poll(() => image.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth > 0))
      .toBe(true);
  });

  // Shows fact 1.13.
  test('a video stands there too', async () => {
    await card(ids.video).waitFor({ timeout: patiently(DETECTION_MS) });
    expect(ids.video).not.toBe(ids.picture);
  });

  // Shows fact 1.06.
  test('the likes climb to the plan’s amount, each from another member, views as many on the video', async () => {
    for (const id of [ids.picture, ids.video]) {
      await card(id)
        .getByText('Completed')
        .waitFor({ timeout: patiently(DELIVERY_MS) });
      const book = await onPostgres.sandbox.readPost(id);
      expect(book.memberLikes).toBeGreaterThanOrEqual(PLAN_LIKES);
      expect(book.memberLikes).toBeLessThanOrEqual(PLAN_LIKES * 1.1);
      expect(book.distinctMembers).toBe(book.memberLikes);
      await card(id).getByText(`${book.memberLikes} delivered`).waitFor();
    }
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  });

  // Shows fact 1.07.
  test('the receipt has all its times, and its counts are those of the member network’s book', async () => {
    const book = await onPostgres.sandbox.readPost(ids.picture);
    const read = await readReceipt(page, ids.picture);
    for (const label of ['Posted', 'Detected', 'Started', 'Finished']) {
      expect(await read(label)).toMatch(/\w+ \d{1,2}, \d{4}.*\d{1,2}:\d{2}:\d{2}/);
    }
    expect(await secondsToDetect(read)).toBeLessThanOrEqual(patiently(DETECTION_MS) / 1000);
    expect(await read('Likes ordered')).toBe(String(PLAN_LIKES));
    expect(Number(await read('Delivered'))).toBe(book.memberLikes);
    expect(Number(await read('Bonus'))).toBe(book.memberLikes - PLAN_LIKES);
    expect(await read('Remains')).toBe('0');
  });

  // Shows fact 1.09.
  test('a video gets as many views as likes', async () => {
    const book = await onPostgres.sandbox.readPost(ids.video);
    const read = await readReceipt(page, ids.video);
    expect(await read('Views')).toBe(`${book.memberLikes} of ${book.memberLikes}`);
    expect(book.views).toBeGreaterThanOrEqual(book.memberLikes);
  });
});

test('one process on the embedded database has found an uploaded picture within 30 s, and gets it its likes', async () => {
  await alone.goto(`${oneProcess.product.url}/dashboard`);
  await cardOn(alone, aloneId)
    .getByText('Completed')
    .waitFor({ timeout: patiently(DELIVERY_MS) });
  const read = await readReceipt(alone, aloneId);
  expect(await secondsToDetect(read)).toBeLessThanOrEqual(patiently(DETECTION_MS) / 1000);
  const book = await oneProcess.sandbox.readPost(aloneId);
  expect(book.memberLikes).toBeGreaterThanOrEqual(PLAN_LIKES);
  expect(book.distinctMembers).toBe(book.memberLikes);
});
