import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './deps.ts';
import { StartError } from './start-error.ts';

const BYTES = 32;

/** The secret of an embedded installation: made at the first start, kept beside its database. */
export function keptAppSecret(dataDir: string, random: Random): string {
  const path = join(dataDir, 'app-secret');
  try {
    mkdirSync(dataDir, { recursive: true });
    // "wx": of two first starts at once only one writes, the other reads what it wrote.
    writeFileSync(path, random.bytes(BYTES).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!exists) throw unusable(dataDir, error);
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < BYTES) throw unusable(dataDir, undefined);
  return secret;
}

function unusable(dataDir: string, cause: unknown): StartError {
  return new StartError(
    `The secret in the data directory ${dataDir} can't be read or written. Check its permissions, or set APP_SECRET or DATA_DIR.`,
    { cause },
  );
}
