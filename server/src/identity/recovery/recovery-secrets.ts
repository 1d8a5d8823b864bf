import { LONG_CODE_ALPHABET, LONG_CODE_LENGTH } from '#shared/domain/people/recovery-code.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random, Deps } from '#server/kit/deps.ts';

const CODES = 1_000_000;
/** Draws above the largest multiple of a million would favour small codes. */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES;

type Keyed = Pick<Deps, 'settings'>;

/** Six digits, each code as likely as any other. */
export function drawCode(random: Random): string {
  for (;;) {
    const drawn = random.bytes(4).readUInt32BE();
    if (drawn < FAIR_BELOW) return String(drawn % CODES).padStart(6, '0');
  }
}

/** Forty random bits in characters that a person can copy. */
export function drawLongCode(random: Random): string {
  const bytes = Array.from(random.bytes(LONG_CODE_LENGTH));
  return bytes.map((byte) => LONG_CODE_ALPHABET.charAt(byte % LONG_CODE_ALPHABET.length)).join('');
}

/**
 * A million codes are hashed in no time, so the hash has a key that isn't in the database. The token's
 * hash goes in too: equal codes of two requests look different.
 */
export function hashCode({ settings }: Keyed, tokenHash: Buffer, code: string): Buffer {
  return createHmac('sha256', settings.appSecret)
    .update('recovery-code:')
    .update(tokenHash)
    .update(code)
    .digest();
}

export function isSameHash(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b);
}

/** Addresses that are nobody's are kept too, so they are kept unreadable. */
export function hashEmail({ settings }: Keyed, email: string): string {
  return createHmac('sha256', settings.appSecret)
    .update(`recovery-email:${email}`)
    .digest('base64url');
}
