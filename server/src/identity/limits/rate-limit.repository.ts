import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';

/**
 * Counts one use in the window and returns its state. One statement, so that a hundred requests at
 * once, on any number of nodes, count as a hundred.
 */
export async function countUse(
  db: Db,
  use: { name: string; keyHash: string; now: Date; resetsAt: Date },
): Promise<{ used: number; resetsAt: Date }> {
  const isOver = sql<boolean>`rate_limit.resets_at <= ${use.now}`;
  const row = await db
    .insertInto('rate_limit')
    .values({ name: use.name, key_hash: use.keyHash, used: 1, resets_at: use.resetsAt })
    .onConflict((conflict) =>
      conflict.columns(['name', 'key_hash']).doUpdateSet({
        used: sql`case when ${isOver} then 1 else rate_limit.used + 1 end`,
        resets_at: sql`case when ${isOver} then excluded.resets_at else rate_limit.resets_at end`,
      }),
    )
    .returning(['used', 'resets_at'])
    .executeTakeFirstOrThrow();
  return { used: row.used, resetsAt: row.resets_at };
}

/** A window as it stands, over or not. */
export async function findUses(
  db: Db,
  name: string,
  keyHash: string,
): Promise<{ used: number; resetsAt: Date } | undefined> {
  const row = await db
    .selectFrom('rate_limit')
    .select(['used', 'resets_at'])
    .where('name', '=', name)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
  return row && { used: row.used, resetsAt: row.resets_at };
}

export async function forgetUses(db: Db, name: string, keyHash: string): Promise<void> {
  await db
    .deleteFrom('rate_limit')
    .where('name', '=', name)
    .where('key_hash', '=', keyHash)
    .execute();
}

export async function takeBackUse(db: Db, name: string, keyHash: string): Promise<void> {
  await db
    .updateTable('rate_limit')
    .set({ used: sql`used - 1` })
    .where('name', '=', name)
    .where('key_hash', '=', keyHash)
    .where('used', '>', 0)
    .execute();
}

/** Drops windows that are over. */
export async function deleteOldUses(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('rate_limit').where('resets_at', '<=', now).execute();
}
