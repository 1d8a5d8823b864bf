import { pageFetch } from '#web/api/page-fetch.ts';

/** By its path alone: the call's contract would weigh on every page of a customer. */
const ABOUT = '/user/about';
/** Somebody waits for it; an answer takes well under a second. */
const ANSWER_MS = 10_000;

/** Whether the server answers now; one that takes a call and says nothing isn't there. */
export const isServerThere = (
  apiOrigin: string,
  fetch: typeof globalThis.fetch = pageFetch,
  answerMs = ANSWER_MS,
): Promise<boolean> =>
  fetch(apiOrigin + ABOUT, { signal: AbortSignal.timeout(answerMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
