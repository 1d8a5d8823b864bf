import { createCipheriv, type ECDH, hkdfSync } from 'node:crypto';
import { keyPair } from './p256.ts';

/** Keys that a browser has made for one subscription, in base64url. */
export interface PushKeys {
  /** Point on P-256, uncompressed: 65 bytes. */
  p256dh: string;
  /** 16 bytes. */
  auth: string;
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;
export const SALT_BYTES = 16;
const RECORD_BYTES = 4096;
/** Marks the last record, which is the only one here. */
const LAST_RECORD = 2;

/**
 * Encrypts a message for one browser (RFC 8291, content coding aes128gcm of RFC 8188): the push service that
 * passes it on can't read it. `own` is a key pair for this message alone, as is the salt.
 * @throws when the keys are none (`arePushKeys`)
 */
export function encryptPush(
  keys: PushKeys,
  message: string,
  { own, salt }: { own: ECDH; salt: Uint8Array },
): Buffer {
  const theirs = Buffer.from(keys.p256dh, 'base64url');
  const point = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, point]);
  const secret = own.computeSecret(theirs);
  const input = derive(secret, Buffer.from(keys.auth, 'base64url'), info, 32);
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(point.length, 4);
  return Buffer.concat([
    salt,
    head,
    point,
    cipher.update(message, 'utf8'),
    cipher.update(Buffer.from([LAST_RECORD])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function derive(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

/** Whether these are keys that a message can be encrypted with. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== POINT_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) {
    return false;
  }
  try {
    keyPair(Buffer.alloc(32, 1)).computeSecret(point);
    return true;
  } catch {
    // The only failure here is a point that isn't on the curve.
    return false;
  }
}
