import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import type { Product } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import type { Journeys } from './subscriber.ts';

/** One product and one browser for all tests of a file. They are there when the first one runs. */
export interface SharedProduct<Started extends Product> extends Journeys {
  readonly product: Started;
  /** Pages of the test that runs; afterwards they are closed, with all that was open beside them. */
  readonly pages: Page[];
}

/**
 * Starts the product once before the tests of the file that calls this and stops it after them. It has
 * started before, on a directory that is copied.
 * Faults that a test has set in the outside world, and the pages it named, end with that test.
 */
export function shareProduct<Started extends Product>(
  start: (from?: string) => Promise<Started>,
): SharedProduct<Started> {
  let running: { product: Started; browser: Browser } | undefined;
  const pages: Page[] = [];
  const started = (): { product: Started; browser: Browser } => {
    if (!running) throw new Error('The product runs from the first test to the last one');
    return running;
  };
  const shared: SharedProduct<Started> = {
    pages,
    get product() {
      return started().product;
    },
    get browser() {
      return started().browser;
    },
    get sandbox() {
      return sandboxControl(started().product.sandboxUrl);
    },
  };
  beforeAll(async () => {
    const [product, browser] = await Promise.all([
      start(inject('startedDirectory')),
      launchBrowser(),
    ]);
    running = { product, browser };
  });
  afterEach(async () => {
    await shared.sandbox.clearFaults();
    for (const page of pages.splice(0)) await page.context().close();
  });
  afterAll(async () => {
    await running?.browser.close();
    await running?.product.stop();
  });
  return shared;
}
