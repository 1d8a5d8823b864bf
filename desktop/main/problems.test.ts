import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SystemNotice } from '#shared/platform.ts';
import { createProblems, type DesktopSettings, openLogFile } from './settings.ts';

function open(settings: DesktopSettings = {}, isDiskFull = false) {
  const logged: string[] = [];
  const told: SystemNotice[] = [];
  let kept = settings;
  const problems = createProblems(
    {
      read: () => kept,
      change: (part) => {
        if (isDiskFull) throw new Error('ENOSPC');
        kept = { ...kept, ...part };
      },
    },
    (line) => void logged.push(line),
    () => undefined,
  );
  return { problems, logged, told, kept: () => kept };
}

test('a missing keyring is told once on a computer, and stands in the settings each time', () => {
  const { problems, told, kept } = open();
  problems.sessionNotKept({ kind: 'no_keyring' });
  problems.tellBy((notice) => void told.push(notice));
  problems.sessionNotKept({ kind: 'no_keyring' });
  expect(told.map(({ title }) => title)).toEqual(['Ovation will ask you to log in again']);
  expect(problems.list()).toEqual([expect.stringContaining('no keyring')]);
  const next = open(kept());
  next.problems.tellBy((notice) => void next.told.push(notice));
  next.problems.sessionNotKept({ kind: 'no_keyring' });
  expect([next.told, next.problems.list()]).toEqual([[], problems.list()]);
});

test('a window closed where no tray is shown is told of once: how to get it back, how to quit', () => {
  const { problems, told } = open();
  problems.tellBy((notice) => void told.push(notice));
  problems.noTray();
  problems.noTray();
  expect(told.map(({ body }) => body)).toEqual([expect.stringMatching(/again.*Quit/)]);
});

test('a system that shows no notices, and a disk that fails, are in the log and the settings', () => {
  const { problems, logged } = open({}, true);
  problems.noNotices('UNErrorDomain 1');
  problems.sessionNotKept({ kind: 'failed', error: new Error('ENOSPC') });
  expect(problems.list()).toHaveLength(2);
  expect(logged).toEqual([
    'The system shows no notices: UNErrorDomain 1',
    'The session could not be kept: Error: ENOSPC',
  ]);
  expect(() => problems.noTray()).not.toThrow();
});

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
