import { isPlainLine } from '../words/plain-line.ts';

const FORM = /^[^\s@"(),:;<>[\\\]]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;

/** Whether a text is an e-mail address within the limits of S§5: 254 overall, 64 local, 63 a label. */
export function isEmail(text: string): boolean {
  if (text.length > 254 || !FORM.test(text) || !isPlainLine(text)) return false;
  const at = text.lastIndexOf('@');
  const labels = text.slice(at + 1).split('.');
  return at <= 64 && labels.every((label) => label.length <= 63 && !/^-|-$/.test(label));
}

/** The form under which an address is unique. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}
