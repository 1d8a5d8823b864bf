import { existsSync } from 'node:fs';
import { type APIRequestContext, type Browser, chromium } from 'playwright-core';
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

/** Where a real Chromium is, first found: BROWSER_PATH, one that is installed, the one inside an npm package. */
export async function findBrowser(): Promise<string> {
  return (
    process.env['BROWSER_PATH'] ?? INSTALLED.find((path) => existsSync(path)) ?? unpackBrowser()
  );
}

/**
 * A real Chromium. Service workers are blocked unless a test is about them: behind one, `page.route` doesn't see what a page asks for.
 */
export async function launchBrowser(
  more: readonly string[] = [],
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    headless: true,
    args: [...BROWSER_ARGUMENTS, ...more],
  });
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open({ serviceWorkers, ...options });
    sendAgain(context.request);
    return context;
  };
  return browser;
}

/** The server may close a kept connection just as it is used again, before it has read anything. */
function sendAgain(request: APIRequestContext): void {
  const post = request.post.bind(request);
  request.post = (url, options) => post(url, { maxRetries: 2, ...options });
}
