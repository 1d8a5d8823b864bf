import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillCheckout, logIn, newCustomer, pay, signUp } from '../../web/e2e/customer.ts';
import { type FrontServer, serveInFront } from '../../web/e2e/front-server.ts';
import { type StartedProduct, startEmbedded } from '../../web/e2e/product.ts';
import { queueLikes } from '../../web/e2e/queue-likes.ts';
import { sandboxControl } from '../../web/e2e/sandbox-control.ts';
import { CARD } from '../../web/e2e/subscriber.ts';
import { drawIcons } from '../packaging/package.ts';
import { buildDesktop } from '../testing/built.ts';
import { findElectron, openVirtualScreen, type VirtualScreen } from '../testing/electron-here.ts';

const ROOT = join(import.meta.dirname, '../..');
const HERE = await findElectron();
const BINARY = HERE.kind === 'here' ? HERE.binary : '';
const NOT_RUN = HERE.kind === 'missing' ? `not run: ${HERE.why}` : undefined;

if (NOT_RUN !== undefined) writeSync(1, `desktop/e2e/electron.spec.ts: ${NOT_RUN}\n`);

describe.skipIf(NOT_RUN !== undefined)(`the app itself${NOT_RUN ? ` (${NOT_RUN})` : ''}`, () => {
  const customer = newCustomer('electron.app');
  let product: StartedProduct;
  let front: FrontServer;
  let data: string;
  let screen: VirtualScreen | undefined;
  let app: ElectronApplication;
  let page: Page;
  let creditsBefore: number;

  const args = (...more: string[]): string[] => [
    ROOT,
    `--user-data-dir=${data}`,
    '--no-sandbox',
    ...more,
  ];
  const env = (): Record<string, string> => ({
    ...(process.env as Record<string, string>),
    ...screen?.env,
  });
  const start = async (...more: string[]): Promise<void> => {
    app = await _electron.launch({ executablePath: BINARY, args: args(...more), env: env() });
    page = await app.firstWindow();
  };
  /** Quits as a person does; the app may end before it has answered. */
  const quit = async (): Promise<void> => {
    const closed = app.waitForEvent('close');
    await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
    await closed;
  };
  /** A second start: the process ends at once, so nothing can be attached to it. */
  const startAgain = async (link: string): Promise<void> => {
    const [code] = (await once(spawn(BINARY, args(link), { env: env() }), 'exit')) as [
      number | null,
    ];
    expect(code).toBe(0);
  };
  const isSeen = (): Promise<boolean | undefined> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  const closeWindow = (): Promise<void> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  const posts = () => page.locator('[data-post]');
  const credits = (): Promise<number> =>
    page.evaluate(async () => {
      const answer = await fetch('/user/user/findByUserId', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ userId: localStorage.getItem('id') }),
      });
      return ((await answer.json()) as { data: { credits: number } }).data.credits;
    });

  beforeAll(async () => {
    if (HERE.kind === 'here' && HERE.screen === 'virtual') screen = await openVirtualScreen();
    product = await startEmbedded();
    front = await serveInFront(product.url);
    data = await mkdtemp(join(tmpdir(), 'ovation-electron-'));
    await sandboxControl(product.sandboxUrl).createAccount({
      username: customer.igUsername,
      posts: 3,
    });
    await buildDesktop();
    await drawIcons();
    await start();
  });
  afterAll(async () => {
    await app.close();
    await front.stop();
    await product.stop();
    await rm(data, { recursive: true, force: true });
    await screen?.stop();
  });

  test('the first window comes into sight, on Wayland where the desktop is one of Wayland', async () => {
    await expect.poll(isSeen).toBe(true);
    const ozone = await app.evaluate(({ app: electron }) =>
      electron.commandLine.getSwitchValue('ozone-platform'),
    );
    const isWayland = screen === undefined && process.env['XDG_SESSION_TYPE'] === 'wayland';
    expect(ozone === 'wayland').toBe(isWayland);
  });

  test('the first start asks for the server and remembers it', async () => {
    await page.getByLabel('Server address').fill(front.url);
    const [opened] = await Promise.all([
      app.waitForEvent('window'),
      page.getByRole('button', { name: 'Connect' }).click(),
    ]);
    page = opened;
    await expect.poll(() => new URL(page.url()).protocol).toBe('app:');
  });

  test('a customer signs up, and the page holds no session', async () => {
    await signUp(page, 'app://ovation', customer);
    await page.waitForURL('**/subscription');
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await fillCheckout(page, { number: '4242 4242 4242 4242' });
    await pay(page);
    await page.waitForURL('**/dashboard');
    await expect.poll(() => posts().count()).toBe(3);
  });

  test('a second start ends by itself and hands its link to the first', async () => {
    await startAgain('ovation://settings');
    await page.waitForURL('**/my-settings');
    expect(app.windows()).toHaveLength(1);
  });

  test('closed to the tray the app goes on, and a second start brings the same window back', async () => {
    await closeWindow();
    await expect.poll(isSeen).toBe(false);
    expect(app.windows()).toHaveLength(1);
    // Its page still talks to the server.
    expect(await credits()).toBeGreaterThanOrEqual(0);
    await startAgain('ovation://dashboard');
    await page.waitForURL('**/dashboard');
    await expect.poll(isSeen).toBe(true);
  });

  test('a link that comes while nobody is logged in is opened after the log-in', async () => {
    await page.getByRole('button', { name: /^Menu/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login');
    await startAgain('ovation://billing');
    await logIn(page, 'app://ovation', customer);
    await page.waitForURL('**/my-billing');
    expect(app.windows()).toHaveLength(1);
  });

  test('the tray tells how the replica stands, and a click on it brings the window', async () => {
    await page.goto('app://ovation/dashboard');
    await page.getByTitle('Up to date').waitFor();
    // Electron doesn't tell what a tray shows: it is recorded from now on.
    await app.evaluate(({ Tray }) => {
      const { prototype } = Tray;
      const show = Reflect.get(prototype, 'setToolTip');
      prototype.setToolTip = function note(this: Electron.Tray, tip) {
        Object.assign(globalThis, { shownTip: tip, tray: this });
        show.call(this, tip);
      };
    });
    const tip = () => app.evaluate(() => (globalThis as unknown as { shownTip?: string }).shownTip);
    front.isThere = false;
    await expect.poll(tip).toBe('Ovation: Offline');
    front.isThere = true;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect.poll(tip).toBe('Ovation: Up to date');
    await closeWindow();
    await expect.poll(isSeen).toBe(false);
    await app.evaluate(() => (globalThis as unknown as { tray: Electron.Tray }).tray.emit('click'));
    // On macOS a click opens the tray's menu instead.
    if (process.platform === 'darwin') await startAgain('ovation://dashboard');
    await expect.poll(isSeen).toBe(true);
  });

  test('offline the posts are there, and an order queued then outlives a quit', async () => {
    await page.evaluate(
      async (body) => {
        await fetch('/user/creditsTransaction/addRecord', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
          body: JSON.stringify({ ...body, userId: localStorage.getItem('id') }),
        });
      },
      { ...CARD, amount: 10, credits: 2500 },
    );
    creditsBefore = await credits();
    await page.goto('app://ovation/dashboard');
    await page.getByTitle('Up to date').waitFor();
    front.isThere = false;
    await page.getByTitle('Offline', { exact: true }).waitFor();
    await queueLikes(posts().first(), 30);
    await quit();
    await start();
    await expect.poll(() => posts().count()).toBe(3);
    await posts().first().getByText('30 extra likes: waiting for the network.').waitFor();
  });

  test('quit while syncing loses nothing: the order is done, once', async () => {
    const sent = Promise.withResolvers<'sent'>();
    const ended = Promise.withResolvers<void>();
    front.beforeAnswer = async (path) => {
      if (!path.startsWith('/user/sync/push')) return;
      // The server has carried it out; the app quits before it hears so.
      sent.resolve('sent');
      await ended.promise;
    };
    await comeBack(() => sent.promise);
    await quit();
    front.beforeAnswer = async () => undefined;
    ended.resolve();
    await start();
    await comeBack(() => page.getByTitle('Up to date').waitFor());
    await page.goto('app://ovation/dashboard');
    await posts().first().getByText('30 likes delivered').waitFor();
    expect(await credits()).toBe(creditsBefore - 30);
  });

  /** The server is back. Without a keyring the session ended with the app: then one logs in again. */
  async function comeBack(reached: () => Promise<unknown>): Promise<void> {
    front.isThere = true;
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    const login = page.waitForURL('**/login').then(() => 'log in');
    const first = await Promise.race([reached(), login]);
    if (first !== 'log in') return;
    await logIn(page, 'app://ovation', customer);
    await reached();
  }
});
