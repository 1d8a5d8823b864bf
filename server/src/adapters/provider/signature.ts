import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  parseSignature,
  SIGNATURE_MAX_AGE_SECONDS,
  signaturePayload,
} from '#shared/contract/provider-protocol.ts';

interface SignedMessage {
  method: string;
  /** Path with query, exactly as sent. */
  path: string;
  /** The raw body, exactly as sent. */
  body: string;
}

/** The value of the signature header for a message sent now. */
export function signMessage(secret: string, message: SignedMessage, nowMs: number): string {
  const unixSeconds = Math.floor(nowMs / 1000);
  return `t=${unixSeconds},v1=${mac(secret, message, unixSeconds).toString('hex')}`;
}

/**
 * Whether a header proves that the message comes from who knows the secret and is at most 5 minutes old
 * (or ahead). Takes the same time wherever a wrong signature differs.
 */
export function verifySignature(
  secret: string,
  header: string | undefined,
  message: SignedMessage,
  nowMs: number,
): boolean {
  const signature = header === undefined ? undefined : parseSignature(header);
  if (!signature) return false;
  const expected = mac(secret, message, signature.unixSeconds);
  const ageSeconds = Math.abs(nowMs / 1000 - signature.unixSeconds);
  return (
    timingSafeEqual(expected, Buffer.from(signature.hex, 'hex')) &&
    ageSeconds <= SIGNATURE_MAX_AGE_SECONDS
  );
}

function mac(secret: string, { method, path, body }: SignedMessage, unixSeconds: number): Buffer {
  return createHmac('sha256', secret)
    .update(signaturePayload(unixSeconds, method, path, body))
    .digest();
}
