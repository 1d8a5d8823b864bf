import type { Browser, Page } from 'playwright-core';

/** Longer ones hide the failure itself. */
const MOST_LINES = 80;

/** What every open page shows, as a screen reader would read it: for the report of a test that failed. */
export async function describePages(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const said = await Promise.all(pages.map(describePage));
  return said.join('\n\n');
}

async function describePage(page: Page): Promise<string> {
  try {
    const lines = (await page.locator('body').ariaSnapshot()).split('\n');
    const left = lines.length - MOST_LINES;
    const shown = lines.slice(0, MOST_LINES).join('\n');
    return `${page.url()}\n${shown}${left > 0 ? `\n… and ${left} more lines` : ''}`;
  } catch (error) {
    return `${page.url()} can’t be read: ${String(error)}`;
  }
}
