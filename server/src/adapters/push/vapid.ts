import { hkdfSync, type KeyObject, sign } from 'node:crypto';
import { keyPairOf, SEED_BYTES, signingKey } from './p256.ts';

const LIVES_SECONDS = 12 * 3600;

/** Who sends: push services take messages for a subscription only from whoever it was made for. */
export interface VapidKeys {
  /** Point on P-256 in base64url; browsers are told it when they subscribe. */
  publicKey: string;
  privateKey: KeyObject;
}

/** The keys of an installation. They follow from its secret, so every node has the same and none is kept. */
export function vapidKeys(appSecret: string): VapidKeys {
  const pair = keyPairOf(new Uint8Array(hkdfSync('sha256', appSecret, '', 'vapid', SEED_BYTES)));
  return { publicKey: pair.getPublicKey('base64url'), privateKey: signingKey(pair) };
}

/** The Authorization header for a push service (RFC 8292); `contact`: a mailto or https address. */
export function vapidHeader(
  { publicKey, privateKey }: VapidKeys,
  { origin, contact, nowMs }: { origin: string; contact: string; nowMs: number },
): string {
  const exp = Math.floor(nowMs / 1000) + LIVES_SECONDS;
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: origin, exp, sub: contact })}`;
  const signature = sign('sha256', Buffer.from(text), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`;
}
