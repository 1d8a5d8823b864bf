import { join } from 'node:path';
import {
  app,
  autoUpdater,
  crashReporter,
  dialog,
  powerMonitor,
  protocol,
  safeStorage,
  session,
  shell,
} from 'electron';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import {
  APP_SCHEME,
  createAppHandler,
  openRendererFiles,
  SCHEME_PRIVILEGES,
} from './app-handler.ts';
import { APP_ID, closeSession, followLinks, LINK_SCHEME, NOTICE_CLASS } from './guards.ts';
import { hasTrayHost } from './menu.ts';
import { openPictureFolder } from './picture-folder.ts';
import { createProxyLogins, type ProxyLogins } from './proxy-login.ts';
import { proxySwitch } from './proxy.ts';
import { createServerFetch, trustSystem, userAgentOf } from './server.ts';
import { createSessionJar, openSecretFile } from './session.ts';
import {
  mayHoldLock,
  createProblems,
  type Log,
  openLogFile,
  openSettingsFile,
} from './settings.ts';
import { openShell } from './shell.ts';
import { runProgram, sourceFolder, wasStartedAtLogin } from './system.ts';
import type { AppWindow } from './window.ts';

// Electron is ready only after this module has been evaluated: nothing here may be awaited, and what
// must stand before that is done at once.
protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: SCHEME_PRIVILEGES }]);
app.setAppUserModelId(APP_ID);
if (process.platform === 'win32') app.setToastActivatorCLSID(NOTICE_CLASS);
// Run from its sources it is another app: beside the installed one, with a replica and a lock of its own.
if (!app.isPackaged && !app.commandLine.hasSwitch('user-data-dir')) {
  app.setPath('userData', `${app.getPath('userData')}-dev`);
}
// Crashes are kept on this computer, and sent nowhere.
crashReporter.start({ uploadToServer: false });

// One instance: a second start hands its link to the first one and ends.
// Electron refuses the lock as well where its file can't be made: then no other window comes up.
if (app.requestSingleInstanceLock()) start();
else if (mayHoldLock(app.getPath('userData'))) app.quit();
else void endForFolder(app.getPath('userData'));

/** Linux shows no box before Electron is ready. */
async function endForFolder(folder: string): Promise<void> {
  await app.whenReady();
  dialog.showErrorBox(
    `${PRODUCT_NAME} couldn’t start`,
    `It can’t save anything in ${folder}. Please make this folder writable, or free up some space, then start ${PRODUCT_NAME} again.`,
  );
  app.exit(1);
}

function start(): void {
  runApp(followLinks(app, process.argv)).catch((error: unknown) => {
    dialog.showErrorBox(`${PRODUCT_NAME} couldn’t start`, String(error));
    app.exit(1);
  });
}

/**
 * Runs the app from the moment Electron is ready. What the window doesn't need waits until it has something
 * to show; until then nothing holds the process up: no call of the keyring, none of the disk that blocks.
 * Throws when it can't start. `showFirst` opens the window.
 */
async function runApp(
  showFirst: (window: Pick<AppWindow, 'show' | 'command'>) => void,
): Promise<void> {
  await app.whenReady();
  const data = app.getPath('userData');
  const logFile = join(app.getPath('logs'), 'ovation.log');
  const log = openLogFile(logFile, Date.now);
  logFailures(log);
  const settings = await openSettingsFile(join(data, 'settings.json'));
  const server = (): string | undefined => settings.read().server;
  const problems = createProblems(settings, log, () => shell.showItemInFolder(logFile));
  const secrets = (name: string) =>
    openSecretFile(join(data, name), safeStorage, process.platform === 'linux');
  const jar = createSessionJar(secrets('session'), Date.now, problems.sessionNotKept);
  const proxyLogins = createProxyLogins({
    secrets: secrets('proxy-logins'),
    onQuestion: (question) => window.tell('proxyQuestion', question),
    // What waited for a way to the server goes on.
    onAnswered: () => window.tell('wake', null),
    notKept: problems.proxyLoginNotKept,
    unknownKind: problems.unknownProxyLogin,
  });
  const fetch = openServerFetch(proxyLogins);
  const readFile = await openRendererFiles(join(import.meta.dirname, '../renderer'));
  const pictures = openPictureFolder(join(data, 'pictures'));
  let sinceWake = new AbortController();
  const awake = (): AbortSignal => sinceWake.signal;
  const handler = { readFile, server, jar, pictures, now: Date.now, fetch, awake };
  protocol.handle(APP_SCHEME, createAppHandler(handler));
  closeSession(session.defaultSession, !app.isPackaged);
  const window = openShell({ settings, jar, pictures, fetch, proxyLogins, problems, log }, () => {
    registerLinks(log);
    powerMonitor.on('resume', () => {
      // Connections of before are dead, though nobody has said so.
      const before = sinceWake;
      sinceWake = new AbortController();
      before.abort();
      window.tell('wake', null);
    });
  });
  app.on('before-quit', window.letClose);
  autoUpdater.on('before-quit-for-update', () => {
    window.letClose();
    // The new version is started already, and wants the lock.
    app.releaseSingleInstanceLock();
  });
  app.on('activate', window.show);
  const isUnasked = wasStartedAtLogin() && server() !== undefined;
  const isAway = isUnasked && (await hasTrayHost(process.platform, runProgram));
  showFirst(isAway ? openedHidden(window) : window);
}

function openServerFetch(proxyLogins: ProxyLogins) {
  return createServerFetch({
    fetch: globalThis.fetch,
    userAgent: userAgentOf(app.getVersion(), process.versions.electron, process.platform),
    resolveProxy: (url) => app.resolveProxy(url),
    passProxy: (proxy, origin) => proxyLogins.pass(proxy, origin),
    useProxy: proxySwitch(),
    trustSystem,
  });
}

/** Nobody waits for the first window: it stays out of sight until it is asked for. */
function openedHidden(window: AppWindow): Pick<AppWindow, 'show' | 'command'> {
  let isFirst = true;
  return {
    command: window.command,
    show: () => {
      if (isFirst) window.openHidden();
      else window.show();
      isFirst = false;
    },
  };
}

/** Electron shows what nobody caught; a log keeps it. */
function logFailures(log: Log): void {
  const { platform, arch, versions } = process;
  const desktop = app.commandLine.getSwitchValue('ozone-platform');
  const on = desktop === '' ? '' : ` on ${desktop}`;
  log(`${app.getVersion()} starts: Electron ${versions.electron}, ${platform} ${arch}${on}`);
  process.on('uncaughtExceptionMonitor', (error) => log(`Not caught: ${String(error.stack)}`));
  app.on('render-process-gone', (_event, _page, { reason, exitCode }) =>
    log(`The page ended: ${reason}, ${exitCode}`),
  );
  app.on('child-process-gone', (_event, { type, reason, exitCode }) =>
    log(`${type} ended: ${reason}, ${exitCode}`),
  );
}

/** Links belong to the installed app: one run from its sources would take them away from it. */
function registerLinks(log: Log): void {
  if (sourceFolder() !== undefined) return;
  // An AppImage that nobody has put among the programs has no entry to be found by.
  if (!app.setAsDefaultProtocolClient(LINK_SCHEME)) log('The system gives this app no links');
}
