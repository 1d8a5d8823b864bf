import type { Generated, JSONColumnType } from 'kysely';
import type { BULK_OUTCOMES, BulkChange } from '#shared/contract/accounts/bulk.ts';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import type { ProposalState } from '#shared/domain/accounts/bulk.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';

/**
 * draft ──┬─ started ──> running ──no change waits any more──> done
 *         └─ costs more than its person may decide alone ──> proposed ──┬─ another one: approved, or refused
 *                                                                       ├─ its person: withdrawn
 *                                                                       └─ nobody for 72 h: expired
 * What is approved is another operation, which `approves` it, at the prices of that moment.
 */
export interface BulkOperationTable {
  workspace_id: WorkspaceId;
  id: string;
  state: 'draft' | 'running' | 'done' | ProposalState;
  /** A user's id: whose right and whose spending it is. */
  started_by: string;
  /** In which session it was started; null: before that was kept, or it wasn't. */
  session_id: string | null;
  undo_of: string | null;
  /** The proposal that this carries out. */
  approves: string | null;
  /** Who approved or refused a proposal. */
  decided_by: string | null;
  /** Why it was refused; null: nobody said, or it wasn't. */
  refusal: string | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

export interface BulkItemTable {
  workspace_id: WorkspaceId;
  operation_id: string;
  position: number;
  /** Null: no such account. */
  account_id: AccountId | null;
  ig_username: string;
  change: JSONColumnType<BulkChange>;
  seen: string | null;
  today_cents: Generated<number>;
  month_cents: Generated<number>;
  outcome: (typeof BULK_OUTCOMES)[number];
  /** `stopped`: by somebody, while it waited. */
  code: ErrorCode | 'stopped' | null;
  reason: string | null;
  attempt_id: string;
  charged_cents: Generated<number>;
  undo: JSONColumnType<BulkChange> | null;
  left_as: string | null;
  ended_at: Date | null;
  due_at: Date | null;
  fence: Generated<number>;
  /** A worker is at it, or has been: it isn't stopped any more. What was deferred before anything was done isn't begun. */
  begun: Generated<boolean>;
}
