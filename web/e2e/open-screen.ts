import type { Page } from 'playwright-core';

/** Opens an address of the app that this page has open; it is loaded anew, with nothing left of the page before. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
}

/** Goes from page to page as links within the app do: the app stays, each page begins anew. */
export async function followTo(page: Page, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.evaluate((to) => {
      for (const title of document.querySelectorAll('h1')) title.setAttribute('data-left', '');
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await page.locator('h1:not([data-left])').first().waitFor({ state: 'attached' });
  }
}

/** Opens the page that is there once more: it asks the server and reads the browser’s copy anew. */
export async function openAnew(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
}
