import { app, crashReporter, dialog, protocol } from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { APP_SCHEME, SCHEME_PRIVILEGES } from './app-handler.ts';
import { APP_ID, followLinks, NOTICE_CLASS } from './links.ts';
import { runApp } from './run-app.ts';
import { createServerFetch, proxySwitch, trustSystem, userAgentOf } from './server-fetch.ts';

// Electron is ready only after this module has been evaluated: nothing here may be awaited, and what
// must stand before that is done at once.
protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: SCHEME_PRIVILEGES }]);
app.setAppUserModelId(APP_ID);
if (process.platform === 'win32') app.setToastActivatorCLSID(NOTICE_CLASS);
// Run from its sources it is another app: beside the installed one, with a copy and a lock of its own.
if (!app.isPackaged && !app.commandLine.hasSwitch('user-data-dir')) {
  app.setPath('userData', `${app.getPath('userData')}-dev`);
}
// Crashes are noted on this computer, and sent nowhere.
crashReporter.start({ uploadToServer: false });

// One instance: a second start hands its link to the first one and ends.
if (app.requestSingleInstanceLock()) start();
else app.quit();

function start(): void {
  const showFirst = followLinks(app, process.argv);
  const serverFetch = createServerFetch({
    fetch,
    userAgent: userAgentOf(app.getVersion(), process.versions.electron, process.platform),
    resolveProxy: (url) => app.resolveProxy(url),
    useProxy: proxySwitch(),
    trustSystem,
  });
  runApp({ showFirst, fetch: serverFetch }).catch((error: unknown) => {
    dialog.showErrorBox(`${PRODUCT_NAME} couldn’t start`, String(error));
    app.exit(1);
  });
}
