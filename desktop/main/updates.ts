import type { UpdateState } from '#shared/platform.ts';

/** The part of electron-updater that is needed. */
export interface Updater {
  checkForUpdates(): Promise<{
    isUpdateAvailable: boolean;
    updateInfo: { version: string };
    downloadPromise?: Promise<unknown> | null;
  } | null>;
  quitAndInstall(): void;
  on(event: 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
}

export interface Updates {
  state(): UpdateState;
  /** Asks the configured address; what is found is downloaded at once. */
  check(): Promise<UpdateState>;
  /** Restarts into a downloaded update; does nothing without one. */
  install(): void;
}

export interface UpdateDeps {
  onChange(state: UpdateState): void;
  /** Lets the windows close: the app is about to end for the update. */
  beforeRestart(): void;
}

/** Updates come from one configured address, and only when the person lets them in. */
export function createUpdates(updater: Updater | undefined, deps: UpdateDeps): Updates {
  let state: UpdateState = { kind: updater ? 'none' : 'not_configured' };
  const set = (next: UpdateState): UpdateState => {
    state = next;
    deps.onChange(next);
    return next;
  };
  const fail = (): UpdateState =>
    // What was downloaded stays good, whatever goes wrong afterwards.
    state.kind === 'ready' ? state : set({ kind: 'failed' });
  updater?.on('update-downloaded', ({ version }) => set({ kind: 'ready', version }));
  updater?.on('error', fail);

  return {
    state: () => state,
    check: async () => {
      if (!updater || state.kind === 'ready' || state.kind === 'downloading') return state;
      try {
        const found = await updater.checkForUpdates();
        if (!found?.isUpdateAvailable) return set({ kind: 'none' });
        // A small one may be there before the answer is.
        if (isReady(state)) return state;
        found.downloadPromise?.catch(fail);
        return set({ kind: 'downloading', version: found.updateInfo.version });
      } catch {
        return fail();
      }
    },
    install: () => {
      if (!updater || state.kind !== 'ready') return;
      deps.beforeRestart();
      updater.quitAndInstall();
    },
  };
}

/** The compiler can't know that the state changed while an answer was awaited. */
function isReady(state: UpdateState): boolean {
  return state.kind === 'ready';
}
