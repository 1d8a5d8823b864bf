import type { LocalDatabase } from './local-database.ts';

const KEEP_SIGNED_IN = 'keep-signed-in';
const IS_OPEN = 'session-open';

/** Remembers the choice made at log-in: without it the replica does not outlive the session (D2). */
export async function rememberKeepSignedIn(db: LocalDatabase, keep: boolean): Promise<void> {
  await db.meta.bulkPut([
    { key: KEEP_SIGNED_IN, value: keep },
    { key: IS_OPEN, value: true },
  ]);
}

/** The choice made at log-in. */
export async function keepsSignedIn(db: LocalDatabase): Promise<boolean> {
  return (await db.meta.get(KEEP_SIGNED_IN))?.value !== false;
}

/** The session has ended and the replica stays. */
export async function rememberSessionEnded(db: LocalDatabase): Promise<void> {
  await db.meta.put({ key: IS_OPEN, value: false });
}

export async function isSessionOpen(db: LocalDatabase): Promise<boolean> {
  return (await db.meta.get(IS_OPEN))?.value === true;
}

/**
 * Whether the replica may stay when the session has ended: with "Keep Me Signed In", and as long as it
 * holds changes that were not sent. One that holds nothing of anybody is no replica.
 */
export async function mayOutliveSession(db: LocalDatabase): Promise<boolean> {
  if ((await db.outbox.count()) > 0) return true;
  const row = await db.meta.get(KEEP_SIGNED_IN);
  return row?.value !== false && (await db.chunk.count()) > 0;
}
