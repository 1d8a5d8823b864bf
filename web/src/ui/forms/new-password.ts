import { isPassword, PASSWORD_RULE } from '#shared/domain/people/passwords.ts';

/** A new password, typed twice. */
export interface NewPassword {
  password: string;
  confirmation: string;
}

/** The sentence beside each of the two fields that needs one (S§5, D3). */
export function newPasswordErrors(typed: NewPassword): Partial<NewPassword> {
  if (!isPassword(typed.password)) return { password: PASSWORD_RULE };
  if (typed.password === typed.confirmation) return {};
  return { confirmation: 'Passwords do not match.' };
}
