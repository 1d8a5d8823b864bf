import type { Budget, Budgets } from '#shared/contract/money/budget.ts';
import { partSpent } from '#shared/domain/money/budget.ts';
import { BudgetForm, budgetInWords } from '#web/payments/budget/budget-form.tsx';
import { centsOf } from '#web/payments/price-words.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { BillingSection } from '../billing-section.tsx';
import styles from './billing-page.module.css';

interface BudgetMonth {
  month: Budgets;
}

/** undefined: the workspace's. */
const nameOf = ({ igUsername, client }: Budget): string | undefined =>
  igUsername === null ? client?.name : `@${igUsername}`;

const keyOf = ({ igUsername, client }: Budget): string => client?.id ?? igUsername ?? '';

/** Budgets of which 80 percent or all is spent; nothing without one. */
export function BudgetBanner({ month }: BudgetMonth) {
  const told = [...month.budgets, ...(month.clients ?? [])].filter(
    ({ limit, spent }) => limit !== null && partSpent(centsOf(limit), centsOf(spent)) !== undefined,
  );
  if (told.length === 0) return null;
  return (
    <Notice tone="wait">
      {told.map((budget) => (
        <p key={keyOf(budget)}>
          <strong>{nameOf(budget) ?? 'Monthly budget'}</strong>: {budgetInWords(budget, month)}
        </p>
      ))}
    </Notice>
  );
}

/** The workspace's budget, those of clients, which are set on the team's page, and those of accounts, in their dialogs. */
export function BudgetSection({
  month,
  onSaved,
}: BudgetMonth & { onSaved: (budgets: Budgets) => void }) {
  const [workspace, ...accounts] = month.budgets;
  if (!workspace) return null;
  return (
    <BillingSection name="budget" title="Monthly budget">
      <BudgetForm budget={workspace} month={month} onSaved={onSaved} />
      <Others label="Budgets of clients" budgets={month.clients ?? []} month={month} />
      <Others label="Budgets of accounts" budgets={accounts} month={month} />
    </BillingSection>
  );
}

function Others({
  label,
  budgets,
  month,
}: BudgetMonth & { label: string; budgets: readonly Budget[] }) {
  if (budgets.length === 0) return null;
  return (
    <ul aria-label={label}>
      {budgets.map((budget) => (
        <li className={styles['line']} key={keyOf(budget)}>
          <span className="wrap-anywhere" dir="auto">
            {nameOf(budget)}
          </span>
          <span className={styles['next']}>{budgetInWords(budget, month)}</span>
        </li>
      ))}
    </ul>
  );
}
