import type { Deps } from '#server/kit/deps.ts';
import { countPolled } from '../accounts/poll-schedule.repository.ts';
import { type GraphBudget, SLOW_FROM_PERCENT } from '../allowance/graph-budget.ts';
import { startPacedClaim } from '../allowance/graph-bucket.repository.ts';

/**
 * How often an account is polled while the network allows. A post that appears right after a poll
 * waits this long for the next one; the rest of the 30 s (D7) is for the queue and the call itself.
 */
export const POLL_INTERVAL_MS = 20_000;
const CLAIM_LIMIT = 500;
const CLAIM_LEAST = 16;
/** A claim should be worked off in about a second: claimed polls that wait can't be taken by others. */
const CLAIM_TARGET_MS = 1000;
const PACED_CLAIM_MS = 1000;
const COUNT_EVERY_MS = 10_000;
/** While nothing may be asked: how often to see whether that has changed. */
const RECHECK_MS = 5000;

type Grant = { kind: 'polls'; limit: number; isSlowed: boolean } | { kind: 'wait'; idleMs: number };

/**
 * How many polls may be claimed now. From 75 % of the freest token's allowance on, all nodes together
 * take only as many polls per second as fit an interval stretched for every account alike; those that
 * have waited longest come first. The square makes it settle below 100 % whatever the allowance is:
 * 80 % stretches to 31 s, 90 % to 2 minutes, 95 % to 8, 99 % to 3.5 hours.
 */
export class PollPace {
  readonly #deps: Pick<Deps, 'clock' | 'database'>;
  readonly #budget: GraphBudget;
  #limit = 128;
  #polled = { count: 0, countedAtMs: -Infinity };

  constructor(deps: Pick<Deps, 'clock' | 'database'>, budget: GraphBudget) {
    this.#deps = deps;
    this.#budget = budget;
  }

  async next(): Promise<Grant> {
    const freest = this.#budget.freest();
    if (!freest) {
      const waitMs = this.#budget.waitMs() ?? RECHECK_MS;
      return { kind: 'wait', idleMs: Math.min(RECHECK_MS, Math.max(1, waitMs)) };
    }
    const { bucketId, percent } = freest;
    if (percent < SLOW_FROM_PERCENT) {
      return { kind: 'polls', limit: this.#limit, isSlowed: false };
    }
    const { limit, spacingMs } = await this.#slowed(percent);
    const now = new Date(this.#deps.clock.now());
    const isOurs = await startPacedClaim(this.#deps.database.db, { bucketId, now, spacingMs });
    return isOurs
      ? { kind: 'polls', limit, isSlowed: true }
      : { kind: 'wait', idleMs: Math.min(spacingMs, PACED_CLAIM_MS) };
  }

  /** Claims grow while they are worked off quickly and shrink while the network is slow. */
  worked(tookMs: number): void {
    if (tookMs < CLAIM_TARGET_MS) this.#limit = Math.min(CLAIM_LIMIT, this.#limit * 2);
    else if (tookMs > 2 * CLAIM_TARGET_MS) {
      this.#limit = Math.max(CLAIM_LEAST, Math.floor(this.#limit / 2));
    }
  }

  async #slowed(percent: number): Promise<{ limit: number; spacingMs: number }> {
    // A full token whose block has passed: one call tells how much is left by now.
    if (percent >= 100) return { limit: 1, spacingMs: PACED_CLAIM_MS };
    const stretchedMs = POLL_INTERVAL_MS * stretch(percent);
    const perPollMs = stretchedMs / Math.max(1, await this.#countPolled());
    const limit = Math.min(CLAIM_LIMIT, Math.max(1, Math.floor(PACED_CLAIM_MS / perPollMs)));
    return { limit, spacingMs: Math.ceil(perPollMs * limit) };
  }

  async #countPolled(): Promise<number> {
    const now = this.#deps.clock.now();
    if (now - this.#polled.countedAtMs >= COUNT_EVERY_MS) {
      this.#polled = { count: await countPolled(this.#deps.database.db), countedAtMs: now };
    }
    return this.#polled.count;
  }
}

/** By how much the interval grows at a usage of 75 to 99 %. */
export function stretch(percent: number): number {
  return ((100 - SLOW_FROM_PERCENT) / (100 - percent)) ** 2;
}
