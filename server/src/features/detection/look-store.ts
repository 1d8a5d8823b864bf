import type { Deps } from '../../deps.ts';
import { giveBackLooks } from '../accounts/account-watch.repository.ts';
import type { LookResult } from './look-result.ts';
import type { MissingPost } from './missing-posts.ts';
import { storeContent, storeFailures, storeTouches } from './store-looks.ts';

const BATCH_MOST = 100;
type StoreDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

/**
 * Writes results of looks in batches, whatever has gathered while the batch before was written: one
 * result is written at once, and a hundred in nearly the same time.
 */
export class LookStore {
  readonly #deps: StoreDeps;
  readonly #confirm: (missing: readonly MissingPost[]) => void;
  readonly #waiting: LookResult[] = [];
  #writing: Promise<void> | undefined;

  /** `confirm` is told which posts looks keep missing; it must not throw. */
  constructor(deps: StoreDeps, confirm: (missing: readonly MissingPost[]) => void) {
    this.#deps = deps;
    this.#confirm = confirm;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(result: LookResult): void {
    this.#waiting.push(result);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves once everything added so far has been written. */
  async written(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What arrives in the same turn of the event loop goes into the same batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MOST);
      try {
        await this.#write(batch);
      } catch (error) {
        this.#deps.log.warn('looks could not be stored together', { count: batch.length, error });
        for (const result of batch) await this.#writeAlone(result);
      }
    }
  }

  /** One account that can't be stored must not keep the others from being stored. */
  async #writeAlone(result: LookResult): Promise<void> {
    try {
      await this.#write([result]);
    } catch (error) {
      // It was scheduled again when it was claimed, so it isn't lost.
      const { accountId } = result.look;
      this.#deps.log.error('a look could not be stored', { accountId, error });
    }
  }

  async #write(batch: readonly LookResult[]): Promise<void> {
    const { clock, database, ids } = this.#deps;
    const now = new Date(clock.now());
    const content = batch.filter((result) => result.kind === 'content');
    if (content.length > 0) {
      this.#confirm(await database.transaction((tx) => storeContent(tx, ids, content, now)));
    }
    await storeTouches(
      database.db,
      batch.filter((result) => result.kind === 'touch'),
    );
    await storeFailures(
      database.db,
      batch.filter((result) => result.kind === 'failed'),
      now,
    );
    await giveBackLooks(
      database.db,
      batch.filter((result) => result.kind === 'given_back').map(({ look }) => look),
    );
  }
}
