import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, BrowserWindow, net, protocol, shell } from 'electron';

/** The renderer has an origin of its own, so that storage and routes work as on the web. */
const SCHEME = 'app';
const ORIGIN = `${SCHEME}://ovation`;
const RENDERER = join(import.meta.dirname, '../renderer');

protocol.registerSchemesAsPrivileged([
  { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

/** Serves the built renderer and nothing else; every address without a file is a route of the UI. */
function serveRenderer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isFile = /^\/(assets\/)?[\w.-]+\.\w+$/.test(pathname);
  const file = join(RENDERER, isFile ? pathname : 'index.html');
  return net.fetch(pathToFileURL(file).href);
}

function openWindow(): void {
  const window = new BrowserWindow({
    width: 1280,
    height: 860,
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
    },
  });
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (url.startsWith('https://')) void shell.openExternal(url);
    return { action: 'deny' };
  });
  window.webContents.on('will-navigate', (event) => {
    if (new URL(event.url).origin !== ORIGIN) event.preventDefault();
  });
  void window.loadURL(`${ORIGIN}/`);
}

await app.whenReady();
protocol.handle(SCHEME, serveRenderer);
openWindow();
app.on('window-all-closed', () => app.quit());
