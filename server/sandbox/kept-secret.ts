import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SandboxStartError } from './start-error.ts';

/**
 * The secret beside the state file, where the product finds it too; made by whoever starts first.
 * @throws SandboxStartError
 */
export function keptSecret(statePath: string): string {
  const secret = randomBytes(32).toString('base64url');
  if (statePath === ':memory:') return secret;
  const path = join(dirname(statePath), 'sandbox-secret');
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, secret, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    if (!exists) {
      const message = `${path} can’t be written: set SANDBOX_STATE to a file in a directory you can write to.`;
      throw new SandboxStartError('state', message, { cause });
    }
  }
  return readFileSync(path, 'utf8').trim();
}
