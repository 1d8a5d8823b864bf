import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import type { Database } from '#server/kit/db/database.ts';
import { openEmbedded } from '#server/kit/db/embedded.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { takeDatabase } from './kept-databases.ts';
import { patiently, WAIT_MS } from '../patience.ts';

export interface TestDatabase extends Database {
  /** Set on Postgres: for processes of their own. */
  url: string | undefined;
}

/**
 * A migrated database of the test file's own, on the engine of its project. With one connection everything
 * takes its turn in the order in which it asked, so that a seed plays the same thing again.
 */
export async function createTestDatabase(
  options: { connections?: number } = {},
): Promise<TestDatabase> {
  const source = inject('database');
  if (source.engine === 'pglite') {
    const image = new Blob([await readFile(source.imagePath)]);
    return { ...(await openEmbedded({ image })), url: undefined };
  }
  const kept = await takeDatabase(source.baseUrl);
  const { url, Client } = kept;
  // A thousand calls at once wait longer for one on a busy machine than the product lets them.
  const connectionWaitMs = patiently(WAIT_MS);
  const database = openPostgres(url, {
    ...options,
    connectionWaitMs,
    Client,
    onError: () => undefined,
  });
  const close = async (): Promise<void> => {
    await database.close();
    await kept.giveBack();
  };
  return { ...database, url, close };
}
