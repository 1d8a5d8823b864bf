import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from './deps.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a short secret that has to pass through a table (AES-256-GCM under a key of its own, drawn
 * from the application's secret). `purpose` binds it: what was sealed for one can't be opened as another.
 */
export function sealSecret(
  keys: { appSecret: string; random: Random },
  purpose: string,
  text: string,
): string {
  const iv = keys.random.bytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(keys.appSecret, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The secret again; undefined when it was sealed with another secret or purpose, or is damaged. */
export function openSecret(appSecret: string, purpose: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const key = keyFor(appSecret, purpose);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // The only failure here is a tag that doesn't fit.
    return undefined;
  }
}

function keyFor(appSecret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', appSecret, '', purpose, 32));
}
