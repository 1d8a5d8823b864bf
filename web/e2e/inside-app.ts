import type { Page } from 'playwright-core';

/** An address without a page: all of a customer’s pages go with what they had open and what they knew. */
const NOWHERE = '/nothing-here';

const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

/** Opens an address in an app that is loaded, as a link does, with nothing left of the page before. */
export async function openInside(page: Page, path: string): Promise<void> {
  const nowhere = page.getByText('There’s no page at this address.');
  await goTo(page, NOWHERE);
  await nowhere.waitFor();
  await goTo(page, path);
  await nowhere.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
}

/** Opens the page that is there once more: it asks the server and reads the browser’s copy anew. */
export async function openAnew(page: Page): Promise<void> {
  await openInside(page, await page.evaluate(() => location.pathname + location.search));
}
