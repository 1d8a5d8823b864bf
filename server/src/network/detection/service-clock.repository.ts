import type { Selectable } from 'kysely';
import type { Database, Db } from '#server/kit/db/database.ts';
import { type ServiceClockTable } from '#server/kit/db/tables/service-credit.table.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

/** Longer than a restart takes: shorter silences are no outage. */
const SILENCE_LIMIT_MS = 10 * MINUTE_MS;

/**
 * A sign of life of detection. One that comes after a long silence of all nodes writes the outage down
 * with it, so that none is lost or counted twice.
 */
export function beat(database: Database, now: Date): Promise<void> {
  return database.transaction(async (tx) => {
    const last = await tx
      .selectFrom('service_clock')
      .select('beat_at')
      .forUpdate()
      .executeTakeFirst();
    if (!last) {
      const first = { id: true, beat_at: now, closed_until: now } as const;
      await tx
        .insertInto('service_clock')
        .values(first)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else if (last.beat_at < now) {
      if (now.getTime() - last.beat_at.getTime() > SILENCE_LIMIT_MS) {
        await tx.insertInto('service_outage').values({ since: last.beat_at, until: now }).execute();
      }
      await tx.updateTable('service_clock').set({ beat_at: now }).execute();
    }
  });
}

/** undefined until detection has given its first sign of life. */
export function readServiceClock(db: Db): Promise<Selectable<ServiceClockTable> | undefined> {
  return db.selectFrom('service_clock').selectAll().executeTakeFirst();
}

/** Days that ended by then are judged; a node that is late takes nothing back. */
export async function setClosedUntil(db: Db, until: Date): Promise<void> {
  await db
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
  return db
    .selectFrom('service_outage')
    .selectAll()
    .where('until', '>', from)
    .where('since', '<', to)
    .execute();
}

/** Sweeps up what no day can ask for any more. */
export async function deleteOldOutages(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('service_outage').where('until', '<', before).execute();
}
