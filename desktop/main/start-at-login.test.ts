import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAutostart, startCommand } from './settings.ts';

function open(command: readonly string[] = ['/opt/Ovation/ovation']) {
  const folder = mkdtempSync(join(tmpdir(), 'ovation-autostart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'autostart', 'ovation.desktop');
  return { autostart: createAutostart(folder, command), path };
}

test('it is off until somebody wants it, and leaves nothing behind when they no longer do', () => {
  const { autostart, path } = open();
  expect(autostart.read()).toBe(false);
  autostart.set(false);
  autostart.set(true);
  expect(autostart.read()).toBe(true);
  expect(readFileSync(path, 'utf8').split('\n')).toEqual([
    '[Desktop Entry]',
    'Type=Application',
    'Name=Ovation',
    'Exec="/opt/Ovation/ovation"',
    'Terminal=false',
    '',
  ]);
  autostart.set(false);
  expect(autostart.read()).toBe(false);
  expect(() => readFileSync(path)).toThrow('ENOENT');
});

test.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'an entry that the desktop has marked "%s" is off, and on again once it is wanted',
  (mark) => {
    const { autostart, path } = open();
    autostart.set(true);
    writeFileSync(path, `${readFileSync(path, 'utf8')}${mark}\n`);
    expect(autostart.read()).toBe(false);
    autostart.set(true);
    expect(autostart.read()).toBe(true);
  },
);

test.each([
  ['/home/a b/Ovation.AppImage', String.raw`"/home/a b/Ovation.AppImage"`],
  ['/o/50%', '"/o/50%%"'],
  ['/o/$HOME`x`"', String.raw`"/o/\\$HOME\\` + '`x' + String.raw`\\` + '`' + String.raw`\\""`],
  [String.raw`/o/a\b`, String.raw`"/o/a\\\\b"`],
])('the program %s is written so that a desktop reads it as it is', (program, written) => {
  const { autostart, path } = open([program]);
  autostart.set(true);
  expect(readFileSync(path, 'utf8')).toContain(`\nExec=${written}\n`);
});

test('an AppImage is started by its own file, an app that another AppImage started by its own', () => {
  const image = { APPIMAGE: '/home/a/O.AppImage', APPDIR: '/tmp/.mount_x' };
  expect(startCommand('/tmp/.mount_x/ovation', image, undefined)).toEqual([
    '/home/a/O.AppImage',
    '--hidden',
  ]);
  expect(startCommand('/opt/Ovation/ovation', image, undefined)).toEqual([
    '/opt/Ovation/ovation',
    '--hidden',
  ]);
});

test('the app from its sources is started with their folder', () => {
  expect(startCommand('/usr/bin/electron', {}, '/src')).toEqual([
    '/usr/bin/electron',
    '/src',
    '--hidden',
  ]);
});
