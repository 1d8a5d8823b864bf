import type { BrowserContext, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { patiently } from '#test/patience.ts';
import { fillCheckout, newCustomer, pay, signUp } from './customer.ts';
import { middayZone } from './midday-zone.ts';
import { upload } from './network-page.ts';
import type { Product } from './product.ts';
import { makeJpeg, recordVideo } from './real-files.ts';
import type { SandboxControl } from './sandbox-control.ts';
import type { SharedProduct } from './share-product.ts';

const DETECTION_MS = 30_000;
const DELIVERY_MS = 120_000;
const PLAN_LIKES = 50;

/** The main job, seen in a real browser with real files, on one shape of the product. */
export function describeMainJob(shape: string, share: () => SharedProduct<Product>): void {
  describe(`a picture goes up, likes arrive: ${shape}`, () => {
    mainJob(share());
  });
}

function mainJob(shared: SharedProduct<Product>): void {
  let product: Product;
  let sandbox: SandboxControl;
  let context: BrowserContext;
  let page: Page;
  let network: Page;
  const customer = newCustomer('ada.pictures');

  beforeAll(async () => {
    ({ product, sandbox } = shared);
    await sandbox.createAccount({ username: customer.igUsername, posts: 3 });
    context = await shared.browser.newContext({
      timezoneId: middayZone(),
      viewport: { width: 1440, height: 900 },
    });
    [page, network] = [await context.newPage(), await context.newPage()];
  });

  const share = async (name: string, file: Buffer, mimeType = 'image/jpeg'): Promise<string> => {
    await upload(network, product.sandboxUrl, customer.igUsername, {
      name,
      mimeType,
      buffer: file,
    });
    const newest = (await sandbox.listPosts(customer.igUsername))[0];
    if (!newest) throw new Error('The upload is not on the network.');
    return newest.id;
  };
  const card = (postId: string): Locator => page.locator(`[data-post="${postId}"]`);

  // Shows facts 1.01, 5.18.
  test('a customer signs up and pays once', async () => {
    await signUp(page, product.url, customer);
    await page.getByText('Successfully Registered').waitFor();
    await page.waitForURL('**/subscription');
    await fillCheckout(page, { number: '4242 4242 4242 4242' });
    await pay(page);
    await page.getByText('Payment Successful').waitFor();
    await page.waitForURL('**/dashboard');
    expect(await sandbox.listCharges()).toContainEqual(
      expect.objectContaining({ amountCents: 999, status: 'succeeded' }),
    );
  });

  // Shows fact 1.14.
  test('the posts that were there before are shown and get nothing', async () => {
    const old = await sandbox.listPosts(customer.igUsername);
    expect(old).toHaveLength(3);
    for (const { id } of old) await card(id).waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  });

  const ids: string[] = [];

  // Shows facts 1.03, 1.04.
  test('an uploaded picture stands on the dashboard within 30 s', async () => {
    ids.push(await share('first.jpg', await makeJpeg(1)));
    await card(ids[0] ?? '').waitFor({ timeout: patiently(DETECTION_MS) });
    const picture = card(ids[0] ?? '')
      .getByRole('img')
      .first();
    await expect
      .poll(() =>
        picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth > 0),
      )
      .toBe(true);
  });

  // Shows fact 1.13.
  test('a video stands there too', async () => {
    ids.push(await share('second.webm', await recordVideo(page), 'video/webm'));
    await card(ids[1] ?? '').waitFor({ timeout: patiently(DETECTION_MS) });
    expect(ids).toHaveLength(2);
  });

  // Shows fact 1.06.
  test('the likes climb to the plan’s amount, each from another member, views as many on the video', async () => {
    for (const id of ids) {
      await card(id)
        .getByText('Completed')
        .waitFor({ timeout: patiently(DELIVERY_MS) });
      const book = await sandbox.readPost(id);
      expect(book.memberLikes).toBeGreaterThanOrEqual(PLAN_LIKES);
      expect(book.memberLikes).toBeLessThanOrEqual(PLAN_LIKES * 1.1);
      expect(book.distinctMembers).toBe(book.memberLikes);
      await card(id).getByText(`${book.memberLikes} delivered`).waitFor();
    }
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  });

  const readReceipt = async (postId: string): Promise<(label: string) => Promise<string>> => {
    await card(postId).getByRole('link').click();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await receipt.getByText('Finished').waitFor();
    return (label) => receipt.locator(`dt:text-is("${label}") + dd`).innerText();
  };

  // Shows fact 1.07.
  test('the receipt has all its times, and its counts are those of the member network’s book', async () => {
    const book = await sandbox.readPost(ids[0] ?? '');
    const read = await readReceipt(ids[0] ?? '');
    for (const label of ['Posted', 'Detected', 'Started', 'Finished']) {
      expect(await read(label)).toMatch(/\w+ \d{1,2}, \d{4}.*\d{1,2}:\d{2}:\d{2}/);
    }
    expect(Number(/\((\d+) s after/.exec(await read('Detected'))?.[1])).toBeLessThanOrEqual(30);
    expect(await read('Likes ordered')).toBe(String(PLAN_LIKES));
    expect(Number(await read('Delivered'))).toBe(book.memberLikes);
    expect(Number(await read('Bonus'))).toBe(book.memberLikes - PLAN_LIKES);
    expect(await read('Remains')).toBe('0');
  });

  // Shows fact 1.09.
  test('a video gets as many views as likes', async () => {
    const book = await sandbox.readPost(ids[1] ?? '');
    const read = await readReceipt(ids[1] ?? '');
    expect(await read('Views')).toBe(`${book.memberLikes} of ${book.memberLikes}`);
    expect(book.views).toBeGreaterThanOrEqual(book.memberLikes);
  });
}
