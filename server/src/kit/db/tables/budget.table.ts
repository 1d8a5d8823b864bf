import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';

/** What a workspace, one client or one account of it may cost in a calendar month. */
export interface BudgetTable {
  workspace_id: WorkspaceId;
  /** The account's, the client's, or the workspace's. */
  id: string;
  /** With neither of these it is for the whole workspace. */
  account_id: AccountId | null;
  client_id: string | null;
  limit_cents: number;
  changed_at: Date;
}

/** That the owner was told how much of a budget is spent. */
export interface BudgetNoticeTable {
  workspace_id: WorkspaceId;
  budget_id: string;
  /** Its first day: "2026-11-01". */
  month: string;
  percent: 80 | 100;
  at: Date;
  /** Of this budget, as it was then. */
  limit_cents: number;
  /** When its month ends. */
  until: Date;
}
