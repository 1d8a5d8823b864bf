import type { Platform } from '#shared/platform.ts';
import { type Api, createApi } from '#web/api/client.ts';
import { pageFetch } from '#web/api/page-fetch.ts';
import type { SessionMarkers } from '#web/platform/session-markers.ts';

/**
 * The calls with whatever session the browser has. An answer that it has ended takes away the markers of
 * whoever was signed in when the call went out: by then somebody else may have logged in, in another tab.
 */
export function createSessionApi(
  { apiOrigin }: Pick<Platform, 'apiOrigin'>,
  markers: SessionMarkers,
  fetch: typeof globalThis.fetch = pageFetch,
): Api {
  return createApi({
    baseUrl: apiOrigin,
    fetch,
    sessionUserId: () => markers.userId(),
    onSessionEnded: (userId, because, keeps) => {
      if (userId === undefined) return;
      if (because === undefined) markers.clear(userId);
      else markers.end(userId, because, keeps);
    },
  });
}
