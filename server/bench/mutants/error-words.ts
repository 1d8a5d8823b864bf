import { inspect } from 'node:util';

/** What an error says; a mutant may throw anything, such as an object that can't be made a text. */
export function errorWords(error: unknown): string {
  const isTold = typeof error === 'object' && error !== null && 'message' in error;
  return isTold && typeof error.message === 'string' ? error.message : inspect(error);
}
