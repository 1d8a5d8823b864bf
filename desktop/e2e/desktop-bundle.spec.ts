import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fillCheckout, logIn, newCustomer, pay, signUp } from '../../web/e2e/customer.ts';
import { type FrontServer, serveInFront } from '../../web/e2e/front-server.ts';
import { followTo } from '../../web/e2e/open-screen.ts';
import type { Product } from '../../web/e2e/product.ts';
import { queueLikes } from '../../web/e2e/queue-likes.ts';
import { shareProduct } from '../../web/e2e/share-product.ts';
import { sandboxControl } from '../../web/e2e/sandbox-control.ts';
import { CARD } from '../../web/e2e/subscriber.ts';
import { checkBuilt } from '../testing/built.ts';
import { type BundleServer, serveBundle } from './bundle-server.ts';
import { askEveryWay, startOpenHost } from './open-host.ts';
import { readableByPage } from './readable-by-page.ts';

const customer = newCustomer('desk.top');

const shared = shareProduct();
let product: Product;
let front: FrontServer;
let bundle: BundleServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the system keeps of the app, and whether it lets itself be told. */
const system = { startsAtLogin: false, answers: 'allowed' as 'allowed' | 'forbidden' | 'broken' };

beforeAll(async () => {
  ({ product, browser } = shared);
  front = await serveInFront(product.url);
  bundle = await serveBundle(front.url);
  await sandboxControl(product.sandboxUrl).createAccount({
    username: customer.igUsername,
    posts: 3,
  });
  context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  await context.exposeFunction('askSystem', (wanted?: boolean) => {
    if (system.answers === 'broken') throw new Error('The system does not answer');
    if (wanted !== undefined && system.answers === 'allowed') system.startsAtLogin = wanted;
    return system.startsAtLogin;
  });
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
        request: async (name: string, ...args: unknown[]) => {
          asked.push([name, ...args]);
          if (name === 'readProblems') return [];
          if (!name.endsWith('StartAtLogin')) return undefined;
          const { askSystem } = globalThis as unknown as {
            askSystem: (wanted: unknown) => unknown;
          };
          return askSystem(args[0]);
        },
        on: (name: string, listener: (detail: unknown) => void) => {
          if (name === 'command') listeners.push(listener);
          if (name === 'find') Object.assign(globalThis, { tellFind: listener });
          return () => undefined;
        },
      },
    });
  });
  page = await context.newPage();
});
afterAll(async () => {
  await bundle.stop();
  await front.stop();
});

test('what was built passes the check of the desktop app', async () => {
  expect(await checkBuilt()).toContain('desktop app: checked');
});

test('a customer signs up, pays and sees the posts through the handler', async () => {
  await signUp(page, bundle.url, customer);
  await page.waitForURL('**/subscription');
  await page.getByLabel('Card number', { exact: true }).waitFor();
  expect(await spelledFields()).toEqual([]);
  await fillCheckout(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await page.waitForURL('**/dashboard');
  await expect.poll(() => page.locator('[data-post]').count()).toBe(3);
});

test('a customer logs out, and logs in again through the handler', async () => {
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login');
  await expect.poll(async () => (await bundle.session()) ?? '').not.toMatch(/ovation=/);
  expect(bundle.secrets.text ?? '').not.toContain('"ovation"');
  await logIn(page, bundle.url, customer);
  await page.waitForURL('**/dashboard');
  await expect.poll(() => page.locator('[data-post]').count()).toBe(3);
  expect(await bundle.session()).toMatch(/ovation=/);
});

/** Names of one-line fields on the page whose text is looked up in a dictionary. */
const spelledFields = (): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('input')]
      .filter((input) => !['checkbox', 'radio', 'hidden'].includes(input.type) && input.spellcheck)
      .map((input) => input.name || input.outerHTML),
  );

test('fields for names and numbers are not spelled, a message is', async () => {
  await followTo(page, '/my-settings');
  await page.getByLabel('Phone', { exact: true }).waitFor();
  await page.getByLabel('Message').waitFor();
  expect(await spelledFields()).toEqual([]);
  expect(
    await page.locator('textarea').evaluate((area: HTMLTextAreaElement) => area.spellcheck),
  ).toBe(true);
});

test('the switch for starting with the computer shows what the system says, sets it, also after a page that lies in a folder has opened anew, and tells when it was not allowed or failed', async () => {
  const start = page.getByRole('switch', { name: /^Start Ovation when you log in/ });
  await expect.poll(() => start.isEnabled()).toBe(true);
  await expect.poll(() => start.isChecked()).toBe(false);
  await start.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => start.isChecked()).toBe(true);
  expect(system.startsAtLogin).toBe(true);
  await page.goto(`${bundle.url}/payment/credits`);
  await expect.poll(() => page.getByText('Secure checkout').first().isVisible()).toBe(true);
  await followTo(page, '/my-settings');
  await expect.poll(() => start.isChecked()).toBe(true);
  system.answers = 'forbidden';
  await start.click();
  await page.getByText('Your system didn’t allow this.').waitFor();
  await expect.poll(() => start.isChecked()).toBe(true);
  system.answers = 'broken';
  await start.click();
  await page.getByText('We couldn’t save this. Nothing was changed.').waitFor();
  await expect.poll(() => start.isChecked()).toBe(true);
  system.answers = 'allowed';
  await start.click();
  await expect.poll(() => start.isChecked()).toBe(false);
  await expect.poll(() => page.getByText(/did not allow this|could not be saved/).count()).toBe(0);
});

test('the session is visible nowhere in the page', async () => {
  const token = /ovation=([\w.%-]+)/.exec(bundle.sentHeaders.join('\n'));
  expect(token).toBeNull();
  expect(bundle.sentHeaders.some((header) => header.startsWith('set-cookie'))).toBe(false);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

test('a page that asks for another host is refused', async () => {
  const other = await startOpenHost();
  onTestFinished(() => other.stop());
  expect(await page.evaluate(askEveryWay, other.url)).toEqual([
    'connect-src /beacon',
    'connect-src /fetch',
    'connect-src /socket',
    'img-src /img',
    'script-src-elem /script',
  ]);
  expect(other.asked).toEqual([]);
  // The same host answers whoever is let through.
  expect(await (await fetch(other.url)).text()).toBe('reached');
  expect(other.asked).toEqual(['GET /']);
});

test('a command of the shell opens its screen, and the palette opens on a key', async () => {
  await page.evaluate(() => {
    const { tellCommand } = globalThis as unknown as { tellCommand: (command: unknown) => void };
    tellCommand({ kind: 'palette' });
  });
  await page.getByLabel('Find a command').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByLabel('Find a command').count()).toBe(0);
});

test('a text is found in the page, and not in the bar it was typed into', async () => {
  await followTo(page, '/dashboard');
  await page.locator('[data-post]').first().waitFor();
  const words = (await page.locator('main').innerText()).match(/[a-z]{4,}/gi);
  await page.evaluate(() => (globalThis as unknown as { tellFind: () => void }).tellFind());
  const field = page.getByLabel('Find in page');
  await field.fill(words?.[0] ?? '');
  const marked = (name: string) => page.evaluate((key) => CSS.highlights.get(key)?.size ?? 0, name);
  await expect.poll(() => marked('found')).toBeGreaterThan(0);
  await expect.poll(() => marked('found-present')).toBe(1);
  await field.fill('nobody wrote this');
  await expect.poll(() => marked('found')).toBe(0);
  await field.press('Escape');
  await expect.poll(() => field.count()).toBe(0);
});

const card = (index: number) => page.locator('[data-post]').nth(index);
const badge = (credits: number) =>
  page.getByRole('button', { name: `${credits.toLocaleString('en-US')} credits` });
/** A call of the product, made by the page. */
const call = (path: string, data: object): Promise<Record<string, unknown>> =>
  page.evaluate(
    async ([url, body]) => {
      const userId = localStorage.getItem('id');
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({ ...body, userId }),
      });
      return ((await answer.json()) as { data: Record<string, unknown> }).data;
    },
    [path, data] as const,
  );

test('sync runs in a worker, under the policy that the handler sends', async () => {
  await page.getByTitle('Up to date').waitFor();
  expect(page.workers()).toHaveLength(1);
  const policy = bundle.sentHeaders.find((each) => each.startsWith('content-security-policy'));
  expect(policy).toContain("worker-src 'self'");
});

test('with the server gone the handler still has the pictures that were shown', async () => {
  const source = await page.locator('[data-post] img').first().getAttribute('src');
  // Past the browser's own cache.
  const ask = () =>
    page.evaluate(async (url) => {
      try {
        const answer = await fetch(url, { cache: 'reload' });
        return [answer.status, answer.headers.get('content-type')];
      } catch {
        return 'refused';
      }
    }, String(source));
  await expect.poll(ask).toEqual([200, 'image/webp']);
  front.isThere = false;
  expect(await ask()).toEqual([200, 'image/webp']);
  front.isThere = true;
});

test('with the server gone the posts are still there after a start; an order queued then is done once when it is back, though the answer was lost', async () => {
  await call('/user/creditsTransaction/addRecord', { ...CARD, amount: 10, credits: 2500 });
  const credits = Number((await call('/user/user/findByUserId', {}))['credits']);
  expect(credits).toBeGreaterThanOrEqual(2500);
  await badge(credits).waitFor();
  front.isThere = false;
  await page.getByTitle('Offline', { exact: true }).waitFor();
  await queueLikes(card(0), 30);
  await page.goto(`${bundle.url}/dashboard`);
  await expect.poll(() => page.locator('[data-post]').count()).toBe(3);
  await card(0).getByText('30 extra likes: waiting for the network.').waitFor();
  await badge(credits - 30).waitFor();
  const lost = Promise.withResolvers<void>();
  front.beforeAnswer = async (path) => {
    if (!path.startsWith('/user/sync/push')) return;
    front.beforeAnswer = async () => undefined;
    front.isThere = false;
    lost.resolve();
  };
  front.isThere = true;
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await lost.promise;
  await card(0).getByText('30 extra likes: waiting for the network.').waitFor();
  front.isThere = true;
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByTitle('Up to date').waitFor();
  await card(0).getByText('30 likes delivered').waitFor();
  await badge(credits - 30).waitFor();
  expect(await call('/user/user/findByUserId', {})).toMatchObject({
    credits: credits - 30,
  });
});

test('after all of this the session stands in nothing that a page can read', async () => {
  const token = /ovation=([^;]+)/.exec((await bundle.session()) ?? '')?.[1] ?? '';
  expect(token.length).toBeGreaterThan(20);
  const readable = await readableByPage(page);
  expect(readable).toContain(customer.igUsername);
  expect(readable).not.toContain(token);
  expect(bundle.sentHeaders.join('\n')).not.toContain(token);
  expect(await context.cookies()).toEqual([]);
});
