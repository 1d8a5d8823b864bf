import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { lookUpAccount } from '#shared/contract/accounts/account-changes.ts';
import { typedUsername } from '#shared/domain/accounts/ig-username.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { useCustomer } from '#web/customer/customer.ts';
import { hideToasts, toastSuccess } from '#web/ui/toasts/toast.ts';
import { useShownAccount } from '#web/customer/use-shown-account.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import type { CallData } from '#shared/contract/call.ts';
import { FoundAccount } from './found-account.tsx';
import { ShownAccount } from './shown-account.tsx';

const NO_ANSWER = 'We couldn’t reach the server. Nothing is connected yet. Please try again.';

type Shown = CallData<typeof lookUpAccount>;

/** Looks a name up, connects the account when that is wanted; then its plan is chosen (S§4). */
export function AddAccountDialog() {
  const [shown, setShown] = useState<Shown>();
  const [added, setAdded] = useState<string>();
  const { paths } = useServices();
  const navigate = useNavigate();
  const hasCard = useClientState(({ user }) => Boolean(user?.billingInfo));
  const usualPlan = useShownAccount()?.accountPackageId ?? 1;
  const connected = added ?? (shown?.isConnected ? shown.igUsername : undefined);
  // With a saved card the next press pays, and the plan is chosen beside the button.
  const onAdded = (igUsername: string): void => {
    if (hasCard) void navigate(paths.otherSubscription(usualPlan, igUsername));
    else setAdded(igUsername);
  };
  return (
    <DialogFrame title="Add new Instagram account">
      {connected !== undefined && <FoundAccount igUsername={connected} />}
      {connected === undefined && !shown && <LookUp onFound={setShown} />}
      {connected === undefined && shown && (
        <ShownAccount
          shown={shown}
          onAdded={onAdded}
          hasCard={hasCard}
          onBack={() => setShown(undefined)}
        />
      )}
    </DialogFrame>
  );
}

function LookUp({ onFound }: { onFound: (shown: Shown) => void }) {
  const dialogs = useDialogs();
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isLooking, setIsLooking] = useState(false);
  const input = { userId, igUsername: typedUsername(typed) };

  const refuse = (message: string): void => {
    setTyped('');
    setProblem(message);
  };

  const lookUp = async (): Promise<void> => {
    hideToasts();
    setIsLooking(true);
    setProblem(undefined);
    const answer = await api.call(lookUpAccount, input);
    setIsLooking(false);
    switch (answer.kind) {
      case 'success':
        toastSuccess('Instagram account found');
        onFound(answer.data);
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
    const errors = fieldErrors(lookUpAccount.input, input);
    setError(errors['igUsername']);
    if (!focusFirstError(event.currentTarget, errors) && !isLooking) void lookUp();
  };

  return (
    <form className={parts['form']} onSubmit={submit} noValidate aria-label="Look up an account">
      <TextInput
        label="Instagram username"
        description="A public professional account. We never ask for your Instagram password."
        name="igUsername"
        autoComplete="off"
        enterKeyHint="go"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setError(undefined);
        }}
        error={error}
      />
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button type="submit" loading={isLooking}>
          Look up
        </Button>
        <Button
          variant="default"
          disabled={isLooking}
          onClick={() => dialogs.open({ kind: 'bulk_change', accounts: [], about: 'names' })}
        >
          Paste several
        </Button>
        <p className={parts['note']}>Looking up an account is free and doesn’t connect it.</p>
      </div>
    </form>
  );
}
