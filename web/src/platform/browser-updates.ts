import type { PlatformUpdates, UpdateState } from '#shared/platform.ts';
import { Listeners } from './async.ts';

/** Updates of the web app: a service worker that waits holds a new version. */
interface BrowserUpdates extends PlatformUpdates {
  /** Lets the app be kept for use without network; does nothing where a browser can't or may not. */
  register: () => Promise<void>;
}

/**
 * A new version is fetched beside the running one and waits for the person's word. Then every open tab
 * starts anew at once, because the old version's files are gone; what is queued stands in the
 * replica and stays.
 */
export function createBrowserUpdates(
  reload: () => void,
  onWake: (listener: () => void) => () => void,
): BrowserUpdates {
  const listeners = new Listeners<UpdateState>();
  let state: UpdateState = { kind: 'none' };
  let start: (() => void) | undefined;
  let check: (() => Promise<unknown>) | undefined;

  const show = (next: UpdateState): void => {
    state = next;
    listeners.tell(next);
  };
  return {
    register: async () => {
      if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return;
      const { keepApp } = await import('./kept-app.ts');
      check = await keepApp((startIt) => {
        start = startIt;
        show({ kind: 'ready', version: undefined });
      }, reload);
      onWake(() => void check?.().catch(() => undefined));
    },
    check: async () => {
      try {
        await check?.();
        return state;
      } catch {
        return { kind: 'failed' };
      }
    },
    install: () => (start ?? reload)(),
    onChange: (listener) => {
      if (state.kind === 'ready') listener(state);
      return listeners.add(listener);
    },
  };
}
