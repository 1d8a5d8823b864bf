import { sql } from 'kysely';
import type { Db, Tx } from '#server/kit/db/database.ts';

/** A code may be tried so often, right or wrong, from wherever. */
export const TRIES_LIMIT = 5;

/** Names a recovery: the browser's cookie and the address it was begun for must both fit. */
export interface RecoveryKey {
  tokenHash: Buffer;
  emailHash: string;
}

/** Begins a recovery; the one this browser had before ends. */
export async function insertRecovery(
  tx: Tx,
  recovery: RecoveryKey & {
    id: string;
    codeHash: Buffer;
    formerTokenHash: Buffer | undefined;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await tx
    .deleteFrom('recovery')
    .where('token_hash', '=', recovery.formerTokenHash ?? recovery.tokenHash)
    .execute();
  await tx
    .insertInto('recovery')
    .values({
      token_hash: recovery.tokenHash,
      id: recovery.id,
      email_hash: recovery.emailHash,
      code_hash: recovery.codeHash,
      created_at: recovery.now,
      expires_at: recovery.expiresAt,
    })
    .execute();
}

/**
 * Counts a try and returns what to compare with; undefined when there is nothing to try any more. One
 * statement: of a thousand tries at once five get through.
 */
export async function countTry(
  db: Db,
  { tokenHash, emailHash }: RecoveryKey,
  now: Date,
): Promise<Buffer | undefined> {
  const row = await db
    .updateTable('recovery')
    .set({ tries: sql`tries + 1` })
    .where('token_hash', '=', tokenHash)
    .where('email_hash', '=', emailHash)
    .where('tries', '<', TRIES_LIMIT)
    .where('code_hash', 'is not', null)
    .where('expires_at', '>', now)
    .returning('code_hash')
    .executeTakeFirst();
  return row?.code_hash ? Buffer.from(row.code_hash) : undefined;
}

/** Turns a recovery whose code was right into a grant under a new token; false when it already is one. */
export async function grantRecovery(
  db: Db,
  { tokenHash, emailHash }: RecoveryKey,
  grant: { tokenHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery')
    .set({ token_hash: grant.tokenHash, code_hash: null, expires_at: grant.expiresAt })
    .where('token_hash', '=', tokenHash)
    .where('email_hash', '=', emailHash)
    .where('code_hash', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function hasGrant(db: Db, key: RecoveryKey, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('recovery')
    .select('id')
    .where('token_hash', '=', key.tokenHash)
    .where('email_hash', '=', key.emailHash)
    .where('code_hash', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a grant up; false when there is none, or another request was faster. */
export async function takeGrant(tx: Tx, key: RecoveryKey, now: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery')
    .where('token_hash', '=', key.tokenHash)
    .where('email_hash', '=', key.emailHash)
    .where('code_hash', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends every recovery begun for an address, in whatever browser. */
export async function deleteRecoveries(tx: Tx, emailHash: string): Promise<void> {
  await tx.deleteFrom('recovery').where('email_hash', '=', emailHash).execute();
}

export async function deleteOldRecoveries(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('recovery').where('expires_at', '<=', now).execute();
}
