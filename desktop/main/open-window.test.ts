import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { ABOUT_ARGUMENT } from '../ipc.ts';
import { FakeWindow } from '../testing/fake-window.ts';
import { createOutside } from './guards.ts';
import type { ClickedInto } from './menu.ts';
import { hasOwnSpeller, openWindow, placeOf, type WindowPlace } from './open-window.ts';

const ABOUT = {
  version: '1.2.3',
  hasServer: true,
  presentServer: undefined,
  hasNoLoginItems: false,
};

interface Around {
  place?: WindowPlace;
  isDark?: boolean;
  isMac?: boolean;
}

function open({ place, isDark = false, isMac = false }: Around = {}) {
  const copied: string[] = [];
  const outside: string[] = [];
  const menus: MenuItemConstructorOptions[][] = [];
  const window = openWindow(
    {
      create: (options) => new FakeWindow(options),
      workAreas: () => [{ x: 0, y: 0, width: 1920, height: 1080 }],
      isDark: () => isDark,
      popUp: (menu) => void menus.push(menu),
      copyText: (text) => void copied.push(text),
      isMac,
    },
    ABOUT,
    place,
    createOutside(
      () => 'http://localhost:3000',
      (url) => void outside.push(url),
      () => 0,
    ),
  );
  return { window, outside, menus, copied };
}

test('the window has the privileges of a page and no more, and loads its own origin', () => {
  const { window } = open();
  const { preload, additionalArguments, ...privileges } = window.options.webPreferences ?? {};
  expect(privileges).toEqual({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: hasOwnSpeller(process.platform),
  });
  expect(additionalArguments).toHaveLength(1);
  expect(preload).toMatch(/preload\.cjs$/);
  expect(window.loaded).toEqual(['app://ovation/']);
});

test('the window gets its icon when it is in sight, as reading it holds it up; on macOS the app has it', () => {
  const { window } = open();
  expect(window.options.icon).toBeUndefined();
  expect(window.icons).toEqual([]);
  window.show();
  window.show();
  expect(window.icons).toEqual([expect.stringMatching(/icons.icon\.png$/)]);
  const { window: mac } = open({ isMac: true });
  mac.show();
  expect(mac.icons).toEqual([]);
});

test('the window spells only with what the system has: no dictionary is fetched from elsewhere', () => {
  expect((['darwin', 'win32', 'linux'] as const).map(hasOwnSpeller)).toEqual([true, true, false]);
});

test('the page learns what it states of the shell, and nothing else', () => {
  const [argument] = open().window.options.webPreferences?.additionalArguments ?? [];
  expect(JSON.parse(String(argument).slice(ABOUT_ARGUMENT.length))).toEqual({
    version: '1.2.3',
    hasServer: true,
    hasNoLoginItems: false,
  });
});

test('it stays out of sight until it is drawn, on the ground of its scheme', () => {
  expect(open().window.options).toMatchObject({ show: false, backgroundColor: '#faf7f2' });
  expect(open({ isDark: true }).window.options.backgroundColor).toBe('#141110');
});

test('it opens where the last one stood', () => {
  const place = { x: 100, y: 50, width: 900, height: 600, isMaximized: true };
  const { window } = open({ place });
  expect(window.options).toMatchObject({ x: 100, y: 50, width: 900, height: 600 });
  window.bounds = { x: 1, y: 2, width: 800, height: 600 };
  expect(placeOf(window)).toEqual({ x: 1, y: 2, width: 800, height: 600, isMaximized: false });
});

test('a link of the app that is to open elsewhere opens in the one window', () => {
  const { window, outside } = open();
  expect(window.openWindow('app://ovation/my-billing')).toBe('deny');
  expect(window.openWindow('app://ovation/user/about')).toBe('deny');
  expect(window.loaded).toEqual(['app://ovation/', 'app://ovation/my-billing']);
  expect(outside).toEqual([]);
});

test('side buttons of the mouse and swipes lead back and forth', () => {
  const { window } = open();
  for (const command of ['browser-backward', 'browser-forward', 'volume-up']) {
    window.emit('app-command', {}, command);
  }
  for (const direction of ['left', 'right', 'up']) window.emit('swipe', {}, direction);
  expect(window.done).toEqual(['back', 'forward', 'back', 'forward']);
});

test.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
  '%s keeps it on its own pages',
  (event) => {
    const { window } = open();
    expect(window.isPrevented(event, { url: 'app://ovation/dashboard' })).toBe(false);
    for (const url of ['https://evil.example/', 'file:///etc/passwd', 'app://evil/']) {
      expect(window.isPrevented(event, { url })).toBe(true);
    }
  },
);

test('no view of another page is put into it', () => {
  expect(open().window.isPrevented('will-attach-webview')).toBe(true);
});

test('a new window is never opened; what the person clicks opens in the browser instead', () => {
  const { window, outside } = open();
  const urls = [
    'https://www.instagram.com/p/x/',
    'app://ovation/privacy-policy',
    'app://ovation/my-billing',
    'http://localhost:3001/p/x/',
    'file:///etc/passwd',
    'http://plain.example/',
  ];
  const actions = urls.map((url) => {
    window.act('mouseUp');
    return window.openWindow(url);
  });
  expect(new Set(actions)).toEqual(new Set(['deny']));
  expect(outside).toEqual([
    'https://www.instagram.com/p/x/',
    'http://localhost:3000/privacy-policy',
    'http://localhost:3001/p/x/',
  ]);
});

test('what a page opens without the person opens nowhere', () => {
  const { window, outside } = open();
  window.act('mouseMove');
  expect(window.openWindow('https://evil.example/?stolen')).toBe('deny');
  expect(outside).toEqual([]);
});

const EDIT_FLAGS = {
  canUndo: true,
  canRedo: false,
  canCut: true,
  canCopy: true,
  canPaste: false,
  canSelectAll: true,
};
const CLICKED: ClickedInto = {
  isEditable: false,
  selectionText: '',
  linkURL: '',
  misspelledWord: '',
  dictionarySuggestions: [],
  editFlags: EDIT_FLAGS,
};

/** What stands in the menu that comes up there; undefined where none does. */
function menuOn(clicked: Partial<ClickedInto>, around: Around = {}) {
  const { window, menus, copied } = open(around);
  window.emit('context-menu', undefined, { ...CLICKED, ...clicked });
  const [menu] = menus;
  const click = (label: string): void => {
    // Electron hands over the item, the window and the event; nothing of it is needed.
    const item = menu?.find((each) => each.label === label);
    (item?.click as (() => void) | undefined)?.();
  };
  const names = menu?.map(({ label, role, type }) => label ?? role ?? type);
  return { names, menu, click, window, copied };
}

test('a field offers to undo, cut, copy and paste; marked text to copy; the page itself nothing', () => {
  expect(menuOn({}).names).toBeUndefined();
  expect(menuOn({ selectionText: 'x' }).names).toEqual(['copy']);
  const { names, menu } = menuOn({ isEditable: true });
  expect(names?.filter((name) => name !== 'separator')).toEqual([
    'undo',
    'redo',
    'cut',
    'copy',
    'paste',
    'selectAll',
  ]);
  const isOn = (wanted: string) => menu?.find(({ role }) => role === wanted)?.enabled;
  expect([isOn('undo'), isOn('redo'), isOn('paste')]).toEqual([true, false, false]);
});

test('a misspelled word is offered what the dictionary suggests, and is replaced by it', () => {
  const wrong = { isEditable: true, misspelledWord: 'wrod', selectionText: 'wrod' };
  const { names, click, window } = menuOn({ ...wrong, dictionarySuggestions: ['word', 'rod'] });
  expect(names?.slice(0, 4)).toEqual(['word', 'rod', 'separator', 'undo']);
  click('rod');
  expect(window.done).toEqual(['replace by rod']);
  const without = menuOn(wrong);
  expect(without.names?.[0]).toBe('No suggestions');
  expect(without.menu?.[0]?.enabled).toBe(false);
});

test('a link is copied as others can open it: a page of the app with the address of the server', () => {
  const copy = (linkURL: string): string | undefined => {
    const { click, copied } = menuOn({ linkURL });
    click('Copy link');
    return copied[0];
  };
  expect(copy('https://www.instagram.com/p/x/')).toBe('https://www.instagram.com/p/x/');
  expect(copy('app://ovation/dashboard?post=7')).toBe('http://localhost:3000/dashboard?post=7');
});

test('macOS looks marked words up; other systems have nothing to look in', () => {
  const long = 'a sentence that is longer than a menu is wide';
  const { names, click, window } = menuOn({ selectionText: long }, { isMac: true });
  expect(names).toEqual(['Look up “a sentence that is longer tha…”', 'copy']);
  click(String(names?.[0]));
  expect(window.done).toEqual(['look up']);
  expect(menuOn({ selectionText: long }).names).toEqual(['copy']);
});
