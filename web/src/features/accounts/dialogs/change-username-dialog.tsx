import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { updateUsername } from '#shared/contract/accounts/account-changes.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { findUser, type User } from '#shared/contract/people/user.ts';
import { parseIgUsername, typedUsername } from '#shared/domain/accounts/ig-username.ts';
import { hasRunningPlan } from '#web/customer/account-state.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { useModalAccount } from '#web/customer/use-modal-account.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';

const NO_ANSWER =
  'We couldn’t reach the server. It’s safe to try again: your username will only change once.';

/** Another username for an account; once in 48 hours, never charged (D6). */
export function ChangeUsernameDialog() {
  const account = useModalAccount();
  if (!account) return null;
  return (
    <DialogFrame title="Change username">
      <p>
        Current username: <strong>@{account.igUsername}</strong>
      </p>
      <p className={parts['note']}>
        The Instagram username may be changed once every 48 hours. Renamed it on Instagram?
        Everything stays. Moving to another account? Your plan moves there, and you can still see
        the old posts. Nothing is charged.
      </p>
      <NewName account={account} />
    </DialogFrame>
  );
}

function NewName({ account }: { account: ConnectedAccount }) {
  const services = useServices();
  const { userId, keepAnswer } = useCustomer();
  const navigate = useNavigate();
  const newest = useNewest();
  const [typed, setTyped] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  /** An attempt got no answer: it may have changed the name. */
  const [isUnsure, setIsUnsure] = useState(false);
  const [oldNames] = useState(() =>
    services.state.getState().connectedAccounts.map((one) => one.igUsername),
  );
  const igUsername = typedUsername(typed);
  const input = { userId, oldIgUsername: account.igUsername, igUsername };

  const goOn = async (user: User, isNewest: () => boolean): Promise<void> => {
    const { state, paths } = services;
    const newName = parseIgUsername(igUsername) ?? igUsername;
    const renamed = user.connectedAccounts.find((one) => one.igUsername === newName);
    const isShown = state.getState().activeAccount?.activeusername === account.igUsername;
    await keepAnswer(user, isShown ? newName : undefined);
    toastSuccess('Username changed');
    const plan = renamed && hasRunningPlan(renamed) ? (renamed.accountPackageId ?? 1) : 1;
    // Who closed the dialog stays where they are.
    if (isNewest()) void navigate(paths.otherSubscription(plan, newName));
  };

  /** The customer, if an earlier attempt whose answer was lost has changed the name already. */
  const findRenamed = async (): Promise<User | undefined> => {
    const newName = parseIgUsername(igUsername);
    if (newName === undefined || oldNames.includes(newName)) return undefined;
    const answer = await services.api.call(findUser, { userId });
    if (answer.kind !== 'success') return undefined;
    const isRenamed = answer.data.connectedAccounts.some((one) => one.igUsername === newName);
    return isRenamed ? answer.data : undefined;
  };

  const save = async (): Promise<void> => {
    const isNewest = newest();
    setIsSaving(true);
    setProblem(undefined);
    const answer = await services.api.call(updateUsername, input);
    const renamed = answer.kind === 'error' && isUnsure ? await findRenamed() : undefined;
    setIsSaving(false);
    if (answer.kind === 'success') return goOn(answer.data, isNewest);
    if (renamed) return goOn(renamed, isNewest);
    if (answer.kind !== 'error') setIsUnsure(true);
    services.platform.report('The username was not changed', answer.kind);
    return setProblem(answer.kind === 'error' ? answer.message : NO_ANSWER);
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const found = fieldErrors(updateUsername.input, input);
    setErrors(found);
    if (!focusFirstError(event.currentTarget, found) && !isSaving) void save();
  };

  return (
    <form className={parts['form']} onSubmit={submit} noValidate aria-label="Change username">
      <TextInput
        label="New Instagram username"
        name="igUsername"
        autoComplete="off"
        enterKeyHint="go"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setErrors({});
        }}
        error={errors['igUsername']}
      />
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button type="submit" loading={isSaving}>
          Change username
        </Button>
      </div>
    </form>
  );
}
