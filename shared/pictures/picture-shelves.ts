// Pictures are requests and responses, wherever they are kept.
/// <reference lib="dom" />
/** The parts of Cache Storage that are used, so that a test or a folder can stand in for it. */
export type PictureStore = Pick<Cache, 'match' | 'put' | 'delete' | 'keys'>;

/** Pictures of pinned accounts stand apart, so that the others go first. */
export type Shelf = 'usual' | 'pinned';

/** How many pictures are kept. */
export interface PictureBudget {
  max: number;
  /** Naming all that is kept takes a while: room is looked for after so many, and made for as many. */
  step: number;
}

/** What all requests know together of the shelves' filling. */
export interface ShelfCounts {
  /** As last counted, and what was added since; a worker that has just started doesn't know. */
  known: Record<Shelf, number> | undefined;
  storedSinceLook: number;
}

/**
 * Kept pictures within a budget. A shelf stands in the order in which it was filled, and showing an
 * older picture stores it anew, so its first ones are those nobody looked at for longest.
 *
 * Opened once for each request, before the server is asked. A log-out deletes the stores: whoever
 * still holds one of before writes into what nobody finds any more. Opened anew after the answer, the
 * store would come back to life with a picture of whoever has left.
 *
 * Invariant: only the usual shelf is ever cleared for room.
 */
export class PictureShelves {
  readonly #stores: Record<Shelf, PictureStore>;
  readonly #budget: PictureBudget;
  readonly #counts: ShelfCounts;

  constructor(stores: Record<Shelf, PictureStore>, budget: PictureBudget, counts: ShelfCounts) {
    this.#stores = stores;
    this.#budget = budget;
    this.#counts = counts;
  }

  async find(request: Request): Promise<{ shelf: Shelf; held: Response } | undefined> {
    for (const shelf of ['pinned', 'usual'] as const) {
      const held = await this.#stores[shelf].match(request, { ignoreVary: true });
      if (held) return { shelf, held };
    }
    return undefined;
  }

  /** The same picture at any width. */
  async findOther(request: Request): Promise<Response | undefined> {
    const wide = { ignoreSearch: true, ignoreVary: true };
    for (const shelf of ['pinned', 'usual'] as const) {
      const held = await this.#stores[shelf].match(request, wide);
      if (held) return held;
    }
    return undefined;
  }

  async hasRoom(shelf: Shelf): Promise<boolean> {
    const { max, step } = this.#budget;
    const { pinned, usual } = (this.#counts.known ??= await this.#count());
    // The usual shelf keeps room for what is looked at.
    return shelf === 'pinned' ? pinned < max - step : pinned + usual < max;
  }

  /** False when the device has no room for it; then older pictures of the usual shelf went. */
  async put(shelf: Shelf, request: Request, picture: Response): Promise<boolean> {
    try {
      await this.#stores[shelf].put(request, picture);
    } catch {
      await this.#clear(this.#budget.step);
      return false;
    }
    const counts = this.#counts;
    if (counts.known) counts.known[shelf] += 1;
    counts.storedSinceLook += 1;
    if (counts.known && counts.storedSinceLook < this.#budget.step) return true;
    await this.#makeRoom();
    return true;
  }

  async move(request: Request, from: Shelf, to: Shelf, held: Response): Promise<boolean> {
    if (!(await this.put(to, request, held))) return false;
    await this.#stores[from].delete(request, { ignoreVary: true });
    if (this.#counts.known) this.#counts.known[from] -= 1;
    return true;
  }

  async #makeRoom(): Promise<void> {
    this.#counts.storedSinceLook = 0;
    const known = await this.#count();
    this.#counts.known = known;
    const over = known.usual + known.pinned - this.#budget.max;
    if (over > 0) await this.#clear(over + this.#budget.step);
  }

  async #count(): Promise<Record<Shelf, number>> {
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
