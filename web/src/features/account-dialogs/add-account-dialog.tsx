import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { addAccount } from '#shared/contract/account-changes.ts';
import { DialogFrame } from '#web/components/dialog-frame.tsx';
import parts from '#web/components/dialog-parts.module.css';
import { fieldErrors } from '#web/components/field-errors.ts';
import { focusFirstError } from '#web/components/focus-first-error.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { useCustomer } from '#web/components/customer.ts';
import { hideToasts, toastError, toastSuccess } from '#web/components/toast.ts';
import { useServices } from '#web/platform/services.ts';
import { FoundAccount } from './found-account.tsx';

const NO_ANSWER =
  'No answer came back. The name is still here; look it up again, nothing is connected twice.';

/** Looks a name up and connects the account; then its plan is chosen (S§4). */
export function AddAccountDialog() {
  const [found, setFound] = useState<string>();
  return (
    <DialogFrame title="Add new Instagram account">
      {found === undefined ? <LookUp onFound={setFound} /> : <FoundAccount igUsername={found} />}
    </DialogFrame>
  );
}

function LookUp({ onFound }: { onFound: (igUsername: string) => void }) {
  const { api, platform } = useServices();
  const { userId, refreshUser } = useCustomer();
  const [igUsername, setIgUsername] = useState('');
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isLooking, setIsLooking] = useState(false);

  const refuse = (message: string): void => {
    toastError(message);
    setIgUsername('');
    setProblem(message);
  };

  const lookUp = async (): Promise<void> => {
    hideToasts();
    setIsLooking(true);
    setProblem(undefined);
    const answer = await api.call(addAccount, { userId, igUsername });
    if (answer.kind === 'success') await refreshUser();
    setIsLooking(false);
    switch (answer.kind) {
      case 'success':
        toastSuccess('Instagram account found');
        onFound(answer.data.igUsername);
        return;
      case 'error':
        refuse(answer.message);
        return;
      case 'unknown_status':
      case 'network':
        platform.report('The look-up got no answer', answer.kind);
        setProblem(NO_ANSWER);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const errors = fieldErrors(addAccount.input, { userId, igUsername });
    setError(errors['igUsername']);
    if (!focusFirstError(event.currentTarget, errors) && !isLooking) void lookUp();
  };

  return (
    <form className={parts['form']} onSubmit={submit} noValidate aria-label="Look up an account">
      <TextInput
        label="Instagram username"
        description="A public professional account. We never ask for its password."
        name="igUsername"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        value={igUsername}
        onChange={(event) => {
          setIgUsername(event.currentTarget.value);
          setError(undefined);
        }}
        error={error}
      />
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button type="submit" loading={isLooking}>
          Look up
        </Button>
        <p className={parts['note']}>Nothing is charged yet.</p>
      </div>
    </form>
  );
}
