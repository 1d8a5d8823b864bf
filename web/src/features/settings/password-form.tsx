import { Button, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { updatePassword } from '#shared/contract/people/own-account.ts';
import type { User } from '#shared/contract/people/user.ts';
import { focusFirstError } from '#web/ui/forms/focus-first-error.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { NewPasswordFields } from '#web/ui/forms/new-password-fields.tsx';
import { newPasswordErrors } from '#web/ui/forms/new-password.ts';
import { SHOW_PASSWORD } from '#web/ui/forms/show-password.ts';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { useServices } from '#web/platform/services.ts';
import { Section } from './section.tsx';
import { useSave } from './use-save.ts';

const NO_ANSWER =
  'We couldn’t reach the server. Please try again. If your current password no longer works, the new one is already in place.';

/** A new password for whoever knows the current one; every other browser is signed out (D3). */
export function PasswordForm({ user }: { user: User }) {
  const { api } = useServices();
  const form = useForm({
    initialValues: { currentPassword: '', password: '', confirmation: '' },
    validate: (values) => ({
      ...(values.currentPassword ? {} : { currentPassword: 'Please enter your current password' }),
      ...newPasswordErrors(values),
    }),
  });

  const { isSaving, problem, save } = useSave(
    form,
    () => {
      const { currentPassword, password } = form.getValues();
      return api.call(updatePassword, { userId: user.id, currentPassword, password });
    },
    () => {
      form.reset();
      toastSuccess('Password changed successfully!');
    },
    NO_ANSWER,
  );

  return (
    <Section part="password">
      <form
        className="narrow-form"
        noValidate
        onSubmit={form.onSubmit(
          (_values, event) => void save(event?.currentTarget),
          (errors, _values, event) => event && focusFirstError(event.currentTarget, errors),
        )}
      >
        <p className="c-soft">You’ll be logged out everywhere else.</p>
        <PasswordInput
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
          visibilityToggleButtonProps={SHOW_PASSWORD}
          aria-invalid={form.errors['currentPassword'] !== undefined}
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields inputProps={(field) => form.getInputProps(field)} />
        <FormProblem sentence={problem} />
        <Button type="submit" loading={isSaving}>
          Save password
        </Button>
      </form>
    </Section>
  );
}
