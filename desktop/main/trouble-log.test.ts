import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from './trouble.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'ovation-log-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const AT = Date.UTC(2026, 10, 22, 18, 0, 0);

test('lines stand in the log in their order, each with its time and on one line', async () => {
  const path = join(folder, 'logs/ovation.log');
  const log = openLogFile(path, () => AT);
  log('App 1.2.3 starts');
  log('An error\n  with two lines');
  await log.written();
  expect(await readFile(path, 'utf8')).toBe(
    '2026-11-22T18:00:00.000Z App 1.2.3 starts\n' +
      '2026-11-22T18:00:00.000Z An error | with two lines\n',
  );
});

test('a log of a megabyte begins anew, and the one before is kept', async () => {
  const path = join(folder, 'ovation.log');
  await writeFile(path, 'x'.repeat(999_990));
  const log = openLogFile(path, () => AT);
  log('one more');
  log('and another');
  await log.written();
  expect((await readdir(folder)).sort()).toEqual(['ovation.log', 'ovation.log.old']);
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3);
});

test('a folder that can not be written costs the log, and nothing else', async () => {
  await writeFile(join(folder, 'file'), '');
  const log = openLogFile(join(folder, 'file/ovation.log'), () => AT);
  log('lost');
  await expect(log.written()).resolves.toBeUndefined();
});
