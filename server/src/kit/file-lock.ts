import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
const TRY_EVERY_MS = 200;

/**
 * Takes a file for this process alone and returns how to give it back; undefined when it is taken. It is the operating
 * system's file lock that SQLite takes, gone with the process whatever ends it, unlike a file with a process number
 * in it.
 */
export function lockFile(path: string): (() => void) | undefined {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      return undefined;
    }
    throw error;
  }
}

/** Does something that only one process may do at a time; `onWait` hears once that another one is at it. */
export async function oneAtATime<T>(
  path: string,
  { work, onWait }: { work: () => Promise<T>; onWait: () => void },
): Promise<T> {
  let unlock = lockFile(path);
  if (!unlock) onWait();
  while (!unlock) {
    await delay(TRY_EVERY_MS);
    unlock = lockFile(path);
  }
  try {
    return await work();
  } finally {
    unlock();
  }
}
