import type { BudgetMonth } from '#shared/domain/budget.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { BudgetNoticeTable } from '#server/kit/db/tables/budget.table.ts';
import type { Budget } from './budget.repository.ts';

/** That a part of a budget was reached, as it is kept: once a month. */
export function noticeOf(
  { workspace_id, id, limit_cents }: Pick<Budget, 'workspace_id' | 'id' | 'limit_cents'>,
  { percent, month, now }: { percent: 80 | 100; month: BudgetMonth; now: Date },
): BudgetNoticeTable {
  // A day into a month it is the same one in every zone.
  const name = new Date(month.fromMs + DAY_MS).toISOString().slice(0, 7);
  const until = new Date(month.untilMs);
  const first = `${name}-01`;
  return { workspace_id, budget_id: id, month: first, percent, at: now, limit_cents, until };
}
