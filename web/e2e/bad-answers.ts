import type { APIResponse, BrowserContext, Page, Request, Route } from 'playwright-core';

/** The server is in trouble and says so as it does. */
export const BUSY = 'We are too busy for the moment. Please try again.';

export const refuseAsBusy = (route: Route): Promise<void> =>
  route.fulfill({ status: 503, json: { status: 'error', code: 'overloaded', message: BUSY } });

/** What stands in front of the server answers in its place. */
export const breakDown = (route: Route): Promise<void> =>
  route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>500</h1>' });

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

/** Refuses each change that is sent, in the way of that call. */
export const refuseChanges = (code: string, message: string) => (route: Route) =>
  route.fulfill({ json: refusalOf(route.request(), { status: 'rejected', code, message }) });

function refusalOf(request: Request, refusal: object): object {
  const { mutations } = request.postDataJSON() as { mutations: Array<{ mid: number }> };
  return { results: mutations.map(({ mid }) => ({ mid, ...refusal })), lastMid: 0 };
}

/** A full disk: nothing can be written to the replica until it is whole again. */
export async function breakStorage(page: Page, isBroken: boolean): Promise<void> {
  await page.evaluate((broken) => {
    const store = IDBObjectStore.prototype as { put: unknown; whole?: unknown };
    store.whole ??= store.put;
    store.put = broken
      ? () => {
          throw new DOMException('The disk is full', 'QuotaExceededError');
        }
      : store.whole;
  }, isBroken);
}
