import type { Db } from '../../db/database.ts';

/** Takes the reading of the gateway's news, where it is due; undefined: somebody else has it. */
export async function claimReading(
  db: Db,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<{ readUntil: Date } | undefined> {
  return db
    .updateTable('gateway_reading')
    .set({ next_read_at: leaseUntil })
    .where('next_read_at', '<=', now)
    .returning('read_until as readUntil')
    .executeTakeFirst();
}

/** All that was there before `readUntil` has been read. It never goes back, whoever finishes late. */
export async function endReading(
  db: Db,
  { readUntil, nextReadAt }: { readUntil: Date; nextReadAt: Date },
): Promise<void> {
  await db
    .updateTable('gateway_reading')
    .set({ read_until: readUntil, next_read_at: nextReadAt })
    .where('read_until', '<', readUntil)
    .execute();
}
