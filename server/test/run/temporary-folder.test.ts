import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  chooseParent,
  makeRunFolder,
  refuseWithoutRoom,
  sweep,
  temporaryFolder,
} from './temporary-folder.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'ovation-sweep-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true, force: true });
});

const IDLE = ['--eval', 'setInterval(() => undefined, 1000); console.log("up")'];

/** The number of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--eval', '0']);
  await once(child, 'close');
  return child.pid ?? 0;
}

test('what a killed run left is removed and its processes are ended; a living run keeps its own', async () => {
  const left = join(parent, `ovation-run-${await endedPid()}-a1b2c3`);
  mkdirSync(join(left, 'postgres'), { recursive: true });
  writeFileSync(join(left, 'postgres', 'data'), 'rows');
  const orphan = spawn(process.execPath, IDLE, { env: { ...process.env, TMPDIR: left } });
  await once(orphan.stdout, 'data');
  const ended = once(orphan, 'close');
  const living = makeRunFolder(parent);
  const stranger = join(parent, 'somebody-elses');
  mkdirSync(stranger);
  sweep(parent);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(readdirSync(parent).map((name) => join(parent, name))).toEqual([living, stranger]);
});

test('projects with settings of their own share the folder of their run', () => {
  const folder = makeRunFolder(parent);
  vi.stubEnv('TMPDIR', folder);
  const { configureVitest } = temporaryFolder();
  if (typeof configureVitest !== 'function') throw new Error('It has no hook any more.');
  const vitest = { onClose: () => undefined };
  Reflect.apply(configureVitest, undefined, [{ vitest }]);
  expect(process.env['TMPDIR']).toBe(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test('temporary files stand in memory where that has room, and where they are told to', () => {
  const memory = join(parent, 'memory');
  expect(chooseParent(undefined, memory, 1)).toBe(tmpdir());
  mkdirSync(memory);
  const isLinux = process.platform === 'linux';
  expect(chooseParent(undefined, memory, 1)).toBe(isLinux ? memory : tmpdir());
  expect(chooseParent(undefined, memory, 2 ** 60)).toBe(tmpdir());
  expect(chooseParent(parent, memory, 1)).toBe(tmpdir());
});

test('without room for temporary files a run says so before its first test', () => {
  expect(() => refuseWithoutRoom(parent, 2 ** 60)).toThrow(
    /^.* has \d+ MB left and a run of the tests needs \d+ MB: make room, or set TMPDIR to another folder\.$/,
  );
  expect(() => refuseWithoutRoom(parent, 1)).not.toThrow();
});
