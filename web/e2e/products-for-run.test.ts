import { afterEach, expect, test } from 'vitest';
import type { SingleProduct } from './product.ts';
import { findProduct, leaveProduct, serveProducts } from './products-for-run.ts';

/** Those that were started, and are stopped once nobody uses them. */
const started: Array<{ url: string; isStopped: boolean }> = [];
let served: Awaited<ReturnType<typeof serveProducts>>;

async function serve(restMs: number): Promise<void> {
  started.length = 0;
  served = await serveProducts(async (cardEntry) => {
    const product = { url: `http://${cardEntry}.${started.length}`, isStopped: false };
    started.push(product);
    const stop = async (): Promise<void> => {
      product.isStopped = true;
    };
    return { url: product.url, sandboxUrl: '', directory: '', stop } as SingleProduct;
  }, restMs);
}
afterEach(() => served.stop());

const FOR_EVER = 2 ** 31 - 1;

test('files share a product for each way of entering a card; the next file finds it before it has rested', async () => {
  await serve(FOR_EVER);
  const first = await Promise.all([
    findProduct(served.url, 'form'),
    findProduct(served.url, 'form'),
    findProduct(served.url, 'gateway'),
  ]);
  expect(first.map(({ url }) => url)).toEqual([
    'http://form.0',
    'http://form.0',
    'http://gateway.1',
  ]);
  await leaveProduct(served.url, 'form');
  await leaveProduct(served.url, 'form');
  expect((await findProduct(served.url, 'form')).url).toBe('http://form.0');
  await served.stop();
  expect(started.map(({ isStopped }) => isStopped)).toEqual([true, true]);
});

test('a product ends once the last file has left it, and the next file gets another one', async () => {
  await serve(0);
  await findProduct(served.url, 'form');
  await findProduct(served.url, 'form');
  await leaveProduct(served.url, 'form');
  await findProduct(served.url, 'gateway');
  await leaveProduct(served.url, 'gateway');
  await expect.poll(() => started[1]?.isStopped).toBe(true);
  expect(started[0]?.isStopped).toBe(false);
  await leaveProduct(served.url, 'form');
  await expect.poll(() => started[0]?.isStopped).toBe(true);
  expect((await findProduct(served.url, 'form')).url).toBe('http://form.2');
});
