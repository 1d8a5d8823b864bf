/**
 * Ids as on the real network: 17 digits, beyond 2^53, so that reading one as a number breaks at once.
 * `random` gives 53 bits; uniqueness is enforced by the primary keys.
 */
export function newAccountId(random: () => number): string {
  return `178414${digits(random, 11)}`;
}

export function newMediaId(random: () => number): string {
  return `17${8 + Math.floor(random() * 2)}${digits(random, 14)}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Eleven characters, starting like the real ones. */
export function newShortcode(random: () => number): string {
  let code = 'D';
  while (code.length < 11) code += ALPHABET[Math.floor(random() * 64)] ?? 'A';
  return code;
}

function digits(random: () => number, count: number): string {
  return String(Math.floor(random() * 10 ** count)).padStart(count, '0');
}
