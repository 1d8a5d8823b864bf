import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { saveApproval, type Team } from '#shared/contract/people/team.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import type { UsedTeam } from './use-team.ts';

/** Above which amount a manager's changes of many accounts need a second person. */
export function ApprovalForm({ team, used }: { team: Team; used: UsedTeam }) {
  const { userId } = useCustomer();
  const { approvalAbove = null } = team;
  const [amount, setAmount] = useState(approvalAbove === null ? '' : String(approvalAbove));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const input = { userId, approvalAbove: amount.trim() === '' ? null : Number(amount) };
    // What isn't a number would be sent as null, which is no limit at all.
    const found = fieldErrors(saveApproval.input, input);
    const refused =
      Object.keys(found).length > 0 ? found : ((await used.send(saveApproval, input)) ?? {});
    setErrors(refused);
    focusFirstError(form, refused);
  };
  return (
    <form className="narrow-form" noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Dollars a manager can decide alone"
        description="Bulk changes that cost more than this, today or per month, wait for another person’s approval. Changes to one account never wait: a person’s monthly limit covers those. Leave it empty and nothing waits."
        name="approvalAbove"
        inputMode="numeric"
        autoComplete="off"
        value={amount}
        error={errors['approvalAbove']}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" loading={used.sending === saveApproval.path}>
          Save amount
        </Button>
      </div>
    </form>
  );
}
