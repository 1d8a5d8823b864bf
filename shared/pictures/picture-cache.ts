import { DAY_MS } from '../domain/durations.ts';

// Pictures are requests and responses, wherever they are kept.
/// <reference lib="dom" />
/**
 * Header of a request for a picture that is only to be kept, not shown. Whoever keeps pictures answers
 * without a body: 204 done, 507 no room. An answer with a picture means that nobody keeps any.
 */
export const KEEP_PICTURE = 'x-keep-picture';

/** `usual`: as one that was shown; `pinned`: longer than those; `released`: no longer than those; `none`: none is kept. */
const KEEP_INTENTS = ['usual', 'pinned', 'released', 'none'] as const;
export type KeepIntent = (typeof KEEP_INTENTS)[number];

/** The parts of Cache Storage that are used. A partition stands in the order of storing; storing again moves to its end. */
export type PicturePartition = Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>;

/** Pictures of pinned accounts stand apart, so that the others go first. */
export type Partition = 'usual' | 'pinned';

/** Where pictures are kept: Cache Storage in a browser, a folder in the desktop app. */
export interface PictureStorage {
  /** After a clearing it opens another one; one of before brings nothing back. */
  open(partition: Partition): Promise<PicturePartition>;
  /** Forgets all of them, and whatever comes through a partition that was opened before. */
  clear(): Promise<void>;
}

interface PictureDeps {
  storage: PictureStorage;
  fetch: (request: Request) => Promise<Response>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** How many pictures are kept. */
interface PictureBudget {
  max: number;
  /** Naming all that is kept takes a while: room is looked for after so many, and made for as many. */
  step: number;
}

/** A picture this old is asked for again while the server is there: an account may change its own. */
const FRESH_MS = DAY_MS;

/** Any other refusal, of an ended session or a proxy, says nothing of the picture. */
const GONE: readonly number[] = [404, 410];

/** About 120 MB of pictures as the dashboard shows them. */
const PICTURE_BUDGET: PictureBudget = { max: 3000, step: 100 };

/**
 * A picture from the server, or as it was kept: another width rather than none. A fresh one is never
 * asked for twice. A request that says so (`KEEP_PICTURE`) is only to have its picture kept.
 */
export function createPictureCache(
  deps: PictureDeps,
  budget: PictureBudget = PICTURE_BUDGET,
): (request: Request) => Promise<Response> {
  const counts: PartitionCounts = { known: undefined, storedSinceCount: 0 };
  return async (request) => {
    const intent = KEEP_INTENTS.find((each) => each === request.headers.get(KEEP_PICTURE));
    if (intent === 'none') {
      await deps.storage.clear();
      counts.known = undefined;
      return answerWith(DONE);
    }
    const [usual, pinned] = await Promise.all([
      deps.storage.open('usual'),
      deps.storage.open('pinned'),
    ]);
    const partitions = new PicturePartitions({ usual, pinned }, budget, counts);
    return intent
      ? keepPicture(request, intent, partitions, deps)
      : showPicture(request, partitions, deps);
  };
}

async function showPicture(
  request: Request,
  partitions: PicturePartitions,
  { fetch, now }: PictureDeps,
): Promise<Response> {
  const found = await partitions.find(request);
  if (found && isFresh(found.held, now())) return found.held;
  try {
    const answer = await fetch(request);
    if (GONE.includes(answer.status)) return answer;
    if (answer.status !== 200)
      return found?.held ?? (await partitions.findOther(request)) ?? answer;
    await partitions.put(found?.partition ?? 'usual', request, answer.clone());
    return answer;
  } catch (error) {
    const other = found?.held ?? (await partitions.findOther(request));
    if (!other) throw error;
    return other;
  }
}

const DONE = 204;
const NO_ROOM = 507;

/** Held is good enough, however old: it is read anew when it is looked at. */
async function keepPicture(
  request: Request,
  intent: Exclude<KeepIntent, 'none'>,
  partitions: PicturePartitions,
  { fetch }: PictureDeps,
): Promise<Response> {
  const found = await partitions.find(request);
  if (intent === 'released') {
    if (found?.partition === 'pinned')
      await partitions.move(request, 'pinned', 'usual', found.held);
    return answerWith(DONE);
  }
  if (found && (intent === 'usual' || found.partition === 'pinned')) return answerWith(DONE);
  if (!(await partitions.hasRoom(intent))) return answerWith(NO_ROOM);
  if (found) {
    const isMoved = await partitions.move(request, 'usual', 'pinned', found.held);
    return answerWith(isMoved ? DONE : NO_ROOM);
  }
  const answer = await fetch(plain(request));
  if (answer.status !== 200) return answer;
  return answerWith((await partitions.put(intent, request, answer)) ? DONE : NO_ROOM);
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

/** What all requests know together of the partitions' filling. */
interface PartitionCounts {
  /** As last counted, and what was added since; a worker that has just started doesn't know. */
  known: Record<Partition, number> | undefined;
  storedSinceCount: number;
}

/**
 * Kept pictures within a budget. A partition stands in the order in which it was filled, and showing an
 * older picture stores it anew, so its first ones are those nobody looked at for longest.
 *
 * Opened once for each request, before the server is asked. A log-out deletes the stores: whoever
 * still holds one of before writes into what nobody finds any more. Opened anew after the answer, the
 * store would come back to life with a picture of whoever has left.
 *
 * Invariant: only the usual partition is ever cleared for room.
 */
class PicturePartitions {
  readonly #stores: Record<Partition, PicturePartition>;
  readonly #budget: PictureBudget;
  readonly #counts: PartitionCounts;

  constructor(
    stores: Record<Partition, PicturePartition>,
    budget: PictureBudget,
    counts: PartitionCounts,
  ) {
    this.#stores = stores;
    this.#budget = budget;
    this.#counts = counts;
  }

  async find(
    request: Request,
    options: CacheQueryOptions = {},
  ): Promise<{ partition: Partition; held: Response } | undefined> {
    for (const partition of ['pinned', 'usual'] as const) {
      const held = await this.#stores[partition].match(request, { ...options, ignoreVary: true });
      if (held) return { partition, held };
    }
    return undefined;
  }

  /** The same picture at any width. */
  async findOther(request: Request): Promise<Response | undefined> {
    return (await this.find(request, { ignoreSearch: true }))?.held;
  }

  async hasRoom(partition: Partition): Promise<boolean> {
    const { max, step } = this.#budget;
    const { pinned, usual } = (this.#counts.known ??= await this.#count());
    // The usual partition keeps room for what is looked at.
    return partition === 'pinned' ? pinned < max - step : pinned + usual < max;
  }

  /** False when the device has no room for it; then older pictures of the usual partition went. */
  async put(partition: Partition, request: Request, picture: Response): Promise<boolean> {
    try {
      await this.#stores[partition].put(request, picture);
    } catch {
      await this.#clear(this.#budget.step);
      return false;
    }
    const counts = this.#counts;
    if (counts.known) counts.known[partition] += 1;
    counts.storedSinceCount += 1;
    if (counts.known && counts.storedSinceCount < this.#budget.step) return true;
    await this.#makeRoom();
    return true;
  }

  async move(request: Request, from: Partition, to: Partition, held: Response): Promise<boolean> {
    if (!(await this.put(to, request, held))) return false;
    await this.#stores[from].delete(request, { ignoreVary: true });
    if (this.#counts.known) this.#counts.known[from] -= 1;
    return true;
  }

  async #makeRoom(): Promise<void> {
    this.#counts.storedSinceCount = 0;
    const known = await this.#count();
    this.#counts.known = known;
    const over = known.usual + known.pinned - this.#budget.max;
    if (over > 0) await this.#clear(over + this.#budget.step);
  }

  async #count(): Promise<Record<Partition, number>> {
    const { usual, pinned } = this.#stores;
    return { usual: (await usual.keys()).length, pinned: (await pinned.keys()).length };
  }

  async #clear(count: number): Promise<void> {
    const { usual } = this.#stores;
    const oldest = (await usual.keys()).slice(0, count);
    for (const picture of oldest) await usual.delete(picture, { ignoreVary: true });
    if (this.#counts.known) this.#counts.known.usual -= oldest.length;
  }
}
