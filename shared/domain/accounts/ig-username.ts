const FORM = /^[a-z0-9._]{1,30}$/;

/**
 * A network username as it is stored: without "@" and in lower case.
 * Undefined when it can't be one (1-30 letters, digits, dots, underscores).
 */
export function parseIgUsername(text: string): string | undefined {
  const name = text.trim().replace(/^@/, '').toLowerCase();
  return FORM.test(name) ? name : undefined;
}

const PROFILE = /^(?:https?:\/\/)?(?:www\.)?instagram\.com\/([^/?#]+)/i;

/** The name in the address of a profile, as it is copied from the network; undefined: this is no such address. */
export function findProfileName(text: string): string | undefined {
  return PROFILE.exec(text.trim())?.[1];
}

/** The name that somebody has typed, or pasted as the address of its profile. */
export const typedUsername = (text: string): string => findProfileName(text) ?? text;
