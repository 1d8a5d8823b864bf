import { AsyncLocalStorage } from 'node:async_hooks';

/** Holding is bound to one `run`; once that has ended, work it left behind must queue like any other. */
interface Holder {
  isActive: boolean;
}

/**
 * First-in-first-out lock that whoever holds it may take again.
 *
 * PGlite is one connection: a statement sent while somebody else's transaction is open would become
 * a part of that transaction (measured without this lock: a rolled-back transaction got committed,
 * a committed one lost a statement). Re-entrant because a query inside a transaction's callback
 * would otherwise wait for the very transaction it is a part of.
 */
export class ReentrantMutex {
  readonly #holder = new AsyncLocalStorage<Holder>();
  #tail: Promise<void> = Promise.resolve();

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
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    const turn = this.#tail;
    this.#tail = turn.then(() => done);
    await turn;
    return release;
  }
}
