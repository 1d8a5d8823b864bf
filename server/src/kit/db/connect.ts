import { StartError } from '../start-error.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';

/** Opens the configured database, brought up to date. Throws StartError with what to do. */
export async function connect(
  options: { databaseUrl: string | undefined; dataDir: string },
  onError: (error: Error) => void,
): Promise<Database> {
  if (options.databaseUrl === undefined) {
    const database = await openEmbedded({ directory: options.dataDir });
    await migrate(database);
    return database;
  }
  const database = openPostgres(options.databaseUrl, { onError });
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof StartError) throw error;
    throw new StartError(
      'The database at DATABASE_URL can’t be reached or migrated. Check the address, that it is up, and that the user may create tables.',
      { cause: error },
    );
  }
}
