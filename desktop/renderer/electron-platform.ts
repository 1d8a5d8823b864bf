import type { Platform, PlatformSwitch } from '#shared/platform.ts';
import { browserPlatform } from '#web/platform/browser.ts';
import type { Shell } from '../ipc.ts';

/** The desktop app as the shell: the window is a browser of its own, the rest is asked of the main process. */
export function electronPlatform(shell: Shell) {
  const ask = (asked: Promise<unknown>): void => {
    asked.catch((error: unknown) => browserPlatform.report('The shell did not answer', error));
  };
  return {
    ...browserPlatform,
    kind: 'desktop',
    version: shell.version,
    // A window behind others counts as visible on some systems: who works elsewhere is to be told.
    isVisible: () => browserPlatform.isVisible() && document.hasFocus(),
    onWake: (listener) => onWake(shell, listener),
    notify: (notice) => ask(shell.request('notify', notice)),
    setBadge: (count) => ask(shell.request('setBadge', count)),
    showSyncState: (state) => ask(shell.request('setTrayState', state)),
    onCommand: (listener) => {
      const stop = shell.on('command', listener);
      ask(shell.request('setListening', true));
      return () => {
        stop();
        ask(shell.request('setListening', false));
      };
    },
    updates: {
      check: () => shell.request('checkForUpdate'),
      install: () => ask(shell.request('installUpdate')),
      onChange: (listener) => {
        let isOn = true;
        const tell = async (): Promise<void> => {
          // One that was downloaded before this window was there is not told again.
          const state = await shell.request('readUpdate');
          if (isOn && state.kind === 'ready') listener(state);
        };
        ask(tell());
        const stop = shell.on('update', listener);
        return () => {
          isOn = false;
          stop();
        };
      },
    },
    // The shell tells, and the system has a choice of its own for that.
    notices: undefined,
    push: undefined,
    install: undefined,
    startAtLogin: shell.hasNoLoginItems
      ? undefined
      : switchOf(shell, 'readStartAtLogin', 'setStartAtLogin'),
    keepRunning: switchOf(shell, 'readKeepRunning', 'setKeepRunning'),
    support: {
      readProblems: () => shell.request('readProblems'),
      revealLogs: () => ask(shell.request('revealLogs')),
    },
    startNewer: () => ask(shell.request('startNewer')),
    forgetPictures: () => shell.request('forgetPictures'),
    openExternal: (url) => ask(shell.request('openExternal', url)),
    leaveFor: (url) => ask(shell.request('openExternal', url)),
    print: () => ask(shell.request('print')),
    // That a file could not be saved is told by the shell itself.
    saveFile: (name, content) => ask(shell.request('saveFile', { name, content })),
  } satisfies Platform;
}

/** The person comes back to the page, or the computer wakes up. */
function onWake(shell: Shell, listener: () => void): () => void {
  const stops = [browserPlatform.onWake(listener), shell.on('wake', () => listener())];
  return () => {
    for (const stop of stops) stop();
  };
}

function switchOf(
  shell: Shell,
  read: 'readStartAtLogin' | 'readKeepRunning',
  set: 'setStartAtLogin' | 'setKeepRunning',
): PlatformSwitch {
  return { read: () => shell.request(read), set: (isOn) => shell.request(set, isOn) };
}
