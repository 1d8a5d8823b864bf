import type { Deps } from '#server/kit/deps.ts';
import type { Round } from '#server/kit/jobs/loop.ts';
import {
  claimDuePolls,
  type ClaimedPoll,
  markThrottled,
} from '../accounts/poll-schedule.repository.ts';
import type { PostEvents } from './post-events.ts';
import { GraphBudget } from '../allowance/graph-budget.ts';
import { compareFingerprints, contentFingerprint, keptFingerprint } from './fingerprint.ts';
import type { PollResult } from './poll-result.ts';
import { POLL_INTERVAL_MS, PollPace } from './poll-pace.ts';
import { PollBatches } from './poll-batches.ts';
import { giveGrace, markDeleted, type MissingPost } from './missing-post.repository.ts';
import { NetworkReader } from '../allowance/network-reader.ts';
import { Semaphore } from '#server/kit/async/semaphore.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

export type DetectionDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random'>;

/** Polls in flight: 500 a second at 200 ms each keep 100 busy. */
export const POLL_CONCURRENCY = 128;
/** The newest posts one poll compares. */
export const POSTS_PER_POLL = 12;
/** Between rounds when fewer accounts were due than could be claimed. */
export const IDLE_MS = 250;
/** Results that wait to be written before polling pauses: a database that is slower than the network. */
const WAITING_LIMIT = 1000;
/** Deleted posts asked about after one batch; the others' turn comes with the next polls. */
const CONFIRM_LIMIT = 20;
const MARK_EVERY_MS = MINUTE_MS;

/**
 * Polls accounts and stores what has changed. A round claims due polls and starts them as earlier
 * ones end; it doesn't wait for their ends, so a slow answer holds up nobody but itself.
 */
export class Detector {
  readonly #deps: DetectionDeps;
  readonly #events: PostEvents;
  readonly #budget: GraphBudget;
  readonly #reader: NetworkReader;
  readonly #pace: PollPace;
  readonly #store: PollBatches;
  readonly #polls = new Semaphore({ concurrency: POLL_CONCURRENCY });
  readonly #confirmations = new Semaphore({ concurrency: 4 });
  /** Polls whose answer is awaited; whatever isn't here any more is ignored when it comes. */
  readonly #flying = new Set<ClaimedPoll>();
  #signal: AbortSignal | undefined;
  #markedAtMs = -Infinity;

  constructor(deps: DetectionDeps, events: PostEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#budget = new GraphBudget(deps);
    this.#reader = new NetworkReader(deps, this.#budget);
    this.#pace = new PollPace(deps, this.#budget);
    this.#store = new PollBatches(deps, events, (missing) => {
      for (const post of missing.slice(0, CONFIRM_LIMIT)) void this.#confirmDeleted(post);
    });
  }

  async round(signal: AbortSignal): Promise<Round> {
    const { clock, database } = this.#deps;
    this.#giveBackOn(signal);
    if (this.#store.waiting > WAITING_LIMIT) await this.#store.written();
    await this.#budget.refresh();
    const grant = await this.#pace.next();
    if (grant.kind === 'wait' || grant.isSlowed) await this.#markThrottled();
    if (grant.kind === 'wait') return { idleMs: grant.idleMs };
    const { limit } = grant;
    const now = clock.now();
    const nextPollAt = new Date(now + POLL_INTERVAL_MS);
    const polls = await claimDuePolls(database.db, { now: new Date(now), nextPollAt, limit });
    for (const poll of polls) {
      await this.#polls.acquire();
      void this.#poll(poll, nextPollAt.getTime(), signal);
    }
    this.#pace.worked(clock.now() - now);
    return polls.length === limit ? 'again' : { idleMs: IDLE_MS };
  }

  /** Resolves once all polls begun so far have ended and what they saw is written. */
  async settled(): Promise<void> {
    await this.#polls.idle();
    await this.#store.written();
    await this.#confirmations.idle();
    await this.#budget.save();
  }

  /**
   * Whoever stops doesn't wait for answers: the polls are given back at once, for other workers to
   * take, and a network that hangs doesn't hold up the end.
   */
  #giveBackOn(signal: AbortSignal): void {
    if (signal === this.#signal) return;
    this.#signal = signal;
    const giveBack = (): void => {
      for (const poll of this.#flying) this.#land(poll, { kind: 'given_back', poll });
    };
    signal.addEventListener('abort', giveBack, { once: true });
  }

  /** Never rejects; the next one may start when it has landed. */
  async #poll(poll: ClaimedPoll, dueAgainAtMs: number, signal: AbortSignal): Promise<void> {
    this.#flying.add(poll);
    if (signal.aborted) return this.#land(poll, { kind: 'given_back', poll });
    // A claimed poll that waited so long is due again, and claimed by whoever comes first.
    if (this.#deps.clock.now() >= dueAgainAtMs) return this.#land(poll, undefined);
    try {
      this.#land(poll, await this.#read(poll));
    } catch (error) {
      if (!this.#flying.has(poll)) return undefined;
      this.#deps.log.error('a poll failed', { accountId: poll.accountId, error });
      this.#land(poll, undefined);
    }
    return undefined;
  }

  #land(poll: ClaimedPoll, result: PollResult | undefined): void {
    if (!this.#flying.delete(poll)) return;
    if (result) this.#store.add(result);
    this.#polls.release();
  }

  async #read(poll: ClaimedPoll): Promise<PollResult | undefined> {
    const reading = await this.#reader.readPage({
      username: poll.igUsername,
      limit: POSTS_PER_POLL,
    });
    switch (reading.kind) {
      case 'read': {
        const content = contentFingerprint(reading.account, reading.posts);
        const fingerprint = keptFingerprint(content, poll.accountId, reading.readAt.getTime());
        const change = compareFingerprints(poll.fingerprint, fingerprint);
        return change === 'none' ? undefined : { kind: change, poll, reading, fingerprint };
      }
      case 'throttled':
        return { kind: 'given_back', poll };
      case 'unreadable':
        return { kind: 'failed', poll, cause: 'unreadable' };
      case 'unreachable':
      case 'cursor_invalid':
        break;
    }
    return { kind: 'failed', poll, cause: 'unreachable' };
  }

  /** Never rejects. Where the network doesn't tell, the next poll brings the post up again. */
  async #confirmDeleted(post: MissingPost): Promise<void> {
    const { clock, database, log } = this.#deps;
    await this.#confirmations.run(async () => {
      try {
        const { kind } = await this.#reader.readMedia(post.postId, undefined);
        if (kind === 'gone') {
          const now = new Date(clock.now());
          await database.transaction((tx) => markDeleted(tx, this.#events, post, now));
        }
        if (kind === 'exists') await giveGrace(database.db, post);
      } catch (error) {
        log.error('a deleted post could not be stored', { accountId: post.accountId, error });
      }
    });
  }

  /** Lets customers see it where polls are late because we are throttled. */
  async #markThrottled(): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - this.#markedAtMs < MARK_EVERY_MS) return;
    this.#markedAtMs = now;
    await markThrottled(this.#deps.database.db, new Date(now - MARK_EVERY_MS));
  }
}
