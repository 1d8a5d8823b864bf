import type { NetworkAccount, NetworkPost } from '#server/adapters/graph/social-network.ts';
import type { Share } from './allowance-share.ts';
import { type BucketAnswer, type BudgetDeps, GraphBudget } from './graph-budget.ts';

/** What could be learnt of an account. */
export type AccountReading =
  | {
      kind: 'read';
      account: NetworkAccount;
      posts: NetworkPost[];
      /** Cursor of the next page; a short page isn't the end, a missing cursor is. Never stored. */
      after: string | undefined;
      readAt: Date;
    }
  /** Not found, renamed, private, personal or age-gated. */
  | { kind: 'unreadable' }
  /** Our allowance is used up; says nothing about the account. */
  | { kind: 'throttled'; retryAfterMs: number }
  /** The network, or our access to it, is down; says nothing about the account. */
  | { kind: 'unreachable' };

type PageReading = AccountReading | { kind: 'cursor_invalid' };
type MediaReading = { kind: 'exists' | 'gone' | 'throttled' | 'unreachable' };

interface AccountRequest {
  username: string;
  limit: number;
  signal?: AbortSignal | undefined;
  /** Whose part of the allowance it takes; undefined: all of it may be used. */
  share?: Share | undefined;
}

interface PageRequest extends AccountRequest {
  after?: string | undefined;
}

/**
 * Posts that one call asks for: where only the profile matters, as few as there can be; else a page, which is more
 * than can appear in the tolerance before a baseline (D7). The network answers larger pages with an error.
 */
export const READ_POSTS = { profile: 1, page: 25 } as const;

/** When to ask again where nobody knows better. */
const BUSY_WAIT_MS = 10_000;

/** Reads one account for somebody who waits for it. Polls, which are many, share a reader instead. */
export async function readNetworkAccount(
  deps: BudgetDeps,
  request: AccountRequest,
): Promise<AccountReading> {
  const budget = new GraphBudget(deps);
  await budget.refresh();
  const reading = await new NetworkReader(deps, budget).readPage(request);
  await budget.save();
  return reading.kind === 'cursor_invalid' ? { kind: 'unreachable' } : reading;
}

type Unasked = { kind: 'throttled'; retryAfterMs: number } | { kind: 'unreachable' };

/** Asks the network with the freest token, and with the next one where that turns out to be spent. */
export class NetworkReader {
  readonly #deps: BudgetDeps;
  readonly #budget: GraphBudget;

  constructor(deps: BudgetDeps, budget: GraphBudget) {
    this.#deps = deps;
    this.#budget = budget;
  }

  async readPage(request: PageRequest): Promise<PageReading> {
    const { username, limit, after, signal, share } = request;
    const answer = await this.#ask(
      (bucketId) =>
        this.#deps.network.readAccount({
          bucketId,
          username,
          limit,
          ...(after === undefined ? {} : { after }),
          ...(signal ? { signal } : {}),
        }),
      share,
    );
    switch (answer.kind) {
      case 'read': {
        const { account, posts, after: next } = answer;
        return {
          kind: 'read',
          account,
          posts,
          after: next,
          readAt: new Date(this.#deps.clock.now()),
        };
      }
      case 'unreadable':
      case 'cursor_invalid':
        return { kind: answer.kind };
      case 'throttled':
        return { kind: 'throttled', retryAfterMs: answer.retryAfterMs ?? BUSY_WAIT_MS };
      case 'refused':
      case 'unreachable':
        break;
    }
    return { kind: 'unreachable' };
  }

  /** Whether a post still exists. */
  async readMedia(
    mediaId: string,
    signal: AbortSignal | undefined,
    share?: Share,
  ): Promise<MediaReading> {
    const answer = await this.#ask(
      (bucketId) =>
        this.#deps.network.readMedia({ bucketId, mediaId, ...(signal ? { signal } : {}) }),
      share,
    );
    return { kind: answer.kind === 'refused' ? 'unreachable' : answer.kind };
  }

  /** Each pass takes a bucket out of service or ends, so there are at most as many as buckets. */
  async #ask<Answer extends BucketAnswer>(
    call: (bucketId: string) => Promise<Answer>,
    share?: Share,
  ): Promise<Answer | Unasked> {
    for (let tries = 0; tries < this.#deps.network.bucketIds.length; tries += 1) {
      const answer = await this.#askOne(call, share);
      if (!answer) break;
      const isBucketsFault =
        answer.kind === 'throttled' || (answer.kind === 'refused' && answer.cause !== 'request');
      if (!isBucketsFault) return answer;
    }
    const waitMs = this.#budget.waitMs();
    return waitMs === undefined
      ? { kind: 'unreachable' }
      : { kind: 'throttled', retryAfterMs: waitMs || BUSY_WAIT_MS };
  }

  /** Asks with one bucket; undefined when none may be used. A refused one that is due is tried first. */
  async #askOne<Answer extends BucketAnswer>(
    call: (bucketId: string) => Promise<Answer>,
    share: Share | undefined,
  ): Promise<Answer | undefined> {
    const trial = await this.#budget.takeTrial();
    if (trial !== undefined) return this.#learnFrom(call, trial);
    if (share === undefined) {
      const bucketId = this.#budget.take();
      return bucketId === undefined ? undefined : this.#learnFrom(call, bucketId);
    }
    const reading = await this.#budget.takeShare(share);
    if (!reading) return undefined;
    try {
      return await this.#learnFrom(call, reading.bucketId);
    } finally {
      await this.#budget.closeShare(reading);
    }
  }

  async #learnFrom<Answer extends BucketAnswer>(
    call: (bucketId: string) => Promise<Answer>,
    bucketId: string,
  ): Promise<Answer> {
    const calledAtMs = this.#deps.clock.now();
    const answer = await call(bucketId);
    await this.#budget.learn(bucketId, calledAtMs, answer);
    return answer;
  }
}
