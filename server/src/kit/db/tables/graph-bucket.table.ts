import type { Generated, JSONColumnType } from 'kysely';
import type { NetworkAccount } from '#server/adapters/graph/social-network.ts';

/** How much of each token's allowance is used; shared by all nodes. */
export interface GraphBucketTable {
  bucket_id: string;
  usage_percent: Generated<number>;
  /** When the call was made whose answer said so: answers overtake each other. */
  used_at: Generated<Date>;
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
  /** When polls were last handed out while slowed down. */
  paced_at: Date | null;
  /** Readings for customers that are under way, by their ids: when each counts as lost, in ms since 1970. */
  open_readings: Generated<Record<string, number>>;
  updated_at: Date;
}

/** What a look-up showed of a name; answers its repeats for a minute, on every node. */
export interface RememberedProfileTable {
  ig_username: string;
  /** null: the name can't be read. */
  account: JSONColumnType<NetworkAccount> | null;
  read_at: Date;
}
