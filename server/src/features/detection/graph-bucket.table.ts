import type { Generated } from 'kysely';
/** How much of each token's allowance is used; shared by all nodes. */
export interface GraphBucketTable {
  bucket_id: string;
  usage_percent: Generated<number>;
  /** No call before this instant; null when free. */
  blocked_until: Date | null;
  /** Throttled answers in a row without a waiting time: 1-2-4... minutes, at most 30. */
  throttles: Generated<number>;
  /** Set when the network refused the token, a permission, or blocked us: an operator must act. */
  refused_code: number | null;
  /** When a refused token is tried once more; null while it isn't refused. */
  retry_at: Date | null;
  /** Refusals in a row. */
  refusals: Generated<number>;
  /** When looks were last handed out while slowed down. */
  paced_at: Date | null;
  updated_at: Date;
}
