import type { MenuItemConstructorOptions } from 'electron';
import { expect, test } from 'vitest';
import type { ShellCommand } from '#shared/platform.ts';
import { menuTemplate, trayLine, trayTemplate } from './menu.ts';

type Item = MenuItemConstructorOptions;

function flatten(items: readonly Item[]): Item[] {
  return items.flatMap((item) => [
    item,
    ...(Array.isArray(item.submenu) ? flatten(item.submenu) : []),
  ]);
}

function openMenu(isMac: boolean, isDevelopment = false) {
  const commands: ShellCommand[] = [];
  const done: string[] = [];
  const items = flatten(
    menuTemplate(
      { isMac, isDevelopment, appName: 'Ovation' },
      {
        command: (command) => void commands.push(command),
        chooseServer: () => void done.push('server'),
        checkForUpdate: () => void done.push('update'),
        showAbout: () => void done.push('about'),
        revealLogs: () => void done.push('logs'),
        reload: () => void done.push('reload'),
        find: () => void done.push('find'),
        go: (where) => void done.push(where),
        print: () => void done.push('print'),
        saveAsPdf: () => void done.push('pdf'),
      },
    ),
  );
  const click = (label: string): void => {
    const item = items.find((one) => one.label === label);
    // Items of ours ignore what Electron hands to a click.
    (item?.click as (() => void) | undefined)?.();
  };
  return { items, click, commands, done };
}

test.each([true, false])('every item of the menu does what it says (mac: %s)', (isMac) => {
  const { click, commands, done } = openMenu(isMac);
  for (const label of ['Find a command…', 'Dashboard', 'Billing', 'Add account…', 'Sync now']) {
    click(label);
  }
  const own = [
    'About Ovation',
    'Check for updates',
    'Change server…',
    'Reveal logs',
    'Reload',
    'Find in page…',
  ];
  for (const label of [...own, 'Back', 'Forward', 'Print…', 'Save as PDF…']) click(label);
  expect(commands).toEqual([
    { kind: 'palette' },
    { kind: 'open', path: '/dashboard' },
    { kind: 'open', path: '/my-billing' },
    { kind: 'add_account' },
    { kind: 'sync_now' },
  ]);
  expect(done.join(' ')).toBe('about update server logs reload find back forward print pdf');
});

test.each([true, false])('no two items share a shortcut (mac: %s)', (isMac) => {
  const shortcuts = openMenu(isMac).items.flatMap(({ accelerator }) => accelerator ?? []);
  expect(new Set(shortcuts).size).toBe(shortcuts.length);
  expect(shortcuts.length).toBeGreaterThan(6);
});

test('zooming in works with and without Shift, and on the block of numbers', () => {
  const keys = openMenu(false).items.filter(({ role }) => role === 'zoomIn');
  expect(keys.map(({ accelerator }) => accelerator)).toEqual([
    undefined,
    'CmdOrCtrl+=',
    'CmdOrCtrl+numadd',
  ]);
  expect(keys.map(({ visible }) => visible)).toEqual([undefined, false, false]);
});

test('the tools for developers are offered to those who run the sources', () => {
  const hasTools = (isDevelopment: boolean): boolean =>
    openMenu(false, isDevelopment).items.some(({ role }) => role === 'toggleDevTools');
  expect([hasTools(true), hasTools(false)]).toEqual([true, false]);
});

test('macOS has the settings and the services in the menu of the app', () => {
  const { items } = openMenu(true);
  expect(items.find(({ label }) => label === 'Settings…')?.accelerator).toBe('CmdOrCtrl+,');
  expect(items.map(({ role }) => role)).toContain('services');
});

test('zoom and quit are there', () => {
  const roles = openMenu(false).items.map(({ role }) => role);
  expect(roles).toEqual(expect.arrayContaining(['zoomIn', 'zoomOut', 'resetZoom', 'quit']));
});

test('the tray says how the replica stands', () => {
  expect(trayLine({ sync: 'live', pending: 0 })).toBe('Up to date');
  expect(trayLine({ sync: 'offline', pending: 1 })).toBe('Offline, 1 change waiting');
  expect(trayLine({ sync: 'offline', pending: 2 })).toBe('Offline, 2 changes waiting');
});

test('a quick action of the tray brings the window up first', () => {
  const done: string[] = [];
  const items = trayTemplate({ sync: 'live', pending: 0 }, 'Ovation', {
    show: () => void done.push('show'),
    command: ({ kind }) => void done.push(kind),
    quit: () => void done.push('quit'),
  });
  for (const item of items) (item.click as (() => void) | undefined)?.();
  expect(done).toEqual(['show', 'show', 'open', 'show', 'buy_credits', 'sync_now', 'quit']);
});
