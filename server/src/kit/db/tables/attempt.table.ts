import type { JSONColumnType } from 'kysely';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/** The answer of an attempt as it is kept for repeats; never holds card data. */
export type AttemptAnswer =
  | { kind: 'success'; data: unknown; message?: string }
  | { kind: 'error'; code: ErrorCode; message: string; fields?: Record<string, string> };

/**
 * One payment attempt and its answer, so that the same attempt again is the same answer (D4).
 * A row without an answer is running, its process died while it ran, or its payment isn't settled.
 */
export interface AttemptTable {
  workspace_id: WorkspaceId;
  /** The call's path. */
  call: string;
  /** Keyed hash of the Idempotency-Key, or of the body where there is none. */
  key: string;
  /** SHA-256, keyed with the app secret, of the whole body: a card number must not be guessable from it. */
  body_hash: Buffer;
  /** Made with the row: the id of the charge it leads to. Whoever resumes it repeats the same calls. */
  attempt_id: string;
  answer: JSONColumnType<AttemptAnswer> | null;
  created_at: Date;
  /** While it runs: a duplicate waits until then before it resumes it. */
  lease_until: Date;
}
