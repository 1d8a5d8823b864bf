import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../web/e2e/browser.ts';
import { fillCheckout, newCustomer, pay, signUp } from '../../web/e2e/customer.ts';
import { type Product, startEmbedded } from '../../web/e2e/product.ts';
import { sandboxControl } from '../../web/e2e/sandbox-control.ts';
import { buildDesktop, type BundleServer, serveBundle } from './bundle-server.ts';

const customer = newCustomer('desk.top');

let product: Product;
let bundle: BundleServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [product, browser] = await Promise.all([startEmbedded(), launchBrowser()]);
  await buildDesktop();
  bundle = await serveBundle(product.url);
  await sandboxControl(product.sandboxUrl).createAccount({
    username: customer.igUsername,
    posts: 3,
  });
  context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  // The part of the shell a page sees, without Electron around it.
  await context.addInitScript(() => {
    const asked: unknown[] = [];
    const listeners: Array<(detail: unknown) => void> = [];
    Object.assign(globalThis, {
      asked,
      tellCommand: (detail: unknown) => listeners.forEach((listener) => listener(detail)),
      ovationShell: {
        version: '9.9.9',
        hasServer: true,
        request: async (name: string, ...args: unknown[]) => void asked.push([name, ...args]),
        on: (name: string, listener: (detail: unknown) => void) => {
          if (name === 'command') listeners.push(listener);
          return () => undefined;
        },
      },
    });
  });
  page = await context.newPage();
});
afterAll(async () => {
  await browser.close();
  await bundle.stop();
  await product.stop();
});

test('a customer signs up, pays and sees the posts through the handler', async () => {
  await signUp(page, bundle.url, customer);
  await page.waitForURL('**/subscription');
  await fillCheckout(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await page.waitForURL('**/dashboard');
  await expect.poll(() => page.locator('[data-post]').count()).toBe(3);
});

test('the session is visible nowhere in the page', async () => {
  const token = /ovation=([\w.%-]+)/.exec(bundle.sentHeaders.join('\n'));
  expect(token).toBeNull();
  expect(bundle.sentHeaders.some((header) => header.startsWith('set-cookie'))).toBe(false);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('a page that asks for another host is refused', async () => {
  const outcome = await page.evaluate(async (other) => {
    try {
      await fetch(`${other}/user/about`);
      return 'reached';
    } catch {
      return 'refused';
    }
  }, product.url);
  expect(outcome).toBe('refused');
});

test('a wish of the shell opens its screen, and the palette opens on a key', async () => {
  await page.evaluate(() => {
    const { tellCommand } = globalThis as unknown as { tellCommand: (wish: unknown) => void };
    tellCommand({ kind: 'palette' });
  });
  await page.getByLabel('Find a command').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByLabel('Find a command').count()).toBe(0);
});

test('with the server gone the posts are still there after a start', async () => {
  await product.stop();
  await page.goto(`${bundle.url}/dashboard`);
  await expect.poll(() => page.locator('[data-post]').count()).toBe(3);
});
