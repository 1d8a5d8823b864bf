/** The parts of Cache Storage that are used, so that a test can stand in for it. */
export type PictureStore = Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>;

export interface PictureDeps {
  open: () => Promise<PictureStore>;
  fetch: (request: Request) => Promise<Response>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** A picture this old is asked for again while the server is there: an account may change its own. */
const FRESH_MS = 24 * 60 * 60_000;

/** How many pictures are kept. */
export interface PictureBudget {
  max: number;
  /** Naming all that is kept takes a while: room is looked for after so many, and made for as many. */
  step: number;
}

/** About 120 MB of pictures as the dashboard shows them. */
export const PICTURE_BUDGET: PictureBudget = { max: 3000, step: 100 };

/**
 * A picture from the server, or as it was kept: another width rather than none. A fresh one is never
 * asked for twice. Kept pictures stand in the order in which they were stored, and showing an older
 * one stores it anew, so the first ones are those nobody looked at for longest.
 */
export function createPictureCache(
  deps: PictureDeps,
  budget: PictureBudget = PICTURE_BUDGET,
): (request: Request) => Promise<Response> {
  // A worker that has just started doesn't know what is kept.
  let storedSinceLook = budget.step;
  const keep = async (store: PictureStore, request: Request, answer: Response): Promise<void> => {
    try {
      await store.put(request, answer);
      storedSinceLook += 1;
      if (storedSinceLook < budget.step) return;
      storedSinceLook = 0;
      const kept = await store.keys();
      const over = kept.length - budget.max;
      if (over > 0) await forget(store, kept.slice(0, over + budget.step));
    } catch {
      // A full disk costs the oldest pictures; the new one is only shown.
      await forget(store, (await store.keys()).slice(0, budget.step));
    }
  };
  return (request) => answerPicture(request, deps, keep);
}

async function answerPicture(
  request: Request,
  { open, fetch, now }: PictureDeps,
  keep: (store: PictureStore, request: Request, answer: Response) => Promise<void>,
): Promise<Response> {
  const store = await open();
  const held = await store.match(request, { ignoreVary: true });
  if (held && isFresh(held, now())) return held;
  try {
    const answer = await fetch(request);
    if (answer.status !== 200) return answer.status < 500 ? answer : (held ?? answer);
    await keep(store, request, answer.clone());
    return answer;
  } catch (error) {
    const other = held ?? (await store.match(request, { ignoreSearch: true, ignoreVary: true }));
    if (!other) throw error;
    return other;
  }
}

function isFresh(held: Response, nowMs: number): boolean {
  const storedMs = Date.parse(held.headers.get('date') ?? '');
  return nowMs - storedMs < FRESH_MS;
}

async function forget(store: PictureStore, pictures: readonly Request[]): Promise<void> {
  for (const picture of pictures) await store.delete(picture, { ignoreVary: true });
}
