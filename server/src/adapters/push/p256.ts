import { createECDH, createPrivateKey, type ECDH, type KeyObject } from 'node:crypto';

/** Order of the curve P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** So many random bytes make a key whose bias nobody can see (FIPS 186-5, A.2.1). */
export const SEED_BYTES = 48;

/** The key pair that a seed of `SEED_BYTES` gives, always the same. */
export function keyPairOf(seed: Uint8Array): ECDH {
  const number = (BigInt(`0x${Buffer.from(seed).toString('hex')}`) % (ORDER - 1n)) + 1n;
  return keyPair(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'));
}

export function keyPair(privateKey: Uint8Array): ECDH {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return pair;
}

/** The private half, to sign with. */
export function signingKey(pair: ECDH): KeyObject {
  const [, ...point] = pair.getPublicKey();
  const part = (bytes: Uint8Array | number[]): string => Buffer.from(bytes).toString('base64url');
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: part(point.slice(0, 32)),
      y: part(point.slice(32)),
      d: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    },
  });
}
