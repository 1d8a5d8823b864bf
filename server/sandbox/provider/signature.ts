import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  parseSignature,
  SIGNATURE_MAX_AGE_SECONDS,
  signaturePayload,
} from '#shared/contract/provider-protocol.ts';

interface SignedRequest {
  method: string;
  /** Path with query, exactly as sent. */
  path: string;
  body: string;
}

/** The value of the signature header for a request sent at `nowMs`. */
export function signRequest(secret: string, nowMs: number, request: SignedRequest): string {
  const seconds = Math.floor(nowMs / 1000);
  return `t=${seconds},v1=${mac(secret, seconds, request).toString('hex')}`;
}

type SignatureVerdict = 'good' | 'missing' | 'old' | 'wrong';

export function checkSignature(
  secret: string,
  nowMs: number,
  header: string | undefined,
  request: SignedRequest,
): SignatureVerdict {
  const signature = parseSignature(header ?? '');
  if (!signature) return 'missing';
  const expected = mac(secret, signature.unixSeconds, request);
  if (!timingSafeEqual(expected, Buffer.from(signature.hex, 'hex'))) return 'wrong';
  const ageSeconds = Math.abs(nowMs / 1000 - signature.unixSeconds);
  return ageSeconds > SIGNATURE_MAX_AGE_SECONDS ? 'old' : 'good';
}

function mac(secret: string, unixSeconds: number, { method, path, body }: SignedRequest): Buffer {
  return createHmac('sha256', secret)
    .update(signaturePayload(unixSeconds, method, path, body))
    .digest();
}
