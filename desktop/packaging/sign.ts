import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureName } from '../main/updates.ts';

/** Makes a key in a file of its own, readable by its owner only. @throws when the file is there already */
export function makeUpdateKey(path: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
}

/** @throws in one sentence when the file holds no such key */
export function readUpdateKey(path: string): KeyObject {
  try {
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new Error(`${path} holds no key for updates: ${HOW}`, { cause });
  }
  throw new Error(`${path} holds a key of another kind: ${HOW}`);
}

const HOW = 'make one with npm run desktop:key <file>, and keep it as long as the app is out.';

/** What the app checks signatures with. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
}

/**
 * Signs each channel's file of a folder of packages; the signatures belong to where the packages go.
 * @returns the names of the signed files
 */
export function signChannelFiles(folder: string, key: KeyObject): string[] {
  const names = readdirSync(folder).filter((name) => /^latest[\w-]*\.yml$/.test(name));
  for (const name of names) {
    const signature = sign(null, readFileSync(join(folder, name)), key).toString('base64');
    writeFileSync(join(folder, signatureName(name)), `${signature}\n`);
  }
  return names;
}

/** `npm run desktop:key <file>`: the key that updates are signed with. */
if (import.meta.main) {
  const [path] = process.argv.slice(2);
  if (path === undefined) {
    process.stderr.write('Name the file that is to hold the key: npm run desktop:key <file>\n');
    process.exitCode = 1;
  } else {
    makeUpdateKey(path);
    const publicKey = publicKeyOf(readUpdateKey(path));
    process.stdout.write(`${path} holds the key of your updates. Its public half: ${publicKey}\n`);
  }
}
