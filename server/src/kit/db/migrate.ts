import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartError } from '../start-error.ts';
import type { Database, Db } from './database.ts';
import * as syncTriggers from './migrations/0047-sync-triggers.ts';
import * as membership from './migrations/0051-membership.ts';
import * as clients from './migrations/0053-clients.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Those that are more than statements of SQL. */
const IN_CODE: Readonly<Record<string, Migration>> = {
  '0047-sync-triggers': syncTriggers,
  '0051-membership': membership,
  '0053-clients': clients,
};

/**
 * All migrations, in the order in which a new database runs them; the whole name tells them apart.
 * Numbers may repeat (0050, 0062, 0065) or be missing (0058): they were handed out beforehand, and the
 * names stand in databases. A released one is never edited: `migrate.test.ts` knows what each said.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = Object.fromEntries(
  readdirSync(FOLDER)
    .toSorted()
    .map((file) => {
      const { name } = parse(file);
      return [name, IN_CODE[name] ?? { up: (db) => runFile(db, file) }];
    }),
);

async function runFile(db: Kysely<unknown>, file: string): Promise<void> {
  const text = await readFile(join(FOLDER, file), 'utf8');
  for (const statement of text.split(/;\n(?=\S|\n|$)/)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  }
}

/**
 * Brings the database up to date; several nodes may do so at once (kysely takes a lock).
 * @throws StartError where another version of the product has changed it
 */
export async function migrate(database: Database): Promise<void> {
  const foreign = (await listDone(database.db)).find((name) => !Object.hasOwn(MIGRATIONS, name));
  if (foreign !== undefined) {
    throw new StartError(
      `The database was changed by another version: this one doesn’t know its “${foreign}”. Start that version or a newer one, or this one with an empty database.`,
    );
  }
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    // A database may have run a later one that was released first.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The migrations that a database has had. */
async function listDone(db: Db): Promise<string[]> {
  const { rows } = await sql<{ isNew: boolean }>`
    select to_regclass('kysely_migration') is null as "isNew"`.execute(db);
  if (rows[0]?.isNew !== false) return [];
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    db,
  );
  return done.rows.map(({ name }) => name);
}
