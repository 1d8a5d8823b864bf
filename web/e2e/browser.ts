import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * A real Chromium, first found: BROWSER_PATH, one that is installed, the one inside an npm package.
 * Background networking is off: a test browser has nobody to report to. Service workers are blocked
 * unless a test is about them: behind one, `page.route` doesn't see what a page asks for.
 */
export async function launchBrowser(
  more: readonly string[] = [],
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<Browser> {
  const executablePath =
    process.env['BROWSER_PATH'] ??
    INSTALLED.find((path) => existsSync(path)) ??
    (await sparticuz.executablePath());
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-quic',
      ...more,
    ],
  });
  const open = browser.newContext.bind(browser);
  browser.newContext = (options) => open({ serviceWorkers, ...options });
  return browser;
}
