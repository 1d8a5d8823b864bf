import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

const SQLITE_BUSY = 5;

/**
 * Takes a directory for this process alone and returns how to give it back.
 *
 * Two processes on one embedded database lose writes silently, so the lock must hold against
 * crashes too: it is the operating system's file lock that SQLite takes, gone with the process
 * whatever ends it, unlike a file with a process number in it. Throws StartError when taken.
 */
export function lockDirectory(directory: string): () => void {
  const path = join(directory, 'lock');
  try {
    const lock = new DatabaseSync(path);
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    return () => lock.close();
  } catch (error) {
    const isTaken = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    throw new StartError(
      isTaken
        ? `The data directory ${directory} is in use by another process. Stop that one, or set DATA_DIR to another directory.`
        : `The data directory ${directory} can’t be locked. Check that it is writable and that ${path} is not damaged, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}
