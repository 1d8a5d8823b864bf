import { createHash } from 'node:crypto';
import type { Random } from './deps.ts';

/** What lets its holder do one thing: a session, an invitation. Only its hash is stored. */
export interface Token {
  token: string;
  tokenHash: Buffer;
}

const BYTES = 32;
const FORM = /^[\w-]{43}$/;

/** A token has 256 random bits: one round of SHA-256 can't be searched backwards. */
export function drawToken(random: Random): Token {
  const token = random.bytes(BYTES).toString('base64url');
  return { token, tokenHash: sha256(token) };
}

/** undefined for what `drawToken` can't have made. */
export function hashToken(token: string | undefined): Buffer | undefined {
  return token !== undefined && FORM.test(token) ? sha256(token) : undefined;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
