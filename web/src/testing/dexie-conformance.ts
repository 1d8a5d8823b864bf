import { Dexie } from 'dexie';
import { createDexieStore } from '../local-db/dexie-store.ts';
import { LocalDatabase, localDatabaseName } from '../local-db/local-database.ts';
import { oneRecordPerRow } from '../local-db/local-database-versions.ts';
import { STORE_CONFORMANCE } from './store-conformance.ts';

/** Runs every case on IndexedDB; a name to how it ended. */
async function runConformance(): Promise<Record<string, string>> {
  const ended: Record<string, string> = {};
  for (const [index, { name, run }] of STORE_CONFORMANCE.entries()) {
    const db = new LocalDatabase(`conformance-${index}`);
    ended[name] = await run(createDexieStore(db)).then(
      () => 'kept',
      (error: unknown) => String(error),
    );
    await db.delete();
  }
  return ended;
}

/** Opens what the first release left behind; answers what is kept of it and the tables there are. */
async function openFirstRelease(): Promise<{ kept: unknown; tables: string[] }> {
  const first = new Dexie(localDatabaseName('first-release'));
  oneRecordPerRow(first);
  await first.table('meta').put({ key: 'keep-signed-in', value: false });
  first.close();
  const db = new LocalDatabase('first-release');
  const row = await db.meta.get('keep-signed-in');
  const tables = db.tables.map(({ name }) => name).sort();
  await db.delete();
  return { kept: row?.value, tables };
}

Object.assign(globalThis, { runConformance, openFirstRelease });
