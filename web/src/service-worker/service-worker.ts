import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { pageFetch } from '#web/api/page-fetch.ts';
import { browserPictures } from '#web/replica/pictures/browser-pictures.ts';
import { createPictureCache } from '#shared/pictures/picture-cache.ts';
import { followPushes, type PushScope } from './follow-pushes.ts';
import { pageSource } from '#shared/domain/page-paths.ts';

/**
 * Keeps the app's own files, so that it opens without network, and the pictures it showed. The API is
 * never kept: rows live in the replica, and only there.
 */
declare const SHELL_FILES: Array<{ url: string; revision: string | null }>;
declare const self: {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  addEventListener: (
    type: string,
    listener: (event: MessageEvent<unknown> & WorkerEvent) => void,
  ) => void;
};
interface WorkerEvent {
  waitUntil: (work: Promise<void>) => void;
  /** While it installs, where the browser has it (https://w3c.github.io/ServiceWorker/#register-router-method). */
  addRoutes?: (route: {
    condition: { urlPattern: { pathname: string } };
    source: 'network';
  }) => Promise<void>;
}

const SHELL = '/index.html';
const MODULE_LINK = /<link rel="modulepreload"[^>]*>\s*/g;

// Without these two settings the index would be served for `/`, where the landing page is.
precacheAndRoute(SHELL_FILES, { directoryIndex: '', cleanURLs: false });
cleanupOutdatedCaches();

async function shell(): Promise<Response> {
  const kept = await matchPrecache(SHELL);
  return kept ? withoutLoadingAhead(kept) : pageFetch(SHELL);
}

/**
 * The scripts are kept here, so nothing is won by loading them ahead. Chromium doesn't use what it
 * loads ahead through a worker, and warns of it ("cross-world service worker resource mismatch").
 */
async function withoutLoadingAhead(page: Response): Promise<Response> {
  if (!page.ok) return page;
  const html = await page.text();
  return new Response(html.replaceAll(MODULE_LINK, ''), { headers: page.headers });
}

registerRoute(
  ({ request, url }) => request.mode === 'navigate' && pageSource(url.pathname) === 'shell',
  shell,
);
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && pageSource(url.pathname) === 'server_first',
  async ({ request }) => {
    try {
      return await withoutLoadingAhead(await pageFetch(request));
    } catch {
      return shell();
    }
  },
);
/** The browser holds a newer version back for as long as this one fetches anything. */
const pictures = { letGo: new AbortController() };
const answerPicture = createPictureCache({
  storage: browserPictures,
  fetch: (request) => pageFetch(request, { signal: pictures.letGo.signal }),
  now: () => Date.now(),
});
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/proxy/'),
  ({ request }) => answerPicture(request),
);

followPushes(self as unknown as PushScope);

/**
 * The API passes the worker by. Chromium stops the kept version for the next one; a call that wakes it then
 * makes Chromium give the change up, and for minutes no page opens.
 */
self.addEventListener('install', (event) => {
  const route = event.addRoutes?.({
    condition: { urlPattern: { pathname: '/user/*' } },
    source: 'network',
  });
  // Refused, the app is kept all the same.
  if (route) event.waitUntil(route.catch(() => undefined));
});

// The first one takes over the page that brought it; a later one waits until the person agrees.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('message', ({ data }) => {
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
  if (type === 'SKIP_WAITING') void self.skipWaiting();
  if (type === 'LET_GO') {
    pictures.letGo.abort();
    pictures.letGo = new AbortController();
  }
});
