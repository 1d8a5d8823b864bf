/** Runs a built or unbuilt main process in this Node, on a false Electron: `node <this> <main> <data> <world>`. */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { basename, delimiter, join } from 'node:path';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import { startUpdateServer } from './fake-update-server.ts';
import type { World } from './fake-world.ts';

const [, , main = '', userData = '', worldText = ''] = process.argv;
const around = JSON.parse(worldText) as World;
const at = (...names: string[]): string => join(userData, ...names);
const electron = new URL('./fake-electron.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: electron, shortCircuit: true } : next(name, context),
});
Object.defineProperty(process.versions, 'electron', { value: '45.0.0' });
Object.defineProperty(process, 'platform', { value: around.platform });

// The package that the app runs from: an AppImage, and what the packaging leaves in it for updates.
fs.rmSync(at('updates'), { recursive: true, force: true });
const updates = await startUpdateServer(at('updates'), around.updateLie);
Object.defineProperty(process, 'resourcesPath', { value: userData });
const url = around.updateUrl ?? updates.url;
fs.writeFileSync(at('app-update.yml'), `provider: generic\nurl: ${url}\nupdaterCacheDirName: o\n`);
fs.writeFileSync(at('package.json'), JSON.stringify({ updatePublicKey: updates.publicKey }));
fs.mkdirSync(at('image'), { recursive: true });
fs.writeFileSync(at('image/Ovation.AppImage'), 'version 1.2.3');
if (around.isReadOnly) fs.rmSync(at('image'), { recursive: true });
process.env['APPIMAGE'] = at('image/Ovation.AppImage');
process.env['XDG_CACHE_HOME'] = at('cache');

// Half a minute of waiting is none.
if (around.life === 'an update held up') {
  const { setTimeout: wait } = globalThis;
  const hurry = (act: () => void, delayMs = 0, ...given: []) =>
    wait(act, delayMs >= 30_000 ? delayMs / 100 : delayMs, ...given);
  globalThis.setTimeout = Object.assign(hurry, wait);
}

// The system around it.
fs.mkdirSync(at('bin'), { recursive: true });
const answer = `echo "   variant       boolean ${around.hasTray}"`;
fs.writeFileSync(at('bin/dbus-send'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
process.env['PATH'] = `${at('bin')}${delimiter}${process.env['PATH']}`;
process.argv.splice(
  2,
  Infinity,
  ...(around.isAtLogin && around.platform !== 'darwin' ? ['--hidden'] : []),
);

const { book, outside } = await import('./fake-world.ts');
const { app, control, safeStorage } = await import('./fake-electron.ts');
const { LIVES } = await import('./lives.ts');
const { hasLock, isPackaged, isBroken, keyring, isAtLogin: wasOpenedAtLogin } = around;
const { diskFailure, takesLinks } = around;
Object.assign(outside, { hasLock, isPackaged, isBroken, userData, wasOpenedAtLogin });
Object.assign(outside, { diskFailure, takesLinks });
safeStorage.kind = keyring;
// What the system trusts is read without its answer being looked at.
const readCertificates = tls.getCACertificates;
tls.getCACertificates = (type) => {
  if (type === 'system') book.done.push('trusts the system');
  return readCertificates(type);
};
for (const [name, call] of Object.entries(fs)) {
  if (!name.endsWith('Sync') || typeof call !== 'function') continue;
  const watched = (...args: unknown[]): unknown => {
    if (outside.isUnseen) book.heldUp.push(name);
    return Reflect.apply(call, fs, args);
  };
  Object.assign(fs, { [name]: Object.assign(watched, call) });
}
for (const name of ['readFile', 'readdir', 'stat'] as const) {
  const call = fs.promises[name] as (...args: unknown[]) => Promise<unknown>;
  Reflect.set(fs.promises, name, (path: unknown, ...args: unknown[]) => {
    if (outside.isUnseen) book.read.add(basename(String(path)));
    return Reflect.apply(call, fs.promises, [path, ...args]);
  });
}
failWrites(fs, 'Sync', (error) => {
  throw error;
});
failWrites(fs.promises, '', async (error) => {
  throw error;
});
syncBuiltinESMExports();

const opened = control.nextWindow();
const failed = control.ended();
await import(pathToFileURL(main).href);
// Electron: only now, with the entry evaluated.
const facts: Record<string, unknown> = { 'before ready': [...book.done] };
facts['listens for'] = app.eventNames();
app.emit('open-url', { preventDefault: () => undefined }, 'ovation://billing');
outside.isUnseen = true;
control.becomeReady();
await Promise.race([opened, failed]);
const [first] = book.windows;
if (first) Object.assign(facts, await LIVES[around.life]?.(first, { data: userData, updates }));
const unsafe = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
const { done: all, errors, heldUp } = book;
const read = [...book.read];
const ended = { all, errors, heldUp, read, windows: book.windows.length, unsafe };
process.stdout.write(`${JSON.stringify({ ...facts, ...ended })}\n`);
process.exit();

/** Every write to the person's folder fails while the world says so. */
function failWrites(disk: object, end: string, fail: (error: Error) => unknown): void {
  for (const what of ['writeFile', 'appendFile', 'mkdir', 'rename', 'rm', 'open']) {
    const name = `${what}${end}`;
    const call = Reflect.get(disk, name) as (...args: unknown[]) => unknown;
    const failing = (path: unknown, ...args: unknown[]): unknown => {
      const { diskFailure: code } = outside;
      const isTheirs = code !== undefined && String(path).startsWith(userData);
      // A full disk still lets go of files.
      if (isTheirs && !(code === 'ENOSPC' && what === 'rm')) {
        return fail(Object.assign(new Error(`${code}: ${name}`), { code }));
      }
      return Reflect.apply(call, disk, [path, ...args]);
    };
    Reflect.set(disk, name, failing);
  }
}
