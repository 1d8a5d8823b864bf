import { Anchor, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { verifyUserAndSendEmail } from '#shared/contract/people/recovery.ts';
import { AuthPage } from '../auth-page.tsx';
import { fieldErrors } from '#web/ui/forms/field-errors.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import styles from './recovery-form.module.css';
import { useSendCode } from './use-send-code.ts';

/** The first step back to an account whose password is forgotten (S§2). */
export function VerifyEmailPage() {
  usePageTitle('Verify Your Email');
  const { paths } = useServices();
  const navigate = useNavigate();
  const { isSending, sendCode } = useSendCode();
  const newest = useNewest();
  const [problem, setProblem] = useState<string>();
  const form = useForm({
    initialValues: { email: '' },
    validate: (values) => fieldErrors(verifyUserAndSendEmail.input, values),
  });

  const send = async (): Promise<void> => {
    const isNewest = newest();
    setProblem(undefined);
    const outcome = await sendCode(form.getValues().email.trim());
    if (!isNewest()) return;
    if (outcome.kind === 'sent') {
      await navigate(paths.confirmOtp, { state: outcome.state });
    } else setProblem(outcome.sentence);
  };

  return (
    <AuthPage title="Verify Your Email" home={paths.landing}>
      <form
        className="grid gap-5"
        noValidate
        onSubmit={form.onSubmit(
          () => void send(),
          (errors, _values, event) => event && focusFirstError(event.currentTarget, errors),
        )}
      >
        <p className={styles['lead']}>
          We’ll email you a 6-digit code. Use it to set a new password.
        </p>
        <FormProblem sentence={problem} />
        <TextInput
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          enterKeyHint="go"
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={isSending} fullWidth>
          Send Verification Email
        </Button>
        <p className={styles['other']}>
          Remembered your password?{' '}
          <Anchor component={Link} to={paths.login} underline="always">
            Sign In
          </Anchor>
        </p>
      </form>
    </AuthPage>
  );
}
