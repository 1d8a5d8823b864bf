import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';
import { currentAsker } from '../async/asker.ts';

/** Holding is bound to one `run`; once that has ended, work it left behind must queue like any other. */
interface Holder {
  isActive: boolean;
}

/**
 * Lock that whoever holds it may take again. Those who wait for it take turns by asker, each with what it
 * asked for first: who asks for a lot at once waits for itself, and the others for one piece of work of it.
 *
 * PGlite is one connection: a statement sent while somebody else's transaction is open would become
 * a part of that transaction (measured without this lock: a rolled-back transaction got committed,
 * a committed one lost a statement). Re-entrant because a query inside a transaction's callback
 * would otherwise wait for the very transaction it is a part of.
 */
export class ReentrantMutex {
  readonly #holder = new AsyncLocalStorage<Holder>();
  /** Who waits, by asker; the first asker is next. */
  readonly #waiting = new Map<string | undefined, Array<() => void>>();
  /** Somebody has the lock, or is about to. */
  #isTaken = false;

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
    const asker = currentAsker();
    const queue = this.#waiting.get(asker);
    if (queue) queue.push(resolve);
    else this.#waiting.set(asker, [resolve]);
    this.#giveTurn();
    await turn;
    return () => {
      this.#isTaken = false;
      this.#giveTurn();
    };
  }

  /**
   * To the next who waits, once the requests that have arrived meanwhile were read. The embedded database
   * never waits for anything: without this pause each request would be served to its end before the next
   * one is even read, and there were no turns to take.
   */
  #giveTurn(): void {
    if (this.#isTaken || this.#waiting.size === 0) return;
    this.#isTaken = true;
    setImmediate(() => {
      const next = this.#waiting.entries().next().value;
      if (!next) throw new Error('Nobody waits for the turn that was given');
      const [asker, queue] = next;
      const resolve = queue.shift();
      this.#waiting.delete(asker);
      if (queue.length > 0) this.#waiting.set(asker, queue);
      resolve?.();
    });
  }
}
