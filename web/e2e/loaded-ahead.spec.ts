import { expect, test } from 'vitest';
import { shareProduct } from './share-product.ts';

const shared = shareProduct({ serviceWorkers: 'allow' });

test('a page that the service worker answers loads no script ahead, and the console says nothing', async () => {
  const page = await shared.browser.newPage();
  shared.pages.push(page);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const open = async (path: string): Promise<number> => {
    await page.goto(`${shared.product.url}${path}`);
    await page.getByLabel('Email').waitFor();
    return page.locator('head > link[rel="modulepreload"]').count();
  };
  expect(await open('/login')).toBeGreaterThan(0);
  await page.evaluate(() => navigator.serviceWorker.ready);
  for (const path of ['/login', '/signup', '/login', '/signup']) {
    await open(path);
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  }
  expect(said).toEqual([]);
});
