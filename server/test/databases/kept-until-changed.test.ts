import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished, expect, test } from 'vitest';
import { breakLock, keptUntilChanged } from './kept-until-changed.ts';

const SOURCES = ['server/test/databases/kept-until-changed.ts'];

/** Something that takes a while to make, under a name of the test's own. */
function made() {
  const name = `test-${randomUUID()}`;
  const state = { times: 0 };
  const make = async (path: string): Promise<void> => {
    state.times += 1;
    await sleep(20);
    await writeFile(path, 'made');
  };
  const ask = async (): Promise<string> => {
    const path = await keptUntilChanged(name, SOURCES, make);
    onTestFinished(() => rm(path, { force: true }));
    return path;
  };
  return { ask, name, state };
}

test('what several want at once is made by one of them, and kept', async () => {
  const { ask, state } = made();
  const paths = await Promise.all([ask(), ask(), ask()]);
  expect(new Set(paths).size).toBe(1);
  expect(await readFile(await ask(), 'utf8')).toBe('made');
  expect(state.times).toBe(1);
});

test('what failed is made by the next one, and a lock of a process that has ended holds nobody up', async () => {
  const { ask, name, state } = made();
  const failing = keptUntilChanged(name, SOURCES, () => Promise.reject(new Error('no disk')));
  await expect(failing).rejects.toThrow('no disk');
  const path = await ask();
  await rm(path);
  await writeFile(`${path}.lock`, '2147483646');
  expect(await ask()).toBe(path);
  expect(state.times).toBe(2);
});

test('what was made from other sources goes with the next making, once no run can use it any more', async () => {
  const { ask, name } = made();
  const path = await ask();
  const other = (hash: string, of = name): string =>
    join(dirname(path), `${of}-${hash.repeat(32)}`);
  const places = {
    old: other('a'),
    young: other('b'),
    anothers: other('a', `${name}-too`),
  };
  for (const place of Object.values(places)) {
    await mkdir(place);
    onTestFinished(() => rm(place, { recursive: true, force: true }));
  }
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
  for (const place of [path, places.old, places.anothers]) {
    await utimes(place, twoHoursAgo, twoHoursAgo);
  }
  await ask();
  expect(existsSync(places.old)).toBe(true);
  await rm(path);
  await ask();
  expect([path, places.old, places.young, places.anothers].map((at) => existsSync(at))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('who finds a lock of a process that has ended leaves it alone once another has taken it', async () => {
  const ended = '2147483646';
  const lock = join(tmpdir(), `lock-${randomUUID()}`);
  onTestFinished(() => rm(lock, { force: true }));
  await writeFile(lock, String(process.pid));
  await breakLock(lock, ended);
  expect(await readFile(lock, 'utf8')).toBe(String(process.pid));
  await writeFile(lock, ended);
  await breakLock(lock, ended);
  await expect(readFile(lock, 'utf8')).rejects.toThrow('ENOENT');
  await expect(readFile(`${lock}.${ended}`, 'utf8')).rejects.toThrow('ENOENT');
});
