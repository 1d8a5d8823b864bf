import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { updatePassword } from '#shared/contract/own-account.ts';
import type { User } from '#shared/contract/user.ts';
import { focusFirstError } from '#web/components/focus-first-error.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { newPasswordErrors } from '#web/components/new-password.ts';
import { SHOW_PASSWORD } from '#web/components/show-password.ts';
import { toastSuccess } from '#web/components/toast.ts';
import { UNREACHABLE } from '#web/components/unreachable.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';

/** A new password for whoever knows the current one; every other browser is signed out (D3). */
export function PasswordForm({ user }: { user: User }) {
  const { api } = useServices();
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string>();
  const form = useForm({
    initialValues: { currentPassword: '', password: '', confirmation: '' },
    validate: (values) => ({
      ...(values.currentPassword ? {} : { currentPassword: 'Please enter your current password' }),
      ...newPasswordErrors(values),
    }),
  });

  const save = async (element: HTMLFormElement | undefined): Promise<void> => {
    setIsSaving(true);
    setProblem(undefined);
    const { currentPassword, password } = form.getValues();
    const answer = await api.call(updatePassword, { userId: user.id, currentPassword, password });
    setIsSaving(false);
    if (answer.kind === 'success') {
      form.reset();
      toastSuccess('Password changed successfully!');
    } else if (answer.kind === 'error') {
      form.setErrors(answer.fields);
      if (!element || !focusFirstError(element, answer.fields)) setProblem(answer.message);
    } else setProblem(UNREACHABLE);
  };

  return (
    <Section title="Change password">
      <form
        className={styles['form']}
        noValidate
        onSubmit={form.onSubmit(
          (_values, event) => void save(event?.currentTarget),
          (errors, _values, event) => event && focusFirstError(event.currentTarget, errors),
        )}
      >
        <p className={styles['soft']}>Every other browser that is signed in will be signed out.</p>
        <PasswordInput
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          visibilityToggleButtonProps={SHOW_PASSWORD}
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label="New password"
          description="8 to 128 characters"
          name="password"
          autoComplete="new-password"
          visibilityToggleButtonProps={SHOW_PASSWORD}
          {...form.getInputProps('password')}
        />
        <PasswordInput
          label="Confirm password"
          name="confirmation"
          autoComplete="new-password"
          visibilityToggleButtonProps={SHOW_PASSWORD}
          {...form.getInputProps('confirmation')}
        />
        <FormProblem sentence={problem} />
        <Button type="submit" loading={isSaving}>
          Save password
        </Button>
      </form>
    </Section>
  );
}
