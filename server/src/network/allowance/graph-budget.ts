import type { BucketUsage, NetworkTrouble } from '#server/adapters/graph/social-network.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type Share, SHARES } from './allowance-share.ts';
import {
  blockBucket,
  claimTrial,
  closeReading,
  type GraphBucketRow,
  insertMissingBuckets,
  listBuckets,
  type OpenShare,
  openReading,
  refuseBucket,
  returnToService,
  storeUsage,
} from './graph-bucket.repository.ts';

/** From here on the polls slow down. */
export const SLOW_FROM_PERCENT = 75;
const REFRESH_MS = 1000;
const JITTER = 0.1;

export type BudgetDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random'>;

/** What an answer says about the bucket it was asked with. */
export type BucketAnswer = { usage: BucketUsage | undefined } & (
  | { kind: 'read' | 'unreadable' | 'cursor_invalid' | 'exists' | 'gone' }
  | NetworkTrouble
);

interface Bucket {
  percent: number;
  blockedUntilMs: number;
  isRefused: boolean;
  /** When a refused one is tried again. */
  retryAtMs: number;
  /** The one call that tries a refused one is under way. */
  isOnTrial: boolean;
  /** Position in the order of use; the least recently used of equals goes first. */
  usedAs: number;
  unsaved: { percent: number; calledAtMs: number } | undefined;
}

/**
 * How much may be asked, shared by all nodes through `graph_bucket`.
 *
 * Polls must not pay a query each: the rows are read, and changed percentages written, at most once
 * a second. A throttle or a refusal is written at once, because others must not run into it too.
 */
export class GraphBudget {
  readonly #deps: BudgetDeps;
  readonly #buckets = new Map<string, Bucket>();
  readonly #loggedCodes = new Set<number>();
  #readAtMs = -Infinity;
  #uses = 0;

  constructor(deps: BudgetDeps) {
    this.#deps = deps;
  }

  /** Brings this node's view up to date, at most once a second. */
  async refresh(): Promise<void> {
    const { clock, database, network } = this.#deps;
    const now = clock.now();
    if (now - this.#readAtMs < REFRESH_MS || network.bucketIds.length === 0) return;
    await this.save();
    let rows = await listBuckets(database.db, network.bucketIds);
    if (rows.length < network.bucketIds.length) {
      await insertMissingBuckets(database.db, network.bucketIds, new Date(now));
      rows = await listBuckets(database.db, network.bucketIds);
    }
    for (const row of rows) this.#adopt(row);
    this.#readAtMs = now;
  }

  /** Writes the percentages learnt since the last time. */
  async save(): Promise<void> {
    const { clock, database } = this.#deps;
    for (const [bucketId, bucket] of this.#buckets) {
      const { unsaved } = bucket;
      if (!unsaved) continue;
      bucket.unsaved = undefined;
      await storeUsage(database.db, {
        bucketId,
        percent: unsaved.percent,
        calledAt: new Date(unsaved.calledAtMs),
        now: new Date(clock.now()),
      });
    }
  }

  /**
   * The freest bucket in service. While there is none, a refused one that is to be tried counts as full:
   * one call at a time.
   */
  freest(): { bucketId: string; percent: number } | undefined {
    const [best] = this.#inService();
    if (best) return { bucketId: best.bucketId, percent: best.bucket.percent };
    const [due] = this.#dueForTrial();
    return due === undefined ? undefined : { bucketId: due, percent: 100 };
  }

  /** Takes the freest bucket for one call. */
  take(): string | undefined {
    const [best] = this.#inService();
    if (best) best.bucket.usedAs = this.#uses += 1;
    return best?.bucketId;
  }

  /** Takes the freest bucket in which a share has room for one call, counted on every node. */
  async takeShare(share: Share): Promise<OpenShare | undefined> {
    const { clock, database, random } = this.#deps;
    const id = random.bytes(9).toString('base64url');
    for (const { bucketId, bucket } of this.#inService()) {
      const reading = { bucketId, id };
      const now = new Date(clock.now());
      const belowPercent = SHARES[share];
      if (!(await openReading(database.db, { ...reading, belowPercent, now }))) continue;
      bucket.usedAs = this.#uses += 1;
      return reading;
    }
    return undefined;
  }

  /** Gives a share's call back; what it told of the usage is written first, for the next one to see. */
  async closeShare(reading: OpenShare): Promise<void> {
    const { clock, database } = this.#deps;
    await this.save();
    await closeReading(database.db, { ...reading, now: new Date(clock.now()) });
  }

  /** The freest first, and of equals the one that wasn't used for longest. */
  #inService(): Array<{ bucketId: string; bucket: Bucket }> {
    const now = this.#deps.clock.now();
    return Array.from(this.#buckets, ([bucketId, bucket]) => ({ bucketId, bucket }))
      .filter(({ bucket }) => !bucket.isRefused && bucket.blockedUntilMs <= now)
      .sort((a, b) => a.bucket.percent - b.bucket.percent || a.bucket.usedAs - b.bucket.usedAs);
  }

  /** Takes a refused bucket for the one call that tries it again, unless another node has. */
  async takeTrial(): Promise<string | undefined> {
    const { clock, database } = this.#deps;
    for (const bucketId of this.#dueForTrial()) {
      const bucket = this.#buckets.get(bucketId);
      if (!bucket) continue;
      // Until the rows are read again nobody here asks twice.
      bucket.retryAtMs = Infinity;
      if (!(await claimTrial(database.db, bucketId, new Date(clock.now())))) continue;
      bucket.isOnTrial = true;
      return bucketId;
    }
    return undefined;
  }

  #dueForTrial(): string[] {
    const now = this.#deps.clock.now();
    return [...this.#buckets]
      .filter(([, { isRefused, retryAtMs }]) => isRefused && retryAtMs <= now)
      .map(([bucketId]) => bucketId);
  }

  /** Until a bucket is free again, in milliseconds; undefined when none is in service. */
  waitMs(): number | undefined {
    const now = this.#deps.clock.now();
    const waits = [...this.#buckets.values()]
      .filter(({ isRefused }) => !isRefused)
      .map(({ blockedUntilMs }) => Math.max(0, blockedUntilMs - now));
    return waits.length > 0 ? Math.min(...waits) : undefined;
  }

  /** Learns from an answer. Waits for the database only when the bucket has to stop. */
  async learn(bucketId: string, calledAtMs: number, answer: BucketAnswer): Promise<void> {
    const bucket = this.#buckets.get(bucketId);
    if (!bucket) return;
    if (bucket.isOnTrial) await this.#endTrial(bucketId, bucket, answer);
    if (answer.kind === 'throttled') {
      return this.#block(bucketId, calledAtMs, answer.retryAfterMs ?? answer.usage?.regainAfterMs);
    }
    if (answer.kind === 'refused') return this.#refuse(bucketId, answer);
    const { usage } = answer;
    if (usage && (usage.percent >= 100 || usage.regainAfterMs)) {
      return this.#block(bucketId, calledAtMs, usage.regainAfterMs);
    }
    if (answer.kind === 'unreachable') return undefined;
    // Without a figure a full bucket that answers can't be full any more.
    const known = bucket.percent >= 100 ? 0 : bucket.percent;
    const percent = usage ? Math.round(usage.percent) : known;
    if (percent === bucket.percent || bucket.blockedUntilMs > calledAtMs) return undefined;
    bucket.percent = percent;
    bucket.unsaved = { percent, calledAtMs };
    return undefined;
  }

  /** Any answer of the network's own shows that it accepts the token; none shows nothing. */
  async #endTrial(bucketId: string, bucket: Bucket, answer: BucketAnswer): Promise<void> {
    const { clock, database, log } = this.#deps;
    bucket.isOnTrial = false;
    if (answer.kind === 'unreachable') return;
    if (answer.kind === 'refused' && answer.cause !== 'request') return;
    bucket.isRefused = false;
    await returnToService(database.db, [bucketId], new Date(clock.now()));
    log.warn('the network accepts a token again', { bucketId });
  }

  async #block(bucketId: string, calledAtMs: number, waitMs: number | undefined): Promise<void> {
    const { clock, database, log, random } = this.#deps;
    const wasFree = (this.#buckets.get(bucketId)?.blockedUntilMs ?? 0) <= calledAtMs;
    const row = await blockBucket(database.db, {
      bucketId,
      calledAt: new Date(calledAtMs),
      now: new Date(clock.now()),
      waitMs,
      stretch: 1 + (JITTER * (random.bytes(1)[0] ?? 0)) / 255,
    });
    if (!row) return;
    this.#adopt(row, { isFullSure: true });
    if (wasFree) log.warn('the network throttles a token', { bucketId, count: row.throttles });
  }

  async #refuse(
    bucketId: string,
    refusal: Extract<NetworkTrouble, { kind: 'refused' }>,
  ): Promise<void> {
    const { clock, database, log } = this.#deps;
    const { cause, code } = refusal;
    if (cause === 'request') {
      if (this.#loggedCodes.has(code)) return;
      this.#loggedCodes.add(code);
      log.error('the network refuses a request of ours', { bucketId, code });
      return;
    }
    const bucket = this.#buckets.get(bucketId);
    const now = new Date(clock.now());
    if (bucket) Object.assign(bucket, { isRefused: true, retryAtMs: Infinity });
    if (await refuseBucket(database.db, { bucketId, code, now })) {
      log.error('the network refuses a token: operator, replace it and restart the workers', {
        bucketId,
        code,
        reason: cause,
      });
    }
  }

  #adopt(row: GraphBucketRow, { isFullSure = false } = {}): void {
    const known = this.#buckets.get(row.bucket_id);
    const unsaved = isFullSure ? undefined : known?.unsaved;
    this.#buckets.set(row.bucket_id, {
      percent: unsaved?.percent ?? row.usage_percent,
      blockedUntilMs: row.blocked_until?.getTime() ?? 0,
      isRefused: row.refused_code !== null,
      retryAtMs: row.retry_at?.getTime() ?? 0,
      isOnTrial: known?.isOnTrial ?? false,
      usedAs: known?.usedAs ?? 0,
      unsaved,
    });
  }
}
