import type { Device } from '#shared/contract/own-account.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { isComplete } from './read-rows.ts';

/** What the last pull said about the session it was asked in. */
const SESSION = 'session';

/** The signed-in browsers, the one seen last first; undefined when they were never read. */
export async function listLocalDevices(
  db: LocalDatabase,
  nowMs: number,
): Promise<Device[] | undefined> {
  return readLocal(db, async (store) => {
    const devices = await listRowsOf(store, 'device');
    if (devices.length === 0 && !(await isComplete(store, 'device'))) return undefined;
    const session = (await store.getMeta(SESSION)) as { sessionId: string } | undefined;
    return devices
      .filter(({ expiresAt }) => Date.parse(expiresAt) > nowMs)
      .sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt))
      .map(({ id, userAgent, createdAt, lastSeenAt }) => ({
        id,
        userAgent,
        createdAt,
        lastSeenAt,
        isThis: id === session?.sessionId,
      }));
  });
}
