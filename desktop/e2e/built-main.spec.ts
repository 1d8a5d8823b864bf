import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { expectStart } from '../testing/expect-start.ts';
import { runMain } from '../testing/run-main.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, 'out/tried');

beforeAll(async () => {
  const cli = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js');
  const config = join(ROOT, 'desktop/testing/main-only.vite.config.ts');
  await promisify(execFile)(process.execPath, [cli, 'build', '-c', config], { cwd: ROOT });
  await mkdir(join(OUT, 'renderer'), { recursive: true });
  await writeFile(join(OUT, 'renderer/index.html'), '<div id="root"></div>');
});

test('the built main process starts: it opens the window, serves its pages and quits', async () => {
  const run = await runMain(join(OUT, 'main/main.js'));
  expectStart(run);
  expect(run.facts['errors']).toEqual([]);
});
