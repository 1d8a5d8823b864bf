const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Whether a text is one line that reads as it is stored: no control, format, direction or separator
 * characters, which hide or turn round what stands beside them.
 */
export const isPlainLine = (text: string): boolean => !UNSEEN.test(text);
