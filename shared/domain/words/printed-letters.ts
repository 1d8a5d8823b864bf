/** Letters, marks and digits that the font of invoices and reports has: of Latin, Greek and Cyrillic (`pdf-fonts.ts`). */
const PRINTED = String.raw`\u0030-\u0148\u014A-\u01C3\u01C5-\u0254\u0256-\u027B\u027E-\u0284\u0286-\u0290\u0292-\u02A4\u02A6-\u02CC\u02CE-\u0301\u0303-\u0304\u0308-\u0309\u0323\u0376\u037A-\u03D7\u03DC-\u03DD\u03F0-\u03F5\u03F9-\u03FA\u03FC-\u0479\u0480-\u049D\u04A0-\u04FF\u052F\u1E00-\u1E9B\u1E9D-\u1FFC`;
const UNPRINTED = new RegExp(String.raw`(?![${PRINTED}])[\p{L}\p{M}\p{N}]`, 'u');

/** Whether a text has no letter that can't be printed. */
export function isPrintable(text: string): boolean {
  return !UNPRINTED.test(text.normalize('NFC'));
}

/** Stands at a name or address whose letters can't be printed. */
export const USE_PRINTED_LETTERS = 'Use Latin, Greek or Cyrillic letters for the invoice.';
