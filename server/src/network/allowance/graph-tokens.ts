import type { Deps } from '#server/kit/deps.ts';
import { listBuckets } from './graph-bucket.repository.ts';

/** How a token of the network's stands. The id is its owner's, which is no secret. */
export type GraphToken = { bucketId: string } & (
  | { state: 'serving'; percent: number }
  | { state: 'throttled'; until: Date }
  /** Only a new token helps, or the end of a block; it is tried again by itself meanwhile. */
  | { state: 'refused'; code: number; retryAt: Date | null }
);

/** The tokens that are configured; one nobody has used yet is serving. */
export async function readGraphTokens({
  clock,
  database,
  network,
}: Pick<Deps, 'clock' | 'database' | 'network'>): Promise<GraphToken[]> {
  const { bucketIds } = network;
  if (bucketIds.length === 0) return [];
  const rows = await listBuckets(database.db, bucketIds);
  const byId = new Map(rows.map((row) => [row.bucket_id, row]));
  return bucketIds.map((bucketId): GraphToken => {
    const row = byId.get(bucketId);
    if (row && row.refused_code !== null) {
      return { bucketId, state: 'refused', code: row.refused_code, retryAt: row.retry_at };
    }
    const until = row?.blocked_until;
    if (until && until.getTime() > clock.now()) return { bucketId, state: 'throttled', until };
    return { bucketId, state: 'serving', percent: row?.usage_percent ?? 0 };
  });
}
