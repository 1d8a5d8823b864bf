import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';
import { currentAsker } from '../async/asker.ts';

/** Holding is bound to one `run`; once that has ended, work it left behind must queue like any other. */
interface Holder {
  isActive: boolean;
}

/** What one asker has of the lock. */
interface Share {
  /** Its calls that wait, in order of arrival. */
  waiting: Array<() => void>;
  /** So long it has had the lock, a newcomer’s start included. */
  spentMs: number;
  /** It has had no turn yet. */
  isNew: boolean;
}

/**
 * Lock that whoever holds it may take again. Of those who wait for it the asker is next who has had it for the
 * shortest time, each with what it asked for first: who asks for a lot at once, or for what takes long, waits for
 * itself, and the others for one piece of work of it. Whoever comes begins with the time of who had the last turn,
 * so nobody saves up time by asking for nothing; and a newcomer's first turn is made good to those who wait, so that
 * no stream of newcomers keeps them waiting for ever.
 *
 * PGlite is one connection: a statement sent while somebody else's transaction is open would become
 * a part of that transaction (measured without this lock: a rolled-back transaction got committed,
 * a committed one lost a statement). Re-entrant because a query inside a transaction's callback
 * would otherwise wait for the very transaction it is a part of.
 */
export class ReentrantMutex {
  readonly #holder = new AsyncLocalStorage<Holder>();
  readonly #shares = new Map<string | undefined, Share>();
  readonly #nowMs: () => number;
  /** What the asker of the last turn had spent before it. */
  #leastMs = 0;
  #waiting = 0;
  /** Somebody has the lock, or is about to. */
  #isTaken = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Whether the calling code runs inside a `run` that has not ended. */
  isHeldHere(): boolean {
    return this.#holder.getStore()?.isActive === true;
  }

  /** Waits for its turn, then runs `work`; at once when the caller holds the lock already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isHeldHere()) return work();
    const release = await this.acquire();
    const holder: Holder = { isActive: true };
    try {
      return await this.#holder.run(holder, work);
    } finally {
      holder.isActive = false;
      release();
    }
  }

  /** Waits for its turn and returns the function that ends it. */
  async acquire(): Promise<() => void> {
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    const share = this.#shareOf(currentAsker());
    share.waiting.push(resolve);
    this.#waiting += 1;
    this.#giveTurn();
    await turn;
    const sinceMs = this.#nowMs();
    return () => {
      const spentMs = this.#nowMs() - sinceMs;
      share.spentMs += spentMs;
      if (share.isNew) this.#makeGood(share, spentMs);
      this.#isTaken = false;
      this.#giveTurn();
    };
  }

  #shareOf(asker: string | undefined): Share {
    const share = this.#shares.get(asker) ?? { waiting: [], spentMs: 0, isNew: true };
    this.#shares.set(asker, share);
    if (share.waiting.length === 0) share.spentMs = Math.max(share.spentMs, this.#leastMs);
    return share;
  }

  /** Each who waits gets an equal part of it, and so much at most that a newcomer isn't before them. */
  #makeGood(newcomer: Share, ms: number): void {
    newcomer.isNew = false;
    const others = [...this.#shares.values()].filter(
      (share) => share !== newcomer && share.waiting.length > 0,
    );
    for (const share of others) {
      share.spentMs = Math.max(this.#leastMs, share.spentMs - ms / (others.length + 1));
    }
  }

  /**
   * To the next who waits, once the requests that have arrived meanwhile were read. The embedded database
   * never waits for anything: without this pause each request would be served to its end before the next
   * one is even read, and nobody would wait.
   */
  #giveTurn(): void {
    if (this.#isTaken) return;
    if (this.#waiting === 0) return this.#forget();
    this.#isTaken = true;
    setImmediate(() => {
      const [asker, share] = this.#next();
      const resolve = share.waiting.shift();
      this.#waiting -= 1;
      this.#leastMs = share.spentMs;
      // Behind those who have spent as much.
      this.#shares.delete(asker);
      this.#shares.set(asker, share);
      resolve?.();
    });
  }

  /** Nobody has waited for what was spent. */
  #forget(): void {
    this.#shares.clear();
    this.#leastMs = 0;
  }

  /** Who has spent least of those who wait. Forgets who waits for nothing and has spent no more than a newcomer. */
  #next(): [string | undefined, Share] {
    let next: [string | undefined, Share] | undefined;
    for (const [asker, share] of this.#shares) {
      if (share.waiting.length > 0) {
        if (!next || share.spentMs < next[1].spentMs) next = [asker, share];
      } else if (share.spentMs <= this.#leastMs) this.#shares.delete(asker);
    }
    if (!next) throw new Error('Nobody waits for the turn that was given');
    return next;
  }
}
