import { expect } from 'vitest';
import { UNSEEN, type WantedLife } from './wanted-lives.ts';

/** Its page breaks and is opened anew, which ends nothing; closing the window does. */
export const ENDS_WITH_WINDOW = {
  world: { life: 'a window that the app ends with' },
  facts: { errors: [], 'after it broke': [false, true], closing: 'closed', 'then it ends': true },
} satisfies WantedLife;

/** A full disk: what can't be kept is said, and everything else works. */
export const FULL_DISK = {
  world: { life: 'a disk that takes nothing', keyring: 'gnome_libsecret', diskFailure: 'ENOSPC' },
  facts: {
    errors: [],
    'in sight': true,
    'a server is chosen': false,
    cookie: 'sid=s3cret',
    problems: [expect.stringContaining('the session couldn’t be saved')],
    closing: 'kept',
  },
} satisfies WantedLife;

/** Electron gives no lock there, as to a second start; but no other window comes up. */
export const READ_ONLY = {
  world: { diskFailure: 'EROFS' },
  facts: {
    errors: [
      expect.stringMatching(
        /^Ovation couldn’t start: It can’t save anything in \/.+make this folder writable/,
      ),
    ],
    windows: 0,
    all: expect.arrayContaining(['exit 1']),
  },
} satisfies WantedLife;

/** macOS gives no argument to what it starts at a log-in, but says so when it is asked. */
export const UNSEEN_ON_MAC = {
  world: { ...UNSEEN.world, platform: 'darwin' },
  facts: UNSEEN.facts,
} satisfies WantedLife;
