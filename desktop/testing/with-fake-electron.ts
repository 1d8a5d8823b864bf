/** Runs a built or unbuilt main process in this Node, on a false Electron: `node <this> <main> <data>`. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SYNC_PROTOCOL } from '../../shared/sync/version.ts';

const [, , main = '', userData = ''] = process.argv;
const fakeUrl = new URL('./fake-electron.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: fakeUrl, shortCircuit: true } : next(name, context),
});
const { app, book, control, outside } = await import('./fake-electron.ts');
outside.userData = userData;

/** A server of the product, as far as choosing one asks. */
const server = createServer((_request, response) => {
  const data = { product: 'Ovation', protocol: SYNC_PROTOCOL, oldestProtocol: SYNC_PROTOCOL };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'success', data }));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
// So that an entry which waits for what can't come ends this process at once.
server.unref();
// A TCP server's address is never a path.
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const facts: Record<string, unknown> = {};
const opened = control.nextWindow();
const failed = control.ended();
await import(pathToFileURL(main).href);
// Electron: only now, with the entry evaluated.
facts['before ready'] = [...book.done];
app.emit('open-url', { preventDefault: () => undefined }, 'ovation://billing');
control.becomeReady();
await Promise.race([opened, failed]);
const [first] = book.windows;
if (first) await live(first);
process.stdout.write(`${JSON.stringify({ ...facts, errors: book.errors })}\n`);
process.exit();

async function live(window: (typeof book.windows)[number]): Promise<void> {
  facts['loaded'] = window.loaded;
  facts['page'] = await (await control.fetch('app://ovation/')).text();
  facts['asked for a server'] = String(window.options.webPreferences?.additionalArguments);
  facts['ready'] = [...book.done];
  window.draw();
  facts['shown'] = [...window.done];

  const next = control.nextWindow();
  facts['choice'] = ((await control.ask('chooseServer', address)) as { kind: string }).kind;
  const second = await next;
  facts['window after the choice'] = String(second.options.webPreferences?.additionalArguments);
  facts['storage is cleared'] = book.done.includes('storage cleared');
  second.draw();
  app.emit('second-instance', {}, ['ovation', 'ovation://settings']);
  await control.ask('setListening', true);
  facts['told'] = second.sent;
  facts['closing'] = second.close();
  app.quit();
  facts['closing after the quit'] = second.close();
}
