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
  return (
    <>
      <PasswordInput
        label="New password"
        description="8 to 128 characters"
        name="password"
        autoComplete="new-password"
        visibilityToggleButtonProps={SHOW_PASSWORD}
        {...inputProps('password')}
      />
      <PasswordInput
        label="Confirm password"
        name="confirmation"
        autoComplete="new-password"
        visibilityToggleButtonProps={SHOW_PASSWORD}
        {...inputProps('confirmation')}
      />
    </>
  );
}
