/** Plays a scenario on a main process, built or not, on a fake Electron: `node <this> <main> <data> <scenario>`. */
import { deepEqual, match } from 'node:assert/strict';
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { basename, delimiter, join } from 'node:path';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';

const [, , main = '', userData = '', name = ''] = process.argv;
const at = (...names: string[]): string => join(userData, ...names);
const electron = new URL('./fake-electron.ts', import.meta.url).href;
registerHooks({
  resolve: (module, context, next) =>
    module === 'electron' ? { url: electron, shortCircuit: true } : next(module, context),
});
const { record, world } = await import('./fake-world.ts');
const { SCENARIOS } = await import('./scenarios/table.ts');
const scenario = SCENARIOS[name];
if (!scenario) throw new Error(`There is no scenario "${name}"`);
Object.assign(world, scenario.world, { userData });
Object.defineProperty(process.versions, 'electron', { value: '45.0.0' });
Object.defineProperty(process, 'platform', { value: world.platform });

// The package that the app runs from: an AppImage, and what the packaging leaves in it for updates.
const { startUpdateServer } = await import('./fake-update-server.ts');
fs.rmSync(at('updates'), { recursive: true, force: true });
const updates = await startUpdateServer(at('updates'), world.updateLie);
Object.defineProperty(process, 'resourcesPath', { value: userData });
const url = world.updateUrl ?? updates.url;
fs.writeFileSync(at('app-update.yml'), `provider: generic\nurl: ${url}\nupdaterCacheDirName: o\n`);
fs.writeFileSync(at('package.json'), JSON.stringify({ updatePublicKey: updates.publicKey }));
fs.mkdirSync(at('image'), { recursive: true });
fs.writeFileSync(at('image/Ovation.AppImage'), 'version 1.2.3');
if (world.isReadOnly) fs.rmSync(at('image'), { recursive: true });
process.env['APPIMAGE'] = at('image/Ovation.AppImage');
process.env['XDG_CACHE_HOME'] = at('cache');
if (world.isInHurry) {
  const { setTimeout: wait } = globalThis;
  const hurry = (act: () => void, delayMs = 0, ...given: []) =>
    wait(act, delayMs >= 30_000 ? delayMs / 100 : delayMs, ...given);
  globalThis.setTimeout = Object.assign(hurry, wait);
}

// The system around it.
fs.mkdirSync(at('bin'), { recursive: true });
const answer = `echo "   variant       boolean ${world.hasTray}"`;
fs.writeFileSync(at('bin/dbus-send'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
process.env['PATH'] = `${at('bin')}${delimiter}${process.env['PATH']}`;
const isTold = world.isAtLogin && world.platform !== 'darwin';
process.argv.splice(2, Infinity, ...(isTold ? ['--hidden'] : []));

// After the platform is what the scenario says.
const { app, control, safeStorage } = await import('./fake-electron.ts');
safeStorage.kind = world.keyring;
// What the system trusts is read without its answer being looked at.
const readCertificates = tls.getCACertificates;
tls.getCACertificates = (type) => {
  if (type === 'system') record.done.push('trusts the system');
  return readCertificates(type);
};
for (const [method, call] of Object.entries(fs)) {
  if (!method.endsWith('Sync') || typeof call !== 'function') continue;
  const watched = (...args: unknown[]): unknown => {
    if (world.isUnseen) record.heldUp.push(method);
    return Reflect.apply(call, fs, args);
  };
  Object.assign(fs, { [method]: Object.assign(watched, call) });
}
for (const method of ['readFile', 'readdir', 'stat'] as const) {
  const call = fs.promises[method] as (...args: unknown[]) => Promise<unknown>;
  Reflect.set(fs.promises, method, (path: unknown, ...args: unknown[]) => {
    if (world.isUnseen) record.read.add(basename(String(path)));
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
const beforeReady = [...record.done];
app.emit('open-url', { preventDefault: () => undefined }, 'ovation://billing');
world.isUnseen = true;
control.becomeReady();
await Promise.race([opened, failed]);
const run = {
  data: userData,
  updates,
  beforeReady,
  get window() {
    const [first] = record.windows;
    if (!first) throw new Error(`No window was opened. ${record.errors.join()}`);
    return first;
  },
};
await scenario.play(run);
if (scenario.fails) match(record.errors.join(), scenario.fails);
else deepEqual(record.errors, []);
process.stdout.write(`${JSON.stringify({ read: [...record.read], heldUp: record.heldUp })}\n`);
process.exit();

/** Every write to the person's folder fails while the world says so. */
function failWrites(disk: object, end: string, fail: (error: Error) => unknown): void {
  for (const what of ['writeFile', 'appendFile', 'mkdir', 'rename', 'rm', 'open']) {
    const method = `${what}${end}`;
    const call = Reflect.get(disk, method) as (...args: unknown[]) => unknown;
    const failing = (path: unknown, ...args: unknown[]): unknown => {
      const { diskFailure: code } = world;
      const isTheirs = code !== undefined && String(path).startsWith(userData);
      // A full disk still lets go of files.
      if (isTheirs && !(code === 'ENOSPC' && what === 'rm')) {
        return fail(Object.assign(new Error(`${code}: ${method}`), { code }));
      }
      return Reflect.apply(call, disk, [path, ...args]);
    };
    Reflect.set(disk, method, failing);
  }
}
