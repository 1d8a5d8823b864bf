import type { Platform } from '#shared/platform.ts';
import { browserPlatform } from '#web/platform/browser.ts';
import type { Shell } from '../ipc.ts';

/** The desktop app as the shell: the window is a browser of its own, the rest is asked of the main process. */
export function electronPlatform(shell: Shell): Platform {
  const ask = (asked: Promise<unknown>): void => {
    asked.catch((error: unknown) => browserPlatform.report('The shell did not answer', error));
  };
  return {
    ...browserPlatform,
    kind: 'desktop',
    version: shell.version,
    notify: (notice) => ask(shell.request('notify', notice)),
    setBadge: (count) => ask(shell.request('setBadge', count)),
    showSyncState: (state) => ask(shell.request('setTrayState', state)),
    onCommand: (listener) => {
      const stop = shell.on('command', listener);
      ask(shell.request('ready'));
      return stop;
    },
    updates: {
      check: () => shell.request('checkForUpdate'),
      install: () => ask(shell.request('installUpdate')),
      onChange: (listener) => shell.on('update', listener),
    },
    startAtLogin: {
      read: () => shell.request('readStartAtLogin'),
      set: (isOn) => shell.request('setStartAtLogin', isOn),
    },
    forgetPictures: () => shell.request('forgetPictures'),
    openExternal: (url) => ask(shell.request('openExternal', url)),
    print: () => ask(shell.request('print')),
    saveFile: (name, content) => ask(shell.request('saveFile', { name, content })),
  };
}
