import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Channel of Postgres through which nodes tell each other what was touched. */
export const CHANGES_CHANNEL = 'ovation_sync';

/** A scope of the replicas (docs/sync.md) and the version it has reached. */
export interface TouchedScope {
  scope: string;
  v: number;
}

/** 'unknown': something may have been missed, look everywhere. */
export type Touched = readonly TouchedScope[] | 'unknown';

/**
 * Tells after a commit which scopes it touched. Hints only: one may be lost, late, doubled or out of
 * order, so whoever listens reads the heads as well, now and then.
 */
export interface Changes {
  /** @returns how to stop listening */
  listen(listener: (touched: Touched) => void): () => void;
}

/** The listeners of one process. */
export class ChangeListeners implements Changes {
  readonly #listeners = new Set<(touched: Touched) => void>();
  readonly #onFirst: () => void;

  /** `onFirst` is called when somebody begins to listen. */
  constructor(onFirst: () => void = () => undefined) {
    this.#onFirst = onFirst;
  }

  listen(listener: (touched: Touched) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#onFirst();
    return () => this.#listeners.delete(listener);
  }

  tell(touched: Touched): void {
    for (const listener of this.#listeners) listener(touched);
  }
}

/**
 * Writes what the transaction has touched to the log: call it as its last statement. Locks the heads of
 * the scopes until the commit.
 */
export async function flushTouched(db: Db): Promise<TouchedScope[]> {
  const { rows } = await sql<TouchedScope>`select scope, v from sync_flush()`.execute(db);
  return rows;
}

/** Characters; the same bound as in `sync_flush_late()`. */
const PAYLOAD_LIMIT = 7900;

export function writePayload(touched: Iterable<TouchedScope>): string {
  const text = Array.from(touched, ({ scope, v }) => `${scope}=${v}`).join(',');
  return text.length <= PAYLOAD_LIMIT ? text : '*';
}

/** What a notification says; 'unknown' for anything that can't be read. */
export function readPayload(payload: string | undefined): Touched {
  const touched = (payload ?? '*').split(',').map((part) => {
    const at = part.lastIndexOf('=');
    return { scope: part.slice(0, at), v: Number(part.slice(at + 1)) };
  });
  return touched.every(({ scope, v }) => scope !== '' && Number.isSafeInteger(v))
    ? touched
    : 'unknown';
}
