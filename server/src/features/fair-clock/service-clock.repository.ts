import type { Selectable } from 'kysely';
import type { Database, Db } from '../../db/database.ts';
import { fairTables, type ServiceClockTable } from './fair-clock.table.ts';

/** Longer than a restart takes: shorter silences are no outage. */
const SILENCE_MOST_MS = 10 * 60_000;

/**
 * A sign of life of detection. One that comes after a long silence of all nodes writes the outage down
 * with it, so that none is lost or counted twice.
 */
export function beat(database: Database, now: Date): Promise<void> {
  return database.transaction(async (tx) => {
    const tables = fairTables(tx);
    const last = await tables
      .selectFrom('service_clock')
      .select('beat_at')
      .forUpdate()
      .executeTakeFirst();
    if (!last) {
      const first = { id: true, beat_at: now, closed_until: now } as const;
      await tables
        .insertInto('service_clock')
        .values(first)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else if (last.beat_at < now) {
      if (now.getTime() - last.beat_at.getTime() > SILENCE_MOST_MS) {
        await tables
          .insertInto('service_outage')
          .values({ since: last.beat_at, until: now })
          .execute();
      }
      await tables.updateTable('service_clock').set({ beat_at: now }).execute();
    }
  });
}

/** undefined until detection has given its first sign of life. */
export function readServiceClock(db: Db): Promise<Selectable<ServiceClockTable> | undefined> {
  return fairTables(db).selectFrom('service_clock').selectAll().executeTakeFirst();
}

/** Days that ended by then are judged; a node that is late takes nothing back. */
export async function setClosedUntil(db: Db, until: Date): Promise<void> {
  await fairTables(db)
    .updateTable('service_clock')
    .set({ closed_until: until })
    .where('closed_until', '<', until)
    .execute();
}

/** Outages that reach into a time. */
export function listOutages(
  db: Db,
  { from, to }: { from: Date; to: Date },
): Promise<Array<{ since: Date; until: Date }>> {
  return fairTables(db)
    .selectFrom('service_outage')
    .selectAll()
    .where('until', '>', from)
    .where('since', '<', to)
    .execute();
}
