import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { changePassword } from '#shared/contract/people/recovery.ts';
import { AuthPage } from '../auth-page.tsx';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { NewPasswordFields } from '#web/ui/forms/new-password-fields.tsx';
import { newPasswordErrors } from '#web/ui/forms/new-password.ts';
import { hideToasts, toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './recovery-form.module.css';
import { readRecoveryState } from './recovery-state.ts';
import { SentBack } from './sent-back.tsx';

/** The last step: a new password, for the browser whose code was right (S§2, D3). */
export function ChangePasswordPage() {
  usePageTitle('Change Password');
  const location = useLocation();
  const { paths } = useServices();
  const state = readRecoveryState(location.state);
  if (!state) return <SentBack reason="Unauthorized access." />;
  return (
    <AuthPage title="Change Password" home={paths.landing}>
      <NewPasswordForm email={state.email} />
    </AuthPage>
  );
}

function NewPasswordForm({ email }: { email: string }) {
  const { paths } = useServices();
  const navigate = useNavigate();
  const { isSaving, save } = useSavePassword(email);
  const [problem, setProblem] = useState<string>();
  const form = useForm({
    initialValues: { password: '', confirmation: '' },
    validate: (values) => ({ ...newPasswordErrors(values) }),
  });

  const send = async (): Promise<void> => {
    setProblem(undefined);
    const sentence = await save(form.getValues().password);
    if (sentence === undefined) await navigate(paths.login, { replace: true });
    else setProblem(sentence);
  };

  return (
    <form
      className="grid gap-5"
      noValidate
      onSubmit={form.onSubmit(
        () => void send(),
        (errors, _values, event) => event && focusFirstError(event.currentTarget, errors),
      )}
    >
      <p className={styles['lead']}>
        For <strong className="c-text font-600 wrap-anywhere">{email}</strong>. You’ll be logged out
        everywhere else.
      </p>
      <FormProblem sentence={problem} />
      {/* For password managers, which otherwise would not know whose password this is. */}
      <input hidden type="text" autoComplete="username" value={email} readOnly />
      <NewPasswordFields inputProps={(field) => form.getInputProps(field)} />
      <Button type="submit" loading={isSaving} fullWidth>
        Change Password
      </Button>
    </form>
  );
}

const REFUSED = 'Failed to change password. Please try again.';
const UNSURE = 'Your password may not have changed. Try again, or log in with the new one.';
/** The code is good for one change, so a second try can only be refused when the first went through. */
const NO_ANSWER =
  'We couldn’t reach the server. Please try again. If that’s refused, log in with your new password.';

/** Saves with the messages of S§8; answers the sentence that belongs by the form, or undefined. */
function useSavePassword(email: string) {
  const { api } = useServices();
  const [isSaving, setIsSaving] = useState(false);
  const save = async (password: string): Promise<string | undefined> => {
    hideToasts();
    setIsSaving(true);
    const answer = await api.call(changePassword, { email, password });
    setIsSaving(false);
    switch (answer.kind) {
      case 'success':
        toastSuccess('Password changed successfully!');
        return undefined;
      case 'error':
        toastError(REFUSED);
        return answer.message;
      case 'unknown_status':
        toastError(REFUSED);
        return UNSURE;
      case 'network':
        toastError('An error occurred. Please try again.');
        return NO_ANSWER;
      default:
        return answer satisfies never;
    }
  };
  return { isSaving, save };
}
