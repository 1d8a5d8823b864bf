import { join } from 'node:path';
import { app, autoUpdater, powerMonitor, protocol, safeStorage, session, shell } from 'electron';
import { APP_SCHEME, createAppHandler, openRendererFiles } from './app-handler.ts';
import type { AppWindow } from './app-window.ts';
import { runProgram, sourceFolder, wasStartedAtLogin } from './electron-system.ts';
import { closeSession } from './guards.ts';
import { LINK_SCHEME } from './links.ts';
import { type Log, openLogFile } from './trouble.ts';
import { openPictureFolder } from './picture-folder.ts';
import { createSessionJar, createVault } from './session.ts';
import { openSettingsFile } from './settings-file.ts';
import { openShell } from './shell.ts';
import { hasTrayHost } from './tray.ts';
import { createTrouble } from './trouble.ts';

export interface Start {
  /** Opens the window. */
  showFirst: (window: Pick<AppWindow, 'show' | 'command'>) => void;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * Runs the app from the moment Electron is ready. What the window doesn't need waits until it has something
 * to show; until then nothing holds the process up: no call of the keyring, none of the disk that blocks.
 * Throws when it can't start.
 */
export async function runApp({ showFirst, fetch }: Start): Promise<void> {
  await app.whenReady();
  const data = app.getPath('userData');
  const logFile = join(app.getPath('logs'), 'ovation.log');
  const log = openLogFile(logFile, Date.now);
  logFailures(log);
  const settings = await openSettingsFile(join(data, 'settings.json'));
  const server = (): string | undefined => settings.read().server;
  const trouble = createTrouble(settings, log, () => shell.showItemInFolder(logFile));
  const vault = createVault(join(data, 'session'), safeStorage, process.platform === 'linux');
  const jar = createSessionJar(vault, Date.now, trouble.notKept);
  const readFile = await openRendererFiles(join(import.meta.dirname, '../renderer'));
  const pictures = openPictureFolder(join(data, 'pictures'));
  const sleep = createSleep();
  const { awake } = sleep;
  const handler = { readFile, server, jar, pictures, now: Date.now, fetch, awake };
  protocol.handle(APP_SCHEME, createAppHandler(handler));
  closeSession(session.defaultSession, !app.isPackaged);
  const window = openShell({ settings, jar, pictures, fetch, trouble, log }, () => {
    registerLinks(log);
    powerMonitor.on('resume', () => {
      sleep.end();
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

interface Sleep {
  awake: () => AbortSignal;
  /** The computer wakes up: connections of before are dead, though nobody has said so. */
  end: () => void;
}

function createSleep(): Sleep {
  let present = new AbortController();
  return {
    awake: () => present.signal,
    end: () => {
      const before = present;
      present = new AbortController();
      before.abort();
    },
  };
}

/** Electron shows what nobody caught; a log keeps it. */
function logFailures(log: Log): void {
  const { platform, arch, versions } = process;
  log(`${app.getVersion()} starts: Electron ${versions.electron}, ${platform} ${arch}`);
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
