import type { SystemNotice, Platform, PlatformStorage } from '#shared/platform.ts';
import { version } from '../../../package.json';
import { createBrowserUpdates } from './browser-updates.ts';

/** Calls back when the page is seen again, has the focus again, or the network is back. */
function onWake(listener: () => void): () => void {
  const whenVisible = (): void => {
    if (document.visibilityState === 'visible') listener();
  };
  document.addEventListener('visibilitychange', whenVisible);
  globalThis.addEventListener('focus', listener);
  globalThis.addEventListener('online', listener);
  return () => {
    document.removeEventListener('visibilitychange', whenVisible);
    globalThis.removeEventListener('focus', listener);
    globalThis.removeEventListener('online', listener);
  };
}

/** The app as the browser keeps it. */
export const browserUpdates = createBrowserUpdates(() => location.reload(), onWake);
import { browserId } from './browser-id.ts';
import { createBrowserInstall } from './browser-install.ts';
import { createBrowserPush } from './browser-push.ts';
import { createNoticeSwitch, hasNotices, showNotice } from './browser-notices.ts';

const storage: PlatformStorage = {
  read: (key) => orElse(null, () => localStorage.getItem(key)),
  write: (key, value) => orElse(undefined, () => localStorage.setItem(key, value)),
  remove: (key) => orElse(undefined, () => localStorage.removeItem(key)),
};

const notices = hasNotices() ? createNoticeSwitch(Notification, storage) : undefined;

/** The browser as the shell. Storage may be blocked by the person's settings: then nothing is kept. */
export const browserPlatform = {
  kind: 'browser',
  apiOrigin: '',
  now: () => Date.now(),
  newId: browserId,
  timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  isOnline: () => navigator.onLine,
  isVisible: () => document.visibilityState === 'visible',
  onWake,
  onConnectivityChange: (listener) => {
    globalThis.addEventListener('online', listener);
    globalThis.addEventListener('offline', listener);
    return () => {
      globalThis.removeEventListener('online', listener);
      globalThis.removeEventListener('offline', listener);
    };
  },
  openExternal: (url) => {
    globalThis.open(url, '_blank', 'noopener,noreferrer');
  },
  leaveFor: (url) => location.assign(url),
  print: () => globalThis.print(),
  version,
  notify: (notice) => void tellOf(notice),
  setBadge: (count) => {
    // Only installed apps have an icon to put it on, and not every browser knows how.
    if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => undefined);
  },
  showSyncState: () => undefined,
  onCommand: () => () => undefined,
  updates: browserUpdates,
  startAtLogin: undefined,
  keepRunning: undefined,
  support: undefined,
  notices,
  push: createBrowserPush(),
  install: createBrowserInstall(globalThis.window, navigator),
  saveFile,
  forgetPictures: async () => undefined,
  restartAt: (path) => location.assign(path),
  startNewer: (path) => {
    // Without a kept version the server hands out the newer one with the next page.
    const open = (): void => location.assign(path);
    void import('./kept-app.ts').then(({ takeNewer }) => takeNewer()).then(open, open);
  },
  storage,
  onStorageChange: (listener) => {
    globalThis.addEventListener('storage', listener);
    return () => globalThis.removeEventListener('storage', listener);
  },
  report: (event, detail) => {
    // oxlint-disable-next-line no-console -- the one place that writes to the browser's console
    console.warn(event, detail ?? '');
  },
} satisfies Platform;

async function tellOf(notice: SystemNotice): Promise<void> {
  if (await notices?.read()) showNotice(notice);
}

function saveFile(
  name: string,
  content: Uint8Array<ArrayBuffer> | string,
  mediaType: string,
): void {
  const url = URL.createObjectURL(new Blob([content], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content over once the click was handled.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

function orElse<Result>(fallback: Result, attempt: () => Result): Result {
  try {
    return attempt();
  } catch {
    return fallback;
  }
}
