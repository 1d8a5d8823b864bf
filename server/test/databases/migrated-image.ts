import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SHORT_LIVED } from '../processes/process.ts';
import { keptUntilChanged } from './kept-until-changed.ts';

const SOURCES = ['server/src/kit/db/**/*.{ts,sql}', 'server/test/databases/*migrated-image.ts'];

const MAKER = join(import.meta.dirname, 'make-migrated-image.ts');
const run = promisify(execFile);

/**
 * The path of a tar file of one migrated embedded database; making it costs 3 s of computing, in a process that doesn’t
 * optimize the database’s code.
 */
export function migratedImage(): Promise<string> {
  return keptUntilChanged('migrated', SOURCES, async (path) => {
    await run(process.execPath, [...SHORT_LIVED, MAKER, path]);
  });
}

/** Gives an empty data directory the database of an earlier start: most of a first start is making it. */
export async function plantDatabase(dataDir: string): Promise<void> {
  const directory = join(dataDir, 'postgres');
  await mkdir(directory, { recursive: true });
  await run('tar', ['-xf', await migratedImage(), '-C', directory]);
}
