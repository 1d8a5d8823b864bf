import type { Deps } from '../../deps.ts';
import type { Round } from '../../jobs/loop.ts';
import {
  claimDueLooks,
  type ClaimedLook,
  markThrottled,
} from '../accounts/account-watch.repository.ts';
import type { OrderDeps } from './automatic-orders.ts';
import { GraphBudget } from './graph-budget.ts';
import { compareDigests, contentDigest, keptDigest } from './look-digest.ts';
import { LOOK_INTERVAL_MS, LookPace } from './look-pace.ts';
import type { LookResult } from './look-result.ts';
import { LookStore } from './look-store.ts';
import { giveGrace, markDeleted, type MissingPost } from './missing-posts.ts';
import { NetworkReader } from './network-reader.ts';
import { Slots } from './slots.ts';

export type DetectionDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random'> &
  OrderDeps;

/** Looks in flight: 500 a second at 200 ms each keep 100 busy. */
export const LOOKS_AT_ONCE = 128;
/** The newest posts one look compares. */
export const POSTS_PER_LOOK = 12;
const IDLE_MS = 250;
/** Results that wait to be written before looking pauses: a database that is slower than the network. */
const WAITING_MOST = 1000;
/** Deleted posts asked about after one batch; the others' turn comes with the next looks. */
const CONFIRM_MOST = 20;
const MARK_EVERY_MS = 60_000;

/**
 * Looks at accounts and stores what has changed. A round claims due looks and starts them as slots
 * become free; it doesn't wait for their ends, so a slow answer holds up nobody but itself.
 */
export class Detector {
  readonly #deps: DetectionDeps;
  readonly #budget: GraphBudget;
  readonly #reader: NetworkReader;
  readonly #pace: LookPace;
  readonly #store: LookStore;
  readonly #looks = new Slots(LOOKS_AT_ONCE);
  readonly #confirmations = new Slots(4);
  /** Looks whose answer is awaited; whatever isn't here any more is ignored when it comes. */
  readonly #flying = new Set<ClaimedLook>();
  #signal: AbortSignal | undefined;
  #markedAtMs = -Infinity;

  constructor(deps: DetectionDeps) {
    this.#deps = deps;
    this.#budget = new GraphBudget(deps);
    this.#reader = new NetworkReader(deps, this.#budget);
    this.#pace = new LookPace(deps, this.#budget);
    this.#store = new LookStore(deps, (missing) => {
      for (const post of missing.slice(0, CONFIRM_MOST)) void this.#confirmDeleted(post);
    });
  }

  async round(signal: AbortSignal): Promise<Round> {
    const { clock, database } = this.#deps;
    this.#giveBackOn(signal);
    if (this.#store.waiting > WAITING_MOST) await this.#store.written();
    await this.#budget.refresh();
    const grant = await this.#pace.next();
    if (grant.kind === 'wait' || grant.isSlowed) await this.#markThrottled();
    if (grant.kind === 'wait') return { idleMs: grant.idleMs };
    const { limit } = grant;
    const now = clock.now();
    const nextLookAt = new Date(now + LOOK_INTERVAL_MS);
    const looks = await claimDueLooks(database.db, { now: new Date(now), nextLookAt, limit });
    for (const look of looks) {
      await this.#looks.take();
      void this.#look(look, nextLookAt.getTime(), signal);
    }
    this.#pace.worked(clock.now() - now);
    return looks.length === limit ? 'again' : { idleMs: IDLE_MS };
  }

  /** Resolves once all looks begun so far have ended and what they saw is written. */
  async settled(): Promise<void> {
    await this.#looks.empty();
    await this.#store.written();
    await this.#confirmations.empty();
    await this.#budget.save();
  }

  /**
   * Whoever stops doesn't wait for answers: the looks are given back at once, for other workers to
   * take, and a network that hangs doesn't hold up the end.
   */
  #giveBackOn(signal: AbortSignal): void {
    if (signal === this.#signal) return;
    this.#signal = signal;
    const giveBack = (): void => {
      for (const look of this.#flying) this.#land(look, { kind: 'given_back', look });
    };
    signal.addEventListener('abort', giveBack, { once: true });
  }

  /** Never rejects; its slot is freed when it has landed. */
  async #look(look: ClaimedLook, dueAgainAtMs: number, signal: AbortSignal): Promise<void> {
    this.#flying.add(look);
    if (signal.aborted) return this.#land(look, { kind: 'given_back', look });
    // A claimed look that waited so long is due again, and claimed by whoever comes first.
    if (this.#deps.clock.now() >= dueAgainAtMs) return this.#land(look, undefined);
    try {
      this.#land(look, await this.#read(look));
    } catch (error) {
      if (!this.#flying.has(look)) return undefined;
      this.#deps.log.error('a look failed', { accountId: look.accountId, error });
      this.#land(look, undefined);
    }
    return undefined;
  }

  #land(look: ClaimedLook, result: LookResult | undefined): void {
    if (!this.#flying.delete(look)) return;
    if (result) this.#store.add(result);
    this.#looks.release();
  }

  async #read(look: ClaimedLook): Promise<LookResult | undefined> {
    const reading = await this.#reader.readPage({
      username: look.igUsername,
      limit: POSTS_PER_LOOK,
    });
    switch (reading.kind) {
      case 'read': {
        const content = contentDigest(reading.account, reading.posts);
        const digest = keptDigest(content, look.accountId, reading.readAt.getTime());
        const change = compareDigests(look.digest, digest);
        return change === 'none' ? undefined : { kind: change, look, reading, digest };
      }
      case 'throttled':
        return { kind: 'given_back', look };
      case 'unreadable':
        return { kind: 'failed', look, cause: 'unreadable' };
      case 'unreachable':
      case 'cursor_invalid':
        break;
    }
    return { kind: 'failed', look, cause: 'unreachable' };
  }

  /** Never rejects. Where the network doesn't tell, the next look brings the post up again. */
  async #confirmDeleted(post: MissingPost): Promise<void> {
    const { clock, database, log } = this.#deps;
    await this.#confirmations.take();
    try {
      const { kind } = await this.#reader.readMedia(post.postId, undefined);
      if (kind === 'gone') {
        const now = new Date(clock.now());
        await database.transaction((tx) => markDeleted(tx, post, now));
      }
      if (kind === 'exists') await giveGrace(database.db, post);
    } catch (error) {
      log.error('a deleted post could not be stored', { accountId: post.accountId, error });
    } finally {
      this.#confirmations.release();
    }
  }

  /** Lets customers see it where looks are late because we are throttled. */
  async #markThrottled(): Promise<void> {
    const now = this.#deps.clock.now();
    if (now - this.#markedAtMs < MARK_EVERY_MS) return;
    this.#markedAtMs = now;
    await markThrottled(this.#deps.database.db, new Date(now - MARK_EVERY_MS));
  }
}
