import { createPublicKey, verify } from 'node:crypto';
import { isLoopback } from './server-choice.ts';

/** Whether updates may come from an address: encrypted, or on the same machine. */
export function mayUpdateFrom(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** The key that updates are checked with, in the app's own `package.json`; undefined where none was packed. */
export function updatePublicKey(packageJson: string | undefined): string | undefined {
  const packed: unknown = JSON.parse(packageJson ?? '{}');
  if (typeof packed !== 'object' || packed === null || !('updatePublicKey' in packed)) {
    return undefined;
  }
  return typeof packed.updatePublicKey === 'string' ? packed.updatePublicKey : undefined;
}

/**
 * The address in `app-update.yml`, which the packaging puts beside the app; undefined where none was
 * configured, or one that updates may not come from.
 */
export function updateAddress(appUpdateYml: string | undefined): string | undefined {
  const written = /^url:\s*(?<quote>['"]?)(?<url>\S+?)\k<quote>\s*$/m.exec(appUpdateYml ?? '');
  const address = written?.groups?.['url'];
  return address !== undefined && mayUpdateFrom(address) ? address : undefined;
}

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
