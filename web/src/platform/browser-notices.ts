import type { SystemNotice, PlatformStorage, PlatformSwitch } from '#shared/platform.ts';

const KEY = 'ovation-notices';

/** The part of the browser's `Notification` that is needed. */
interface Notices {
  readonly permission: NotificationPermission;
  requestPermission(): Promise<NotificationPermission>;
}

/**
 * Whether this browser tells of news. The person's word is the browser's permission; turned off here it
 * stays off, though the browser would still permit it. Asked for on a click only: one asked for at the
 * start is refused without a thought, and then for good.
 */
export function createNoticeSwitch(notices: Notices, storage: PlatformStorage): PlatformSwitch {
  const isOn = (): boolean => notices.permission === 'granted' && storage.read(KEY) === null;
  return {
    read: async () => isOn(),
    set: async (wanted) => {
      if (!wanted) storage.write(KEY, 'off');
      else if ((await notices.requestPermission()) === 'granted') storage.remove(KEY);
      return isOn();
    },
  };
}

/** Shows a notice whose click opens what it is about. */
export function showNotice({ title, body, path }: SystemNotice): void {
  // The tag lets several tabs tell the same thing once.
  const notification = new Notification(title, { body, icon: '/favicon.svg', tag: title + path });
  notification.addEventListener('click', () => {
    globalThis.focus();
    location.assign(path);
  });
}

/** Browsers on Android have the name, but a page there may show none: the attempt throws. */
export function hasNotices(): boolean {
  return 'Notification' in globalThis && !/android/i.test(navigator.userAgent);
}
