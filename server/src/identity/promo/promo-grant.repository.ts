import { PROMO_GRACE_MS, PROMO_WINDOW_MS } from '#shared/domain/money/promo.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';

/** Takes the one bonus of a window; false when it was given before. */
export async function claimPromo(tx: Tx, windowId: string, now: Date): Promise<boolean> {
  const claimed = await tx
    .insertInto('promo_grant')
    .values({ window_id: windowId, granted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('window_id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** When a window gave its bonus; undefined: not yet, or so long ago that it is over anyway. */
export async function findPromoGrant(db: Db, windowId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('promo_grant')
    .select('granted_at')
    .where('window_id', '=', windowId)
    .executeTakeFirst();
  return row?.granted_at;
}

/** Windows that gave theirs longer ago than any can be open, for nodes whose clocks differ twice over. */
export async function deleteOldPromoGrants(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 2 * (PROMO_WINDOW_MS + PROMO_GRACE_MS));
  await db.deleteFrom('promo_grant').where('granted_at', '<', before).execute();
}
