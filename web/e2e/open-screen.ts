import type { Page } from 'playwright-core';

/** Opens an address of the app that this page has open; it is loaded anew, with nothing left of the page before. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
}

/** Where nobody asks the server for more than a page of the app begins with. */
const BETWEEN = ['/help', '/my-alerts', '/my-team'];

/**
 * Goes to a page of the customer’s app that is open, as a link within the app does, from another page: the app
 * stays, and the page begins anew. Costs a quarter of loading it.
 */
export async function followTo(page: Page, path: string): Promise<void> {
  await leave(page, path);
  await goWithin(page, path);
}

/** Goes to a page that isn’t the one of this address, so that nothing stays of the one that is there. */
export async function leave(page: Page, path = ''): Promise<void> {
  const known = [page.url(), path].map((url) => new URL(url, page.url()).pathname);
  const between = BETWEEN.find((other) => !known.includes(other));
  if (between !== undefined) await goWithin(page, between);
}

/** Goes to another page than the one that is there. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    for (const title of document.querySelectorAll('h1')) title.setAttribute('data-left', '');
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.locator('h1:not([data-left])').first().waitFor({ state: 'attached' });
}

/** Opens the page that is there once more: it asks the server and reads the browser’s replica anew. */
export async function openAnew(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
}
