import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataDirectory, OTHERS } from '#server/main/config/data-directory.ts';
import { bundled } from './bundled.ts';
import { freePort } from './free-port.ts';
import { plantDatabase } from '../databases/migrated-image.ts';
import { startProcess } from './process.ts';

/** "nobody", on every Linux and macOS a user without files. */
const STRANGER = 65_534;

let home: string;
let dataDir: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ovation-private-'));
  // Others get as far as the data directory itself.
  chmodSync(home, 0o755);
  dataDir = join(home, 'data');
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** Product and sandbox on the data directory, until both have written all their files. */
async function runOnce(demo: 'on' | 'off'): Promise<void> {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const env = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_STATE: join(dataDir, 'sandbox.db'),
    SANDBOX_DEMO: demo,
  };
  const product = startProcess(await bundled('server/src/main/serve.ts'), env);
  await product.waitFor('"event":"serving"');
  const sandbox = startProcess(await bundled('server/sandbox/main.ts'), env);
  await sandbox.waitFor('"ready":true');
  // While both run too: a log of the database is there only then.
  expect(openToOthers()).toEqual([]);
  await sandbox.stop();
  await product.stop();
}

const allFiles = (): string[] => [
  dataDir,
  ...readdirSync(dataDir, { recursive: true }).map((name) => join(dataDir, String(name))),
];

/** By their permissions; where this test may be another user, also by trying. */
function openToOthers(): string[] {
  // What runs meanwhile takes files of its own away.
  const modeOf = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  const open = allFiles().filter((path) => (modeOf(path) & OTHERS) !== 0);
  if (process.getuid?.() !== 0) return open;
  const tried = spawnSync(process.execPath, ['-e', TRY, ...allFiles()], { uid: STRANGER });
  expect(tried.stderr.toString()).toBe('');
  return [...open, ...tried.stdout.toString().split('\n').filter(Boolean)];
}

/** Prints each file that it can read or write. */
const TRY = `
  const { accessSync, constants } = require('node:fs');
  const can = (path, what) => { try { accessSync(path, what); return true; } catch { return false; } };
  for (const path of process.argv.slice(1)) {
    if (can(path, constants.R_OK) || can(path, constants.W_OK)) console.log(path);
  }`;

test('nobody else reads or writes a file of the data directory; what a start left that was killed while it made its database is made anew', async () => {
  const left = join(dataDir, 'postgres.new');
  await mkdir(left, { recursive: true });
  await writeFile(join(left, 'PG_VERSION'), 'half');
  await runOnce('on');
  expect(existsSync(left)).toBe(false);
  const names = allFiles().map((path) => path.slice(dataDir.length + 1));
  for (const name of ['app-secret', 'sandbox-secret', 'sandbox.db', 'postgres/PG_VERSION']) {
    expect(names).toContain(name);
  }
  expect(openToOthers()).toEqual([]);
});

test('a directory that an earlier version has left open is closed at the next start', async () => {
  await plantDatabase(dataDir);
  const secret = 's'.repeat(43);
  for (const name of ['app-secret', 'sandbox-secret']) await writeFile(join(dataDir, name), secret);
  await writeFile(join(dataDir, 'sandbox.db'), '');
  for (const path of allFiles()) chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o666);
  expect(openToOthers().length).toBeGreaterThan(500);
  await runOnce('off');
  expect(openToOthers()).toEqual([]);
  expect(readFileSync(join(dataDir, 'sandbox-secret'), 'utf8')).toBe(secret);
});

test('a directory with a file of somebody else is refused, and says whose', async () => {
  await mkdir(dataDir);
  const planted = join(dataDir, 'app-secret');
  await writeFile(planted, 'x'.repeat(43));
  expect(() => openDataDirectory(dataDir)).not.toThrow();
  // Only root can give a file away; whoever isn't finds such a directory ready made.
  const foreign = process.getuid?.() === 0 ? dataDir : '/root';
  if (foreign === dataDir) chownSync(planted, STRANGER, STRANGER);
  expect(() => openDataDirectory(foreign)).toThrow(/belongs to another user \(\d+\)\. Start the/);
});

test('what a link in the directory names is left as it is', async () => {
  const outside = join(home, 'outside');
  await writeFile(outside, 'x');
  chmodSync(outside, 0o644);
  await mkdir(dataDir);
  symlinkSync(outside, join(dataDir, 'link'));
  openDataDirectory(dataDir);
  expect(lstatSync(outside).mode & 0o777).toBe(0o644);
});

test('files that come and go meanwhile are no trouble', async () => {
  await mkdir(dataDir);
  const code = `const fs = require('node:fs');
    process.stdout.write('begun');
    for (;;) {
      for (let n = 0; n < 50; n += 1) fs.writeFileSync('${dataDir}/' + n, '', { mode: 0o666 });
      for (let n = 0; n < 50; n += 1) fs.rmSync('${dataDir}/' + n);
    }`;
  const busy = spawn(process.execPath, ['-e', code]);
  await once(busy.stdout, 'data');
  for (let n = 0; n < 500; n += 1) openDataDirectory(dataDir);
  busy.kill('SIGKILL');
  await once(busy, 'exit');
  openDataDirectory(dataDir);
  expect(openToOthers()).toEqual([]);
});
