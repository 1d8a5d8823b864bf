import { expect } from 'vitest';
import type { World } from './fake-world.ts';

/** A world, and what a run in it must show, from the sources and as built. */
export interface WantedLife {
  world: Partial<World>;
  facts: Record<string, unknown>;
}

/** Another instance runs already: this one goes, and does nothing else. */
export const ONE_INSTANCE = {
  world: { hasLock: false },
  facts: {
    'before ready': ['scheme app', 'id app.ovation.desktop', 'quit'],
    'listens for': [],
    windows: 0,
  },
} satisfies WantedLife;

/** What the disk keeps of a session, and who is sent it. */
export const KEPT_SESSION = {
  world: { life: 'a session', keyring: 'gnome_libsecret' },
  facts: {
    errors: [],
    'cookie in the page': [],
    'on the disk': true,
    'readable on the disk': false,
    question: expect.stringContaining('2 changes that have not reached it are lost'),
    'on the disk with another server': false,
    'pictures after one was shown, and after all were forgotten': [1, 0],
    'pictures with another server': 0,
    'asked for another server': expect.stringMatching(
      /"hasServer":false,"presentServer":"http:\/\/127\.0\.0\.1:\d+"/,
    ),
    cookies: {
      '/user/about': null,
      '/user/user/login': null,
      '/user/before': 'sid=s3cret',
      '/user/elsewhere': null,
      '/user/after': null,
    },
  },
} satisfies WantedLife;

/** The fixed password of a Linux without a keyring protects nothing: nothing is kept with it. */
export const SESSION_WITHOUT_KEYRING = {
  world: { life: 'a session', keyring: 'basic_text' },
  facts: { ...KEPT_SESSION.facts, 'on the disk': false },
} satisfies WantedLife;

/** What a start finds of the one before it. */
export const ANOTHER_START = {
  world: { life: 'another start' },
  facts: {
    about: expect.stringContaining('"hasServer":true'),
    place: { x: 10, y: 20, width: 1000, height: 700 },
  },
} satisfies WantedLife;

/** What tray, menu, notices and the system ask of the app. */
export function wantedDesk(platform: 'linux' | 'darwin'): WantedLife {
  const isMac = platform === 'darwin';
  return {
    world: { life: 'a day at the desk', platform },
    facts: {
      errors: [],
      about: expect.stringContaining('"hasNoLoginItems":false'),
      refused: [
        'a frame inside of the window',
        'another host',
        'another scheme',
        'an answer of the server',
        'a frame that has gone',
      ],
      // On Linux it is an entry among the programs of the desktop.
      'start at login': [false, true, isMac, false, false],
      'activate brings the window': true,
      // On macOS a click opens the tray's menu.
      'a click on the tray brings the window': !isMac,
      'its menu brings the window': true,
      'the menu brings the window': true,
      notice: { shown: true, told: { title: 'New post', body: 'by anna' } },
      'a notice brings the window': true,
      told: [
        // The link that came before the app was ready.
        { kind: 'open', path: '/my-billing' },
        { kind: 'open', path: '/dashboard' },
        { kind: 'open', path: '/post/7' },
        { kind: 'open', path: '/my-billing' },
        { kind: 'sync_now' },
      ],
      tray: 'Ovation: Offline, 1 order waits',
      'tray with nobody logged in': 'Ovation: Not logged in',
      message: 'This app doesn’t check for updates',
      done: expect.arrayContaining(['badge 3', 'badge 0', 'about', 'quit']),
      'closing after the quit': 'closed',
    },
  };
}

/** A packaged app that names an address; the updater itself is false. */
export const UPDATE = {
  world: { life: 'an update', isPackaged: true },
  facts: {
    errors: [],
    told: { kind: 'ready', version: '2.0.0' },
    'looks by itself': true,
    'installs when the app quits': false,
    'before it is here': { kind: 'downloading', version: '2.0.0' },
    message: 'Ovation 2.0.0 is ready',
    'put off': true,
    installs: true,
    'closing then': 'closed',
  },
} satisfies WantedLife;
