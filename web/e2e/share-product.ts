import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { describePages } from './failed-pages.ts';
import { launchBrowser, ONE_THREAD, presetContexts } from './browser.ts';
import type { Product, StartedProduct, StartFrom } from './product.ts';
import { type CardEntry, findProduct, leaveProduct, type RunsProduct } from './products-for-run.ts';
import { sandboxControl } from './sandbox-control.ts';
import type { Journeys } from './subscriber.ts';

/** A product and a browser for all tests of a file. They are there when its first hook runs. */
export interface SharedProduct<Known extends Product> extends Journeys {
  readonly product: Known;
  /** Pages of the test that runs; afterwards they are closed, with all that was open beside them. */
  readonly pages: Page[];
}

interface Options {
  serviceWorkers?: 'allow' | 'block';
}

/**
 * The product that all files of a run share, also at the same time: customers and network accounts are named as
 * in no other file, and nothing is counted or changed but what is theirs.
 * The pages that a test named end with that test.
 */
export function shareProduct({
  cardEntry = 'form',
  ...options
}: Options & { cardEntry?: CardEntry } = {}): SharedProduct<RunsProduct> {
  return share(
    async () => ({
      product: await findProduct(inject('productsUrl'), cardEntry),
      stop: () => leaveProduct(inject('productsUrl'), cardEntry),
    }),
    options,
  );
}

/** The same with a product of the file's own, for tests that end its processes or look behind it. */
export function ownProduct<Started extends StartedProduct>(
  start: (from: StartFrom) => Promise<Started>,
  options: Options = {},
): SharedProduct<Started> {
  return share(async () => {
    const product = await start(inject('startFrom'));
    return { product, stop: () => product.stop() };
  }, options);
}

interface Running<Known extends Product> {
  product: Known;
  stop: () => Promise<void>;
}

function share<Known extends Product>(
  find: () => Promise<Running<Known>>,
  { serviceWorkers = 'block' }: Options,
): SharedProduct<Known> {
  let running: (Running<Known> & { browser: Browser }) | undefined;
  const pages: Page[] = [];
  const started = (): Running<Known> & { browser: Browser } => {
    if (!running) throw new Error('The product runs from the first test to the last one');
    return running;
  };
  const shared: SharedProduct<Known> = {
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
    const [found, browser] = await Promise.all([find(), workersBrowser({ serviceWorkers })]);
    running = { ...found, browser };
  });
  afterEach(async ({ task }) => {
    if (running && task.result?.state === 'fail') {
      process.stderr.write(
        `\n“${task.name}” failed. Its pages:\n${await describePages(running.browser)}\n`,
      );
    }
    for (const page of pages.splice(0)) await page.context().close();
  });
  afterAll(async () => {
    for (const context of running?.browser.contexts() ?? []) await context.close();
    await running?.stop();
  });
  return shared;
}

/** One Chromium for all files of a worker, which ends with it; another one where a test has ended it. */
const launched: { browser?: Promise<Browser> } = {};

export async function workersBrowser(options: Options = {}): Promise<Browser> {
  const known = await launched.browser;
  const running = known?.isConnected()
    ? Promise.resolve(known)
    : launchBrowser({ arguments: ONE_THREAD });
  launched.browser = running;
  const browser = await running;
  presetContexts(browser, options);
  return browser;
}
