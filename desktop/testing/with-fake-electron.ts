/** Runs a built or unbuilt main process in this Node, on a false Electron: `node <this> <main> <data> <world>`. */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import tls from 'node:tls';
import { pathToFileURL } from 'node:url';
import type { World } from './fake-world.ts';

const [, , main = '', userData = '', worldText = ''] = process.argv;
const around = JSON.parse(worldText) as World;
const FALSE: Record<string, string> = {
  electron: new URL('./fake-electron.ts', import.meta.url).href,
  'electron-updater': new URL('./fake-updater.ts', import.meta.url).href,
};
registerHooks({
  resolve: (name, context, next) => {
    const url = FALSE[name];
    return url === undefined ? next(name, context) : { url, shortCircuit: true };
  },
});
Object.defineProperty(process.versions, 'electron', { value: '45.0.0' });
Object.defineProperty(process, 'platform', { value: around.platform });
// Electron names the folder of the package so; what the packaging leaves there for updates:
Object.defineProperty(process, 'resourcesPath', { value: userData });
writeFileSync(join(userData, 'app-update.yml'), `provider: generic\nurl: ${around.updateUrl}\n`);
writeFileSync(join(userData, 'package.json'), JSON.stringify({ updatePublicKey: 'any' }));
process.argv.splice(2);

const { book, outside } = await import('./fake-world.ts');
const { app, control } = await import('./fake-electron.ts');
const { LIVES } = await import('./lives.ts');
const { hasLock, isPackaged, isBroken, keyring } = around;
Object.assign(outside, { hasLock, isPackaged, isBroken, keyring, userData });
// What the system trusts is read without its answer being looked at.
const readCertificates = tls.getCACertificates;
tls.getCACertificates = (type) => {
  if (type === 'system') book.done.push('trusts the system');
  return readCertificates(type);
};

const opened = control.nextWindow();
const failed = control.ended();
await import(pathToFileURL(main).href);
// Electron: only now, with the entry evaluated.
const facts: Record<string, unknown> = { 'before ready': [...book.done] };
facts['listens for'] = app.eventNames();
app.emit('open-url', { preventDefault: () => undefined }, 'ovation://billing');
control.becomeReady();
await Promise.race([opened, failed]);
const [first] = book.windows;
if (first) Object.assign(facts, await LIVES[around.life]?.(first, userData));
const unsafe = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
const ended = { all: book.done, errors: book.errors, windows: book.windows.length, unsafe };
process.stdout.write(`${JSON.stringify({ ...facts, ...ended })}\n`);
process.exit();
