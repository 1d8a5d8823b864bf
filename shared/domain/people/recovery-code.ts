/** Digits of a usual code. */
export const CODE_LENGTH = 6;
/** Characters of one that is mailed after several codes went unused: nobody guesses it in a lifetime. */
export const LONG_CODE_LENGTH = 8;
/** 32 characters that aren't taken for one another (Crockford's base 32). */
export const LONG_CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const FORM = new RegExp(`^(?:\\d{${CODE_LENGTH}}|[${LONG_CODE_ALPHABET}]{${LONG_CODE_LENGTH}})$`);

/** A code as it was typed or pasted: without what stands between, and with the letters it can't have as digits. */
export const normalizeCode = (typed: string): string =>
  typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');

/** Whether a normalised text has the form of a code. */
export const isCode = (text: string): boolean => FORM.test(text);
