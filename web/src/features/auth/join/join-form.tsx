import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { signUpInvited } from '#shared/contract/people/workspace.ts';
import { isTimeZone } from '#shared/domain/time-zone.ts';
import { beginSession } from '#web/customer/session/begin-session.ts';
import { useServices } from '#web/platform/services.ts';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { SHOW_PASSWORD } from '#web/ui/forms/show-password.ts';
import { KeepSignedIn } from '../keep-signed-in.tsx';

const NO_ANSWER =
  'We couldn’t reach the server. Please try again. If it says that the invitation was used, log in.';

/** Signs up with the address of the invitation: who has the link has shown that it is theirs. */
export function JoinForm({ token }: { token: string }) {
  const services = useServices();
  const [typed, setTyped] = useState({ name: '', password: '' });
  const [keepSignedIn, setKeepSignedIn] = useState(true);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);

  const send = async (form: HTMLFormElement): Promise<void> => {
    setIsSending(true);
    setProblem(undefined);
    const { api, paths, platform } = services;
    const timeZone = platform.timeZone();
    const zone = isTimeZone(timeZone) ? { timeZone } : {};
    const answer = await api.call(signUpInvited, { token, ...typed, keepSignedIn, ...zone });
    if (answer.kind === 'success') {
      await beginSession(services, answer.data, keepSignedIn);
      return platform.restartAt(answer.data.inSubscription ? paths.dashboard : paths.subscriptions);
    }
    setIsSending(false);
    if (answer.kind !== 'error') return setProblem(NO_ANSWER);
    setErrors(answer.fields);
    if (!focusFirstError(form, answer.fields)) setProblem(answer.message);
    return undefined;
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = fieldErrors(signUpInvited.input, { token, ...typed });
    setErrors(found);
    if (Object.keys(found).length > 0) focusFirstError(form, found);
    else void send(form);
  };
  return (
    <form className="grid gap-5" onSubmit={submit} noValidate>
      <FormProblem sentence={problem} />
      <TextInput
        label="Name"
        name="name"
        autoComplete="name"
        value={typed.name}
        error={errors['name']}
        onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password"
        description="8 to 128 characters"
        name="password"
        autoComplete="new-password"
        visibilityToggleButtonProps={SHOW_PASSWORD}
        value={typed.password}
        error={errors['password']}
        onChange={(event) => setTyped({ ...typed, password: event.currentTarget.value })}
      />
      <KeepSignedIn isKept={keepSignedIn} change={setKeepSignedIn} />
      <Button type="submit" loading={isSending} fullWidth>
        Sign up and accept
      </Button>
    </form>
  );
}
