import { type ChildProcess, spawn } from 'node:child_process';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { patiently, WAIT_MS } from '#test/patience.ts';
import { BROWSER_ARGUMENTS, findBrowser, ONE_THREAD } from './browser.ts';

/** A browser as a process of its own on a profile folder that outlives it. */
export interface BrowserProcess {
  /** The one it opens with. */
  page: Page;
  /** `kill -9` of the browser with all its processes; resolves once it is gone. */
  kill(): Promise<void>;
}

/** Starts a real Chromium on this profile folder, as somebody who opens the browser does. */
export async function openProfile(directory: string): Promise<BrowserProcess> {
  const child = spawn(
    await findBrowser(),
    [
      ...BROWSER_ARGUMENTS,
      ...ONE_THREAD,
      '--headless',
      '--no-first-run',
      '--force-prefers-reduced-motion',
      '--remote-debugging-port=0',
      `--user-data-dir=${directory}`,
      'about:blank',
    ],
    // A process group of its own, so that the signal reaches all of it.
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const browser = await chromium.connectOverCDP(await debuggerAddress(child));
  const context = onlyContext(browser);
  context.setDefaultTimeout(patiently(WAIT_MS));
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    kill: async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, 'SIGKILL');
      }
      await ended;
    },
  };
}

function onlyContext(browser: Browser): BrowserContext {
  const [context] = browser.contexts();
  if (!context) throw new Error('The browser has no profile open');
  return context;
}

function debuggerAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`The browser ended:\n${text}`)));
  });
}
