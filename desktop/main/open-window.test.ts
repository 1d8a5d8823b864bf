import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import { ABOUT_ARGUMENT } from '../ipc.ts';
import { FakeWindow } from '../testing/fake-window.ts';
import { createOutside } from './open-outside.ts';
import { openWindow, placeOf } from './open-window.ts';
import type { WindowPlace } from './window-place.ts';

const ABOUT = {
  version: '1.2.3',
  hasServer: true,
  presentServer: undefined,
  hasNoLoginItems: false,
};

function open({ place, isDark = false }: { place?: WindowPlace; isDark?: boolean } = {}) {
  const outside: string[] = [];
  const menus: MenuItemConstructorOptions[][] = [];
  const window = openWindow(
    {
      create: (options) => new FakeWindow(options),
      workAreas: () => [{ x: 0, y: 0, width: 1920, height: 1080 }],
      isDark: () => isDark,
      popUp: (menu) => void menus.push(menu),
    },
    ABOUT,
    place,
    createOutside({
      server: () => 'http://localhost:3000',
      openInBrowser: (url) => void outside.push(url),
      now: () => 0,
    }),
  );
  return { window, outside, menus };
}

test('the window has the privileges of a page and no more, and loads its own origin', () => {
  const { window } = open();
  expect(window.options.webPreferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
  expect(window.options.webPreferences?.preload).toMatch(/preload\.cjs$/);
  expect(window.loaded).toEqual(['app://ovation/']);
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

test('it opens where the last one stood, and fills the screen only once it is drawn', () => {
  const place = { x: 100, y: 50, width: 900, height: 600, isMaximized: true };
  const { window } = open({ place });
  expect(window.options).toMatchObject({ x: 100, y: 50, width: 900, height: 600 });
  expect(window.done).toEqual([]);
  window.draw();
  expect(window.done).toEqual(['maximize']);
  window.bounds = { x: 1, y: 2, width: 800, height: 600 };
  expect(placeOf(window)).toEqual({ x: 1, y: 2, width: 800, height: 600, isMaximized: true });
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

test('a field offers cut, copy and paste; the page itself offers nothing', () => {
  const { window, menus } = open();
  const click = (isEditable: boolean, selectionText: string): void => {
    const editFlags = { canCut: true, canCopy: true, canPaste: false, canSelectAll: true };
    window.emit('context-menu', undefined, {
      isEditable,
      selectionText,
      editFlags,
      misspelledWord: '',
      dictionarySuggestions: [],
    });
  };
  click(false, '');
  expect(menus).toEqual([]);
  click(true, 'x');
  click(false, 'x');
  expect(menus.map((menu) => menu.flatMap(({ role }) => role ?? []))).toEqual([
    ['cut', 'copy', 'paste', 'selectAll'],
    ['copy'],
  ]);
  expect(menus[0]?.find(({ role }) => role === 'paste')?.enabled).toBe(false);
});

test('a misspelled word is offered what the dictionary suggests, and is replaced by it', () => {
  const { window, menus } = open();
  const click = (dictionarySuggestions: string[]): void => {
    const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
    const clicked = { isEditable: true, selectionText: 'wrod', editFlags };
    window.emit('context-menu', undefined, {
      ...clicked,
      misspelledWord: 'wrod',
      dictionarySuggestions,
    });
  };
  click(['word', 'rod']);
  click([]);
  expect(menus.map((menu) => menu.slice(0, 3).map(({ label, role }) => label ?? role))).toEqual([
    ['word', 'rod', undefined],
    ['No suggestions', undefined, 'cut'],
  ]);
  expect(menus[1]?.[0]?.enabled).toBe(false);
  // Electron hands over the item, the window and the event; nothing of it is needed.
  const choose = menus[0]?.[1]?.click as (() => void) | undefined;
  choose?.();
  expect(window.done).toEqual(['replace by rod']);
});
