import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import { isForbidden } from '#server/kit/db/database-error.ts';

/**
 * Tells one database from another and from itself put back: which files, which database in them, and the
 * timeline, which Postgres raises whenever a backup is recovered or a standby takes over.
 */
async function readIdentity(db: Db): Promise<string> {
  return readCluster(db).catch((error: unknown) => {
    // Some hosted databases don't tell: a restore into a new database is noticed all the same.
    if (isForbidden(error)) return readDatabase(db);
    throw error;
  });
}

async function readDatabase(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select oid::text as identity from pg_database where datname = current_database()`.execute(db);
  return rows[0]?.identity ?? '';
}

async function readCluster(db: Db): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()), oid,
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) as identity
      from pg_database where datname = current_database()`.execute(db);
  return rows[0]?.identity ?? '';
}

/**
 * Begins another epoch when this isn't the database that it was: versions may have been given twice, so
 * every replica is read anew.
 * @returns whether it was another one
 */
export async function noticeOtherDatabase(db: Db): Promise<boolean> {
  const identity = await readIdentity(db);
  const { rows } = await sql<{ was: string }>`
    update sync_epoch e set cluster = ${identity},
        epoch = case when e.cluster = '' then e.epoch else gen_random_uuid() end
      from (select cluster as was from sync_epoch) b
      where e.cluster = b.was and e.cluster <> ${identity} returning b.was`.execute(db);
  return rows[0] !== undefined && rows[0].was !== '';
}

/** Every replica is read anew, at the latest when it next connects. */
export async function beginEpoch(db: Db): Promise<void> {
  await db
    .updateTable('sync_epoch')
    .set({ epoch: sql<string>`gen_random_uuid()` })
    .execute();
}
