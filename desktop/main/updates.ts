import type { UpdateState } from '#shared/platform.ts';

/** The part of electron-updater that is needed. */
export interface Updater {
  checkForUpdates(): Promise<{
    isUpdateAvailable: boolean;
    updateInfo: { version: string };
  } | null>;
  quitAndInstall(): void;
  on(event: 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
}

export interface Updates {
  check(): Promise<UpdateState>;
  /** Restarts into a downloaded update; does nothing without one. */
  install(): void;
}

/** Updates come from one configured address, and only when the person lets them in. */
export function createUpdates(
  updater: Updater | undefined,
  onChange: (state: UpdateState) => void,
): Updates {
  if (!updater)
    return { check: async () => ({ kind: 'not_configured' }), install: () => undefined };
  let state: UpdateState = { kind: 'none' };
  const set = (next: UpdateState): UpdateState => {
    state = next;
    onChange(next);
    return next;
  };
  updater.on('update-downloaded', ({ version }) => set({ kind: 'ready', version }));
  updater.on('error', () => set({ kind: 'failed' }));

  return {
    check: async () => {
      if (state.kind === 'ready') return state;
      try {
        const found = await updater.checkForUpdates();
        if (!found?.isUpdateAvailable) return set({ kind: 'none' });
        return set({ kind: 'downloading', version: found.updateInfo.version });
      } catch {
        return set({ kind: 'failed' });
      }
    },
    install: () => {
      if (state.kind === 'ready') updater.quitAndInstall();
    },
  };
}
