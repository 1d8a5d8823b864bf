import type { JSONColumnType } from 'kysely';

/**
 * One payment submit and its answer, so that the same submit again is the same answer (D4).
 * A row without an answer is running, or its process died while it ran.
 */
export interface SubmitTable {
  workspace_id: string;
  /** The call's path. */
  call: string;
  key: string;
  /** SHA-256, keyed with the app secret, of the whole body: a card number must not be guessable from it. */
  body_hash: Buffer;
  http_status: number | null;
  answer: JSONColumnType<Record<string, unknown>> | null;
  /** The charge this submit led to, once there is one. */
  charge_id: string | null;
  created_at: Date;
  /** While it runs: a twin waits until then before it takes over. */
  lease_until: Date;
}
