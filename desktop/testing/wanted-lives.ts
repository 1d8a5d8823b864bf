import { expect } from 'vitest';
import { HELD_UP } from './fake-update-server.ts';
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
    'before ready': [
      'scheme app',
      'id app.ovation.desktop',
      'userData -dev',
      'crashes stay here',
      'quit',
    ],
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
    question: expect.stringContaining('2 changes that haven’t reached it will be lost'),
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
      // Run from its sources it leaves links and, but on Linux, the start at log-in to the installed app.
      links: [],
      about: expect.stringContaining(`"hasNoLoginItems":${isMac}`),
      refused: [
        'a frame inside of the window',
        'another host',
        'another scheme',
        'an answer of the server',
        'a frame that has gone',
      ],
      // On Linux it is an entry among the programs of the desktop.
      'start at login': [false, !isMac, false, false, false],
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
      // The folder of the time before.
      'asked where to save': ['save a.csv', 'save /b.csv'],
      tray: 'Ovation: Offline, 1 order waiting',
      'icon of the tray': isMac ? 'trayNewsTemplate.png' : 'trayNews.png',
      'tray with nobody logged in': 'Ovation: Not logged in',
      message: 'This app doesn’t check for updates',
      done: expect.arrayContaining(['badge 3', 'badge 0', 'about', 'quit']),
      'closing after the quit': 'closed',
    },
  };
}

/** macOS, started from where it was downloaded, from which no update can be installed. */
export const MOVED = {
  world: { life: 'another start', platform: 'darwin', isPackaged: true },
  facts: {
    errors: [],
    asked: 'Move Ovation to the Applications folder?',
    all: expect.arrayContaining(['moved']),
  },
} satisfies WantedLife;

/** Windows: a dot on the taskbar's button, screens in its menu, notices that outlive the run. */
export const WINDOWS = {
  world: { life: 'a day at the desk', platform: 'win32', isPackaged: true },
  facts: {
    errors: [],
    links: ['links ovation'],
    'start at login': [false, true, true, false, false],
    'on the button in the taskbar': ['no badge', 'badge: 3 new notifications'],
    'icon of the tray': 'trayNews.png',
    all: expect.arrayContaining([
      expect.stringMatching(/^notices \{[0-9a-f-]{36}\}$/),
      'task ovation://dashboard',
      'task ovation://billing',
    ]),
  },
} satisfies WantedLife;

const FROM_THE_START = ['latest-linux.yml', 'latest-linux.yml.sig', 'Ovation-2.0.0.AppImage'];
const NEWER = { kind: 'ready', version: '2.0.0', notes: 'Faster start.' };

/** A packaged app that names an address, with the real electron-updater. */
export const UPDATE = {
  world: { life: 'an update', isPackaged: true },
  facts: {
    errors: [],
    heldUp: [],
    told: NEWER,
    asked: FROM_THE_START,
    message: 'Ovation 2.0.0 is ready',
    'before it is asked for': 'version 1.2.3',
    afterwards: '#!/bin/sh',
    'started anew': true,
    all: expect.arrayContaining(['links ovation', 'lock released']),
    'closing then': 'closed',
  },
} satisfies WantedLife;

/** It runs from a folder that nobody may write: it goes on, and says so. */
export const UPDATE_REFUSED = {
  world: { life: 'an update', isPackaged: true, isReadOnly: true },
  facts: {
    told: NEWER,
    'started anew': false,
    'told then': ['The update couldn’t be installed'],
    'closing then': 'kept',
  },
} satisfies WantedLife;

const PROXY_LOGIN = { kind: 'proxy_login', canBeGiven: true };
const PROXY_QUESTION = { proxy: 'it', wasWrong: false };
const ASKED_AGAIN = { ...PROXY_QUESTION, wasWrong: true };

/** The system names a proxy, then one that speaks SOCKS. */
export const PROXIES = {
  world: { life: 'behind a proxy' },
  facts: {
    errors: [],
    trusted: true,
    'server met directly': 0,
    // Asked first whether it wants a log-in.
    'asked of the proxy': 3,
    'only the server is asked for by SOCKS': true,
    'it is': true,
  },
} satisfies WantedLife;

/** Nothing goes through before the person has logged in to the proxy; the app runs all the same. */
export const PROXY_WITH_PASSWORD = {
  world: { life: 'behind a proxy with a password', keyring: 'gnome_libsecret' },
  facts: {
    errors: [],
    without: PROXY_LOGIN,
    question: PROXY_QUESTION,
    'with a wrong one': [PROXY_LOGIN, ASKED_AGAIN],
    // It leads nowhere: the question whether it wants a log-in, and the call.
    'with the right one': [{ kind: 'unreachable' }, null, 2],
    told: [PROXY_QUESTION, ASKED_AGAIN],
    'readable on the disk': false,
  },
} satisfies WantedLife;

/** What lies at the address is not what was signed, or nothing answers. */
export const FALSE_UPDATES = (['signature', 'byte', 'page'] as const).map(
  (updateLie): WantedLife => ({
    world: { life: 'an update', isPackaged: true, updateLie },
    facts: {
      errors: [],
      told: { kind: 'failed' },
      // A download that was wrong is asked for again.
      message:
        updateLie === 'byte' ? 'Downloading Ovation 2.0.0' : 'We couldn’t download the update',
      afterwards: 'version 1.2.3',
      'started anew': false,
      'closing then': 'kept',
    },
  }),
);

/** An answer that never ends counts as failed, and the next look asks the server afresh. */
export const HELD_UP_UPDATES = HELD_UP.map((updateLie): WantedLife => ({
  world: { life: 'an update held up', isPackaged: true, updateLie },
  facts: {
    errors: [],
    'told then': ['downloading', 'ready'],
    'asked then': FROM_THE_START,
    'took little': true,
  },
}));

/** Started by the system at a log-in, with a server chosen before. */
export const UNSEEN = {
  world: { life: 'a start at log-in', isAtLogin: true, isPackaged: true },
  facts: { errors: [], 'in sight': false, 'asked for': true },
} satisfies WantedLife;

/** A desktop without a tray would show nothing of it: the window is in sight. */
export const UNSEEN_WITHOUT_TRAY = {
  world: { ...UNSEEN.world, hasTray: false },
  facts: { ...UNSEEN.facts, 'in sight': true },
} satisfies WantedLife;

/** Nothing is as it should be, and the app goes on. */
export const BAD_DAY = {
  world: { life: 'a bad day', keyring: 'locked', hasTray: false },
  facts: {
    errors: [],
    'in sight': true,
    'a stream after the sleep': expect.stringContaining('ERR_FAILED'),
    woken: null,
    'after it hung': ['destroy', true],
    problems: [expect.stringContaining('Notifications aren’t shown')],
    'told of the tray': {
      title: 'Ovation keeps running',
      body: expect.stringContaining('start Ovation again'),
    },
    all: expect.arrayContaining(['reveals /logs/ovation.log']),
  },
} satisfies WantedLife;

/** The updaters of the other systems, before a server that has packages of Linux only. */
export const OTHER_UPDATERS = (
  [
    ['win32', 'latest.yml'],
    ['darwin', 'latest-mac.yml'],
  ] as const
).map(([platform, channel]): WantedLife => ({
  world: { life: 'an update', isPackaged: true, platform },
  facts: { errors: [], told: { kind: 'failed' }, asked: expect.arrayContaining([channel]) },
}));
