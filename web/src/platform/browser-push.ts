import type { PlatformPush } from '#shared/platform.ts';

/** The part of a browser that push needs; what it lacks is undefined, as in Safari outside of an installed app. */
export interface PushBrowser {
  readonly navigator: { readonly serviceWorker?: ServiceWorkers | undefined };
  readonly PushManager?: unknown;
  readonly Notification?: Permission | undefined;
}
interface ServiceWorkers {
  getRegistration(): Promise<{ readonly pushManager: PushService } | undefined>;
}
interface Permission {
  readonly permission: NotificationPermission;
  requestPermission(): Promise<NotificationPermission>;
}
interface PushService {
  getSubscription(): Promise<Subscription | null>;
  /** Rejects while there is a subscription of another key. */
  subscribe(how: { userVisibleOnly: true; applicationServerKey: string }): Promise<Subscription>;
}
interface Subscription {
  toJSON(): PushSubscriptionJSON;
  unsubscribe(): Promise<boolean>;
}

/** Push by the browser's own service; undefined where the browser has none. */
export function createBrowserPush(browser: PushBrowser = globalThis): PlatformPush | undefined {
  const { Notification: notices } = browser;
  const { serviceWorker } = browser.navigator;
  if (!serviceWorker || !browser.PushManager || !notices) return undefined;
  const current = async (): Promise<Subscription | null> => {
    const registration = await serviceWorker.getRegistration();
    return (await registration?.pushManager.getSubscription()) ?? null;
  };
  const leave = async (): Promise<void> => {
    await current()
      .then((subscription) => subscription?.unsubscribe())
      .catch(() => undefined);
  };
  return {
    isOn: async () => notices.permission === 'granted' && (await current()) !== null,
    async subscribe(applicationServerKey) {
      if ((await notices.requestPermission()) !== 'granted') return 'no_permission';
      try {
        const registration = await serviceWorker.getRegistration();
        if (!registration) return 'no_service';
        // One of another key, as after a move of the server, would be in the way.
        await leave();
        const how = { userVisibleOnly: true, applicationServerKey } as const;
        const { endpoint, keys } = (await registration.pushManager.subscribe(how)).toJSON();
        const [p256dh, auth] = [keys?.['p256dh'], keys?.['auth']];
        return endpoint && p256dh && auth ? { endpoint, p256dh, auth } : 'no_service';
      } catch {
        // Blocked by a policy, or the service can't be reached: the browser doesn't tell which.
        return 'no_service';
      }
    },
    unsubscribe: leave,
  };
}
