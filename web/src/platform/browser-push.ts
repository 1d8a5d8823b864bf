import type { PlatformPush } from '#shared/platform.ts';

/** Push by the browser's own service; undefined where the browser has none, as Safari outside of an installed app. */
export function createBrowserPush(): PlatformPush | undefined {
  const { navigator } = globalThis;
  const isThere =
    'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  if (!isThere) return undefined;
  const current = async (): Promise<PushSubscription | null> => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.pushManager.getSubscription()) ?? null;
  };
  const leave = async (): Promise<void> => {
    await current()
      .then((subscription) => subscription?.unsubscribe())
      .catch(() => undefined);
  };
  return {
    isOn: async () => Notification.permission === 'granted' && (await current()) !== null,
    async subscribe(applicationServerKey) {
      if ((await Notification.requestPermission()) !== 'granted') return 'no_permission';
      const registration = await navigator.serviceWorker.getRegistration();
      if (!registration) return 'no_service';
      // One of another key, as after a move of the server, would be in the way.
      await leave();
      try {
        const how = { userVisibleOnly: true, applicationServerKey };
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
