/** The only rule for passwords (D3). */
export const PASSWORD_RULE = 'Password must be 8 to 128 characters.';

export function isPassword(text: string): boolean {
  const length = Array.from(text).length;
  return length >= 8 && length <= 128;
}
