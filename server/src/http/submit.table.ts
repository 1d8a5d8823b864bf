import type { JSONColumnType } from 'kysely';
import type { ErrorCode } from '#shared/contract/error-code.ts';

/** The answer of a submit as it is kept for repeats; never holds card data. */
export type SubmitAnswer =
  | { kind: 'success'; data: unknown; message?: string }
  | { kind: 'error'; code: ErrorCode; message: string; fields?: Record<string, string> };

/**
 * One payment submit and its answer, so that the same submit again is the same answer (D4).
 * A row without an answer is running, its process died while it ran, or its payment isn't settled.
 */
export interface SubmitTable {
  workspace_id: string;
  /** The call's path. */
  call: string;
  /** Keyed hash of the Idempotency-Key, or of the body where there is none. */
  key: string;
  /** SHA-256, keyed with the app secret, of the whole body: a card number must not be guessable from it. */
  body_hash: Buffer;
  /** Made with the row: the id of the charge it leads to. Whoever takes over repeats the same calls. */
  attempt_id: string;
  answer: JSONColumnType<SubmitAnswer> | null;
  created_at: Date;
  /** While it runs: a twin waits until then before it takes over. */
  lease_until: Date;
}
