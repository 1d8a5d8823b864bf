import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/**
 * Drops quotes that are over: those never used, and, once the submit is forgotten that had used it, the
 * others.
 */
export async function deleteOldQuotes(
  db: Db,
  { expiredBefore, usedBefore }: { expiredBefore: Date; usedBefore: Date },
): Promise<void> {
  await sql`delete from plan_quote where expires_at < ${expiredBefore}
    and (used_at is null or used_at < ${usedBefore})`.execute(db);
}
