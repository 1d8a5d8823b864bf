import { createPublicKey, verify } from 'node:crypto';

/** The name of the signature that lies beside a channel's file, such as `latest-linux.yml`. */
export const signatureName = (channelFile: string): string => `${channelFile}.sig`;

/**
 * Whether a text was signed with the key that belongs to `publicKey`: ed25519, base64 of its SPKI form, as
 * the packaging puts it into the app.
 */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(text), key, Buffer.from(signature.trim(), 'base64'));
  } catch {
    return false;
  }
}
