// Pictures are requests and responses, wherever they are kept.
/// <reference lib="dom" />
import { KEEP_PICTURE, KEEP_WISHES, type KeepWish } from './keep-picture.ts';
import {
  type PictureBudget,
  PictureShelves,
  type PictureStore,
  type Shelf,
  type ShelfCounts,
} from './picture-shelves.ts';

export interface PictureDeps {
  /** After a wipe it opens another store; one of before must not bring anything back. */
  open: (shelf: Shelf) => Promise<PictureStore>;
  fetch: (request: Request) => Promise<Response>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** A picture this old is asked for again while the server is there: an account may change its own. */
const FRESH_MS = 24 * 60 * 60_000;

/** Any other refusal, of an ended session or a proxy, says nothing of the picture. */
const GONE: readonly number[] = [404, 410];

/** About 120 MB of pictures as the dashboard shows them. */
export const PICTURE_BUDGET: PictureBudget = { max: 3000, step: 100 };

/**
 * A picture from the server, or as it was kept: another width rather than none. A fresh one is never
 * asked for twice. A request that says so (`KEEP_PICTURE`) is only to have its picture kept.
 */
export function createPictureCache(
  deps: PictureDeps,
  budget: PictureBudget = PICTURE_BUDGET,
): (request: Request) => Promise<Response> {
  const counts: ShelfCounts = { known: undefined, storedSinceLook: 0 };
  return async (request) => {
    const [usual, pinned] = await Promise.all([deps.open('usual'), deps.open('pinned')]);
    const shelves = new PictureShelves({ usual, pinned }, budget, counts);
    const wish = KEEP_WISHES.find((each) => each === request.headers.get(KEEP_PICTURE));
    return wish ? keepPicture(request, wish, shelves, deps) : showPicture(request, shelves, deps);
  };
}

async function showPicture(
  request: Request,
  shelves: PictureShelves,
  { fetch, now }: PictureDeps,
): Promise<Response> {
  const found = await shelves.find(request);
  if (found && isFresh(found.held, now())) return found.held;
  try {
    const answer = await fetch(request);
    if (GONE.includes(answer.status)) return answer;
    if (answer.status !== 200) return found?.held ?? (await shelves.findOther(request)) ?? answer;
    await shelves.put(found?.shelf ?? 'usual', request, answer.clone());
    return answer;
  } catch (error) {
    const other = found?.held ?? (await shelves.findOther(request));
    if (!other) throw error;
    return other;
  }
}

const DONE = 204;
const NO_ROOM = 507;

/** Held is good enough, however old: it is read anew when it is looked at. */
async function keepPicture(
  request: Request,
  wish: KeepWish,
  shelves: PictureShelves,
  { fetch }: PictureDeps,
): Promise<Response> {
  const found = await shelves.find(request);
  if (wish === 'released') {
    if (found?.shelf === 'pinned') await shelves.move(request, 'pinned', 'usual', found.held);
    return answerWith(DONE);
  }
  if (found && (wish === 'usual' || found.shelf === 'pinned')) return answerWith(DONE);
  if (!(await shelves.hasRoom(wish))) return answerWith(NO_ROOM);
  if (found) {
    const isMoved = await shelves.move(request, 'usual', 'pinned', found.held);
    return answerWith(isMoved ? DONE : NO_ROOM);
  }
  const answer = await fetch(plain(request));
  if (answer.status !== 200) return answer;
  return answerWith((await shelves.put(wish, request, answer)) ? DONE : NO_ROOM);
}

const answerWith = (status: number): Response => new Response(null, { status });

function plain(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete(KEEP_PICTURE);
  return new Request(request, { headers });
}

function isFresh(held: Response, nowMs: number): boolean {
  const storedMs = Date.parse(held.headers.get('date') ?? '');
  return nowMs - storedMs < FRESH_MS;
}
