import type { Deps } from '#server/kit/deps.ts';
import type { PostEvents } from './post-events.ts';
import { giveBackPolls } from '../accounts/poll-schedule.repository.ts';
import { pairReadings } from '../posts/like-pair.repository.ts';
import type { PollResult } from './poll-result.ts';
import type { MissingPost } from './missing-post.repository.ts';
import { storeContent, storeFailures, storeTouches } from './store-polls.ts';

const BATCH_LIMIT = 100;
/**
 * Writing a batch takes little longer than writing one result. So results are gathered for four times as long as
 * the last batch took to write: a node with little to do writes at once, one that is busy writes larger batches.
 */
const GATHER_FACTOR = 4;
const GATHER_LIMIT_MS = 500;
type StoreDeps = Pick<Deps, 'clock' | 'database' | 'log'>;

/** Writes results of polls in batches. */
export class PollBatches {
  readonly #deps: StoreDeps;
  readonly #events: PostEvents;
  readonly #confirm: (missing: readonly MissingPost[]) => void;
  readonly #waiting: PollResult[] = [];
  #writing: Promise<void> | undefined;
  /** Ends the gathering of the next batch. */
  #hurry = new AbortController();
  #wroteForMs = 0;
  /** How many wait for everything to be written. */
  #urgent = 0;

  /** `confirm` is told which posts polls keep missing; it must not throw. */
  constructor(
    deps: StoreDeps,
    events: PostEvents,
    confirm: (missing: readonly MissingPost[]) => void,
  ) {
    this.#deps = deps;
    this.#events = events;
    this.#confirm = confirm;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(result: PollResult): void {
    this.#waiting.push(result);
    if (this.#waiting.length >= BATCH_LIMIT) this.#hurry.abort();
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
      const batch = this.#waiting.splice(0, BATCH_LIMIT);
      const startedAtMs = this.#deps.clock.now();
      try {
        await this.#write(batch);
      } catch (error) {
        this.#deps.log.warn('polls could not be stored together', { count: batch.length, error });
        for (const result of batch) await this.#writeAlone(result);
      }
      this.#wroteForMs = this.#deps.clock.now() - startedAtMs;
    }
  }

  async #gather(): Promise<void> {
    const gatherMs = Math.min(GATHER_LIMIT_MS, this.#wroteForMs * GATHER_FACTOR);
    const isEnough = this.#urgent > 0 || this.#waiting.length >= BATCH_LIMIT;
    if (isEnough || gatherMs === 0) return;
    this.#hurry = new AbortController();
    await this.#deps.clock.sleep(gatherMs, this.#hurry.signal);
  }

  /** One account that can't be stored must not keep the others from being stored. */
  async #writeAlone(result: PollResult): Promise<void> {
    try {
      await this.#write([result]);
    } catch (error) {
      // It was scheduled again when it was claimed, so it isn't lost.
      const { accountId } = result.poll;
      this.#deps.log.error('a poll could not be stored', { accountId, error });
    }
  }

  async #write(batch: readonly PollResult[]): Promise<void> {
    const { clock, database } = this.#deps;
    const now = new Date(clock.now());
    const content = batch.filter((result) => result.kind === 'content');
    if (content.length > 0) {
      this.#confirm(
        await database.transaction((tx) => storeContent(tx, this.#events, content, now)),
      );
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
    await giveBackPolls(
      database.db,
      batch.filter((result) => result.kind === 'given_back').map(({ poll }) => poll),
    );
  }
}
