import { expect, test } from 'vitest';
import type { Notice } from '#shared/platform.ts';
import type { DesktopSettings } from './settings-file.ts';
import { createTrouble } from './trouble.ts';

function open(settings: DesktopSettings = {}, isDiskFull = false) {
  const logged: string[] = [];
  const told: Notice[] = [];
  let kept = settings;
  const trouble = createTrouble(
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
  return { trouble, logged, told, kept: () => kept };
}

test('a missing keyring is told once on a computer, and stands in the settings each time', () => {
  const { trouble, told, kept } = open();
  trouble.notKept({ kind: 'no_keyring' });
  trouble.tellBy((notice) => void told.push(notice));
  trouble.notKept({ kind: 'no_keyring' });
  expect(told.map(({ title }) => title)).toEqual(['Ovation will ask you to log in again']);
  expect(trouble.problems()).toEqual([expect.stringContaining('no keyring')]);
  const next = open(kept());
  next.trouble.tellBy((notice) => void next.told.push(notice));
  next.trouble.notKept({ kind: 'no_keyring' });
  expect([next.told, next.trouble.problems()]).toEqual([[], trouble.problems()]);
});

test('a window closed where no tray is shown is told of once: how to get it back, how to quit', () => {
  const { trouble, told } = open();
  trouble.tellBy((notice) => void told.push(notice));
  trouble.noTray();
  trouble.noTray();
  expect(told.map(({ body }) => body)).toEqual([expect.stringMatching(/again.*Quit/)]);
});

test('a system that shows no notices, and a disk that fails, are in the log and the settings', () => {
  const { trouble, logged } = open({}, true);
  trouble.noNotices('UNErrorDomain 1');
  trouble.notKept({ kind: 'failed', error: new Error('ENOSPC') });
  expect(trouble.problems()).toHaveLength(2);
  expect(logged).toEqual([
    'The system shows no notices: UNErrorDomain 1',
    'The session could not be kept: Error: ENOSPC',
  ]);
  expect(() => trouble.noTray()).not.toThrow();
});
