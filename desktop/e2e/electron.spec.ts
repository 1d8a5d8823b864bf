import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCustomer, signUp } from '../../web/e2e/customer.ts';
import { type Product, startEmbedded } from '../../web/e2e/product.ts';
import { sandboxControl } from '../../web/e2e/sandbox-control.ts';
import { drawIcons } from '../icons/draw-icons.ts';
import { buildDesktop } from './bundle-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const BINARY = [
  join(ROOT, 'node_modules/electron/dist/electron'),
  join(ROOT, 'node_modules/electron/dist/electron.exe'),
  join(ROOT, 'node_modules/electron/dist/Electron.app/Contents/MacOS/Electron'),
].find((path) => existsSync(path));

describe.skipIf(BINARY === undefined)('the app itself (not run: no Electron binary)', () => {
  const customer = newCustomer('electron.app');
  let product: Product;
  let data: string;
  let app: ElectronApplication;
  let page: Page;

  const start = async (...args: string[]): Promise<ElectronApplication> =>
    _electron.launch({
      executablePath: BINARY ?? '',
      args: [ROOT, `--user-data-dir=${data}`, '--no-sandbox', ...args],
    });

  beforeAll(async () => {
    product = await startEmbedded();
    data = await mkdtemp(join(tmpdir(), 'ovation-electron-'));
    await sandboxControl(product.sandboxUrl).createAccount({
      username: customer.igUsername,
      posts: 3,
    });
    await buildDesktop();
    await drawIcons();
    app = await start();
    page = await app.firstWindow();
  });
  afterAll(async () => {
    await app.close();
    await product.stop();
    await rm(data, { recursive: true, force: true });
  });

  test('the first start asks for the server and remembers it', async () => {
    await page.getByLabel('Server address').fill(product.url);
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
  });

  test('a second start ends by itself and hands its link to the first', async () => {
    const second = await start('ovation://settings');
    await second.waitForEvent('close');
    await page.waitForURL('**/my-settings');
    expect(app.windows()).toHaveLength(1);
  });

  test('after a quit and a start without the server the window opens from its own files', async () => {
    await app.close();
    await product.processes['start']?.stop();
    app = await start();
    page = await app.firstWindow();
    await page.getByRole('navigation').first().waitFor();
    expect(new URL(page.url()).protocol).toBe('app:');
  });
});
