import { PasswordInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { NewPassword } from './new-password.ts';
import { SHOW_PASSWORD } from './show-password.ts';

interface NewPasswordFieldsProps {
  /** Value, error and handlers of a field, as the form around them has them. */
  inputProps: (field: keyof NewPassword) => ComponentProps<typeof PasswordInput>;
}

/** A new password, typed twice. */
export function NewPasswordFields({ inputProps }: NewPasswordFieldsProps) {
  const password = inputProps('password');
  const confirmation = inputProps('confirmation');
  // The library marks other fields by itself, but not the input inside this one.
  return (
    <>
      <PasswordInput
        label="New password"
        description="8 to 128 characters"
        name="password"
        autoComplete="new-password"
        visibilityToggleButtonProps={SHOW_PASSWORD}
        aria-invalid={Boolean(password.error)}
        {...password}
      />
      <PasswordInput
        label="Confirm password"
        name="confirmation"
        autoComplete="new-password"
        enterKeyHint="go"
        visibilityToggleButtonProps={SHOW_PASSWORD}
        aria-invalid={Boolean(confirmation.error)}
        {...confirmation}
      />
    </>
  );
}
