import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { PushText } from '#shared/domain/delivery/push-text.ts';

interface PushedEvent {
  waitUntil: (work: Promise<unknown>) => void;
  data?: { json: () => unknown } | null;
  notification?: { data: unknown; close: () => void };
}

interface OpenPage {
  focus: () => Promise<unknown>;
  navigate: (url: string) => Promise<unknown>;
}

/** What a service worker has that shows notifications. */
export interface PushScope {
  location: { origin: string };
  registration: {
    showNotification: (title: string, options: NotificationOptions) => Promise<void>;
  };
  clients: {
    matchAll: (options: { type: 'window' }) => Promise<readonly OpenPage[]>;
    openWindow: (url: string) => Promise<unknown>;
  };
  addEventListener: (
    type: 'push' | 'notificationclick',
    listener: (event: PushedEvent) => void,
  ) => void;
}

/** Browsers take a message that shows nothing for spying, so one that can't be read shows at least this. */
const UNREADABLE: PushText = { title: PRODUCT_NAME, body: 'Likes delivered', path: '/dashboard' };

/** Shows what the server pushes; a click opens what it is about. */
export function followPushes(scope: PushScope): void {
  scope.addEventListener('push', (event) => {
    const { title, body, path } = readText(event.data);
    // The tag is the page's own notice's: who has both sees one.
    const options = { body, icon: '/favicon.svg', tag: title + path, data: path };
    event.waitUntil(scope.registration.showNotification(title, options));
  });
  scope.addEventListener('notificationclick', (event) => {
    event.notification?.close();
    const path = event.notification?.data;
    event.waitUntil(openPage(scope, typeof path === 'string' ? path : UNREADABLE.path));
  });
}

function readText(data: PushedEvent['data']): PushText {
  try {
    const read = data?.json() as Partial<PushText> | null | undefined;
    const { title, body, path } = read ?? {};
    const isText = [title, body, path].every((each) => typeof each === 'string');
    return isText ? (read as PushText) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

async function openPage({ location, clients }: PushScope, path: string): Promise<void> {
  const url = URL.parse(path, location.origin);
  const target = url?.origin === location.origin ? url.href : location.origin + UNREADABLE.path;
  const [page] = await clients.matchAll({ type: 'window' });
  if (!page) {
    await clients.openWindow(target);
    return;
  }
  await page.focus();
  await page.navigate(target);
}
