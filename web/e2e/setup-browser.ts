import { findBrowser } from './browser.ts';

/** Before the first test: those that begin at once would each unpack a browser, of 200 MB. */
export async function setup(): Promise<void> {
  await findBrowser();
}
