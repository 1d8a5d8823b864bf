import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plantDatabase } from '../databases/migrated-image.ts';
import { freePort } from './free-port.ts';

/** A data directory with a migrated database, and free ports, as the one-command installation takes them. */
export async function plantInstallation(
  name: string,
): Promise<{ dataDir: string; env: Record<string, string> }> {
  const dataDir = await mkdtemp(join(tmpdir(), `ovation-${name}-`));
  await plantDatabase(dataDir);
  const env = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: String(await freePort()),
  };
  return { dataDir, env };
}
