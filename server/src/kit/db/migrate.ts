import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartError } from '../start-error.ts';
import type { Database, Db } from './database.ts';
import * as syncTriggers from './migrations/0047-sync-triggers.ts';
import * as membership from './migrations/0051-membership.ts';
import * as clients from './migrations/0053-clients.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * All migrations, in the order in which a new database runs them; the whole name tells them apart.
 * Numbers may repeat (0050, 0062, 0065) or be missing (0058): they were handed out beforehand, and the
 * names stand in databases. A released one is never edited: `migrate.test.ts` knows what each said.
 */
export const MIGRATIONS: Record<string, Migration> = {
  '0047-schema': { up: (db) => runFile(db, '0047-schema.sql') },
  '0047-sync-triggers': syncTriggers,
  '0048-waiting-payments': { up: (db) => runFile(db, '0048-waiting-payments.sql') },
  '0049-gateway-news': { up: (db) => runFile(db, '0049-gateway-news.sql') },
  '0050-billing-documents': { up: (db) => runFile(db, '0050-billing-documents.sql') },
  '0050-policy-reports': { up: (db) => runFile(db, '0050-policy-reports.sql') },
  '0051-membership': membership,
  '0052-account-tags': { up: (db) => runFile(db, '0052-account-tags.sql') },
  '0053-clients': clients,
  '0054-budgets': { up: (db) => runFile(db, '0054-budgets.sql') },
  '0055-card-by-method': { up: (db) => runFile(db, '0055-card-by-method.sql') },
  '0056-bulk-operations': { up: (db) => runFile(db, '0056-bulk-operations.sql') },
  '0057-deleted-accounts': { up: (db) => runFile(db, '0057-deleted-accounts.sql') },
  '0059-alerts': { up: (db) => runFile(db, '0059-alerts.sql') },
  '0060-client-reports': { up: (db) => runFile(db, '0060-client-reports.sql') },
  '0061-activity': { up: (db) => runFile(db, '0061-activity.sql') },
  '0062-bulk-approval': { up: (db) => runFile(db, '0062-bulk-approval.sql') },
  '0062-bulk-charges': { up: (db) => runFile(db, '0062-bulk-charges.sql') },
  '0062-bulk-turns': { up: (db) => runFile(db, '0062-bulk-turns.sql') },
  '0063-client-budgets': { up: (db) => runFile(db, '0063-client-budgets.sql') },
  '0064-who-entered-the-card': { up: (db) => runFile(db, '0064-who-entered-the-card.sql') },
  '0065-report-addresses': { up: (db) => runFile(db, '0065-report-addresses.sql') },
  '0065-report-confirmations': { up: (db) => runFile(db, '0065-report-confirmations.sql') },
  '0065-report-links': { up: (db) => runFile(db, '0065-report-links.sql') },
  '0066-member-raises': { up: (db) => runFile(db, '0066-member-raises.sql') },
  '0067-member-lowerings': { up: (db) => runFile(db, '0067-member-lowerings.sql') },
  '0068-account-views': { up: (db) => runFile(db, '0068-account-views.sql') },
};

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
    provider: { getMigrations: async () => MIGRATIONS },
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
