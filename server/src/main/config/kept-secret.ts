import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Random } from '#server/kit/deps.ts';
import { StartError } from '#server/kit/start-error.ts';

const BYTES = 32;

/**
 * A secret of one installation: `app-secret` of the embedded database, `sandbox-secret` that the sandbox
 * and the product sign with. Made by whoever starts first, kept in the data directory.
 */
export function keptSecret(
  dataDir: string,
  name: 'app-secret' | 'sandbox-secret',
  random: Random,
): string {
  const path = join(dataDir, name);
  try {
    // "wx": of two first starts at once only one writes, the other reads what it wrote.
    writeFileSync(path, random.bytes(BYTES).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!exists) throw unusable(path, error);
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < BYTES) throw unusable(path, undefined);
  return secret;
}

/** What the product and the delivery provider, or the sandbox in its place, sign with. */
export function providerSecret({ outside, dataDir }: Config, random: Random): string {
  return outside.provider.secret ?? keptSecret(dataDir, 'sandbox-secret', random);
}

function unusable(path: string, cause: unknown): StartError {
  return new StartError(
    `The secret ${path} can’t be read or written. Check its permissions, or set DATA_DIR to another directory.`,
    { cause },
  );
}
