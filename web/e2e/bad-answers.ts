import type { APIResponse, BrowserContext, Route } from 'playwright-core';

export const loseRequest = (route: Route): Promise<void> => route.abort();

/** The answer to a call in the way of a page; the server may close a kept connection just as it is used again. */
export const fetchAgain = (route: Route): Promise<APIResponse> => route.fetch({ maxRetries: 2 });

/** The server does what it was asked, and nobody hears of it. */
export async function loseAnswer(route: Route): Promise<void> {
  await fetchAgain(route);
  // A test that has taken the route off meanwhile has let the call go on.
  await route.abort().catch(() => undefined);
}

/**
 * Keeps a route that nothing takes: when the last route goes just as a worker's call is on its way,
 * Chromium loses the call, and neither an answer nor an error ever comes.
 */
export const keepIntercepting = (context: BrowserContext): Promise<unknown> =>
  context.route('**/asked-for-by-nobody', (route) => route.fallback());

/** The call that sends what was done on this device. */
export const PUSH = '**/user/sync/push?*';
