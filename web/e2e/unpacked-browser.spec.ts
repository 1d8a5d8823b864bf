import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { BROWSER_ARGUMENTS } from './browser.ts';
import { unpackBrowser } from './unpacked-browser.ts';

test.skipIf(process.platform !== 'linux')(
  'on a machine without a browser all who unpack it at once get one that starts, and nothing else is left',
  async () => {
    const machine = await mkdtemp(join(tmpdir(), 'ovation-new-machine-'));
    const paths = await Promise.all([unpackBrowser(machine), unpackBrowser(machine)]);
    expect(new Set(paths).size).toBe(1);
    const [executablePath] = paths;
    const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] });
    await browser.close();
    expect(await readdir(machine)).toHaveLength(1);
    await rm(machine, { recursive: true });
  },
);
