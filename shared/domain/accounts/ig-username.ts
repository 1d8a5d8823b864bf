const FORM = /^[a-z0-9._]{1,30}$/;

/**
 * A network username as it is stored: without "@" and in lower case.
 * Undefined when it can't be one (1-30 letters, digits, dots, underscores).
 */
export function parseIgUsername(text: string): string | undefined {
  const name = text.trim().replace(/^@/, '').toLowerCase();
  return FORM.test(name) ? name : undefined;
}
