import type { Budgets } from '#shared/contract/budget.ts';
import { partSpent } from '#shared/domain/budget.ts';
import { BudgetForm, budgetInWords } from '#web/payments/budget/budget-form.tsx';
import { centsOf } from '#web/payments/price-words.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { BillingSection } from './billing-section.tsx';
import styles from './billing-page.module.css';

interface BudgetMonth {
  month: Budgets;
}

/** Budgets of which 80 percent or all is spent; nothing without one. */
export function BudgetBanner({ month }: BudgetMonth) {
  const told = month.budgets.filter(
    ({ limit, spent }) => limit !== null && partSpent(centsOf(limit), centsOf(spent)) !== undefined,
  );
  if (told.length === 0) return null;
  return (
    <Notice tone="wait">
      {told.map((budget) => (
        <p key={budget.igUsername}>
          <strong>{budget.igUsername === null ? 'Monthly budget' : `@${budget.igUsername}`}</strong>
          : {budgetInWords(budget, month)}
        </p>
      ))}
    </Notice>
  );
}

/** The workspace's budget, and those of accounts, which are set in each account's dialog. */
export function BudgetSection({
  month,
  onSaved,
}: BudgetMonth & { onSaved: (budgets: Budgets) => void }) {
  const [workspace, ...accounts] = month.budgets;
  if (!workspace) return null;
  return (
    <BillingSection name="budget" title="Monthly budget">
      <BudgetForm budget={workspace} month={month} onSaved={onSaved} />
      {accounts.length > 0 && (
        <ul aria-label="Budgets of accounts">
          {accounts.map((budget) => (
            <li className={styles['line']} key={budget.igUsername}>
              <span>@{budget.igUsername}</span>
              <span className={styles['next']}>{budgetInWords(budget, month)}</span>
            </li>
          ))}
        </ul>
      )}
    </BillingSection>
  );
}
