import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Budget, type Budgets, saveBudget } from '#shared/contract/money/budget.ts';
import { budgetSentence, SPENT } from '#shared/domain/money/budget.ts';
import { unansweredSentence } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { onlySentence, useMay } from '#web/customer/rights/use-may.ts';
import { useServices } from '#web/platform/services.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { centsOf, dollarsInWords } from '../price-words.ts';

const NO_ANSWER = 'We couldn’t reach the server, so the budget may not be saved. Please try again.';

/** How a month stands, in one sentence. */
export function budgetInWords(
  { igUsername, client, limit, spent, due, monthly }: Budget,
  { from, until, timeZone }: Budgets,
): string {
  if (limit === null) {
    const later = due > 0 ? `, and renewals of ${dollarsInWords(due)} are still due` : '';
    return `There is no budget. ${dollarsInWords(spent)} ${SPENT} this month${later}.`;
  }
  const sums = {
    spentCents: centsOf(spent),
    dueCents: centsOf(due),
    monthlyCents: centsOf(monthly),
  };
  const of = { igUsername, clientName: client?.name ?? null };
  const month = { fromMs: Date.parse(from), untilMs: Date.parse(until), timeZone };
  return budgetSentence({ ...of, limitCents: centsOf(limit) }, sums, month);
}

/** What the workspace, one client or one account may cost in a month, and how the month stands; owners change it. */
export function BudgetForm({
  budget,
  month,
  onSaved,
}: {
  budget: Budget;
  month: Budgets;
  onSaved: (budgets: Budgets) => void;
}) {
  const isOwner = useMay('team');
  return (
    <div className="grid gap-4">
      <p>{budgetInWords(budget, month)}</p>
      {isOwner ? (
        <LimitForm key={budget.limit} budget={budget} onSaved={onSaved} />
      ) : (
        <p className="c-soft text-1">{onlySentence('team', 'change the budget')}</p>
      )}
    </div>
  );
}

function LimitForm({ budget, onSaved }: { budget: Budget; onSaved: (budgets: Budgets) => void }) {
  const { userId } = useCustomer();
  const { api, platform } = useServices();
  const { igUsername, client } = budget;
  const name = igUsername === null ? client?.name : `@${igUsername}`;
  const [typed, setTyped] = useState(budget.limit === null ? '' : String(budget.limit));
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const save = async (): Promise<void> => {
    const limit = typed.trim() === '' ? null : Number(typed);
    const of = igUsername === null ? client && { clientId: client.id } : { igUsername };
    const input = { userId, limit, ...of };
    // What isn't a number would be sent as null, which is no budget at all.
    const wrong = fieldErrors(saveBudget.input, input)['limit'];
    setProblem(wrong);
    if (wrong !== undefined) return;
    setIsSaving(true);
    const wasOnline = platform.isOnline();
    const answer = await api.call(saveBudget, input);
    setIsSaving(false);
    if (answer.kind === 'success') {
      toastSuccess(limit === null ? 'Budget removed.' : 'Budget saved.');
      onSaved(answer.data);
    } else if (answer.kind === 'error') setProblem(answer.fields['limit'] ?? answer.message);
    else setProblem(unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={submit}
      noValidate
      aria-label={name === undefined ? 'Monthly budget' : `Monthly budget for ${name}`}
    >
      <TextInput
        label="Dollars a month"
        description="Purchases beyond it are refused, renewals are not. Leave it empty for no budget."
        name="limit"
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        maxLength={20}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isSaving}>
        Save budget
      </Button>
    </form>
  );
}
