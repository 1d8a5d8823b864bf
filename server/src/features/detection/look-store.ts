import type { Deps } from '../../deps.ts';
import type { OrderDeps } from './automatic-orders.ts';
import { giveBackLooks } from '../accounts/account-watch.repository.ts';
import { pairReadings } from '../posts/like-pair.repository.ts';
import type { LookResult } from './look-result.ts';
import type { MissingPost } from './missing-posts.ts';
import { storeContent, storeFailures, storeTouches } from './store-looks.ts';

const BATCH_MOST = 100;
/**
 * A batch costs little more than one result. So what comes within four times the duration of the batch
 * before is written together: at once while little happens, in larger batches as writing takes longer.
 */
const GATHER_FACTOR = 4;
const GATHER_MOST_MS = 500;
type StoreDeps = Pick<Deps, 'clock' | 'database' | 'log'> & OrderDeps;

/** Writes results of looks in batches. */
export class LookStore {
  readonly #deps: StoreDeps;
  readonly #confirm: (missing: readonly MissingPost[]) => void;
  readonly #waiting: LookResult[] = [];
  #writing: Promise<void> | undefined;
  /** Ends the gathering of the next batch. */
  #hurry = new AbortController();
  #wroteForMs = 0;
  /** How many wait for everything to be written. */
  #urgent = 0;

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
    if (this.#waiting.length >= BATCH_MOST) this.#hurry.abort();
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves once everything added so far has been written. */
  async written(): Promise<void> {
    this.#urgent += 1;
    this.#hurry.abort();
    while (this.#writing) await this.#writing;
    this.#urgent -= 1;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, BATCH_MOST);
      const startedAtMs = this.#deps.clock.now();
      try {
        await this.#write(batch);
      } catch (error) {
        this.#deps.log.warn('looks could not be stored together', { count: batch.length, error });
        for (const result of batch) await this.#writeAlone(result);
      }
      this.#wroteForMs = this.#deps.clock.now() - startedAtMs;
    }
  }

  async #gather(): Promise<void> {
    const gatherMs = Math.min(GATHER_MOST_MS, this.#wroteForMs * GATHER_FACTOR);
    const isEnough = this.#urgent > 0 || this.#waiting.length >= BATCH_MOST;
    if (isEnough || gatherMs === 0) return;
    this.#hurry = new AbortController();
    await this.#deps.clock.sleep(gatherMs, this.#hurry.signal);
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
    const { clock, database } = this.#deps;
    const now = new Date(clock.now());
    const content = batch.filter((result) => result.kind === 'content');
    if (content.length > 0) {
      this.#confirm(await database.transaction((tx) => storeContent(tx, this.#deps, content, now)));
    }
    const open = await storeTouches(
      database.db,
      batch.filter((result) => result.kind === 'touch'),
    );
    if (open.length > 0) await database.transaction((tx) => pairReadings(tx, open));
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
