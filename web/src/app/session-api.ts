import type { Platform } from '#shared/platform.ts';
import { type Api, createApi } from '../api/client.ts';
import { pageFetch } from '../api/page-fetch.ts';
import type { SessionHints } from '../platform/session-hints.ts';

/**
 * The calls with whatever session the browser has. An answer that it has ended takes away the hints of
 * whoever was signed in when the call went out: by then somebody else may have logged in, in another tab.
 */
export function createSessionApi(
  { apiOrigin }: Pick<Platform, 'apiOrigin'>,
  hints: SessionHints,
  fetch: typeof globalThis.fetch = pageFetch,
): Api {
  return createApi({
    baseUrl: apiOrigin,
    fetch,
    sessionUserId: () => hints.userId(),
    onSessionEnded: (userId, because) => {
      if (userId === undefined) return;
      if (because === undefined) hints.clear(userId);
      else hints.end(userId, because);
    },
  });
}
