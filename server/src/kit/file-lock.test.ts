import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFile, oneAtATime } from './file-lock.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ovation-file-lock-'));
  path = join(directory, 'lock');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('whoever comes second is told, waits, and goes on when the first is done', async () => {
  const first = Promise.withResolvers<void>();
  const told: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const doing = oneAtATime(path, {
    work: async () => {
      await first.promise;
      told.push('first done');
    },
    onWait: () => told.push('first waits'),
  });
  const next = oneAtATime(path, {
    work: async () => void told.push('second done'),
    onWait: () => {
      told.push('second waits');
      waiting.resolve();
    },
  });
  await waiting.promise;
  first.resolve();
  await Promise.all([doing, next]);
  expect(told).toEqual(['second waits', 'first done', 'second done']);
});

test('what failed keeps nobody out', async () => {
  const work = () => Promise.reject(new Error('It broke'));
  await expect(oneAtATime(path, { work, onWait: () => undefined })).rejects.toThrow('It broke');
  lockFile(path)?.();
  const unlock = lockFile(path);
  expect(unlock).toBeDefined();
  expect(lockFile(path)).toBeUndefined();
  unlock?.();
});
