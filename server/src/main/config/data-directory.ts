import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#server/kit/start-error.ts';

/** Permissions of everybody but the owner. */
export const OTHERS = 0o077;
const OWNER_ONLY = 0o700;

/**
 * Makes the data directory where there is none, and takes from everybody but its owner what an earlier
 * version has let them read or write.
 * @throws StartError when it is another user's, or can't be made
 */
export function openDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: OWNER_ONLY });
    closeToOthers(directory, directory);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(
      `The data directory ${directory} can’t be created or made private. Set DATA_DIR to a directory you can write to.`,
      { cause },
    );
  }
}

function closeToOthers(path: string, directory: string): void {
  try {
    closeOne(path, directory);
  } catch (error) {
    // Another process of the product, or the sandbox, has removed it since it was listed.
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isGone || path === directory) throw error;
  }
}

function closeOne(path: string, directory: string): void {
  const stats = lstatSync(path);
  refuseOtherOwner(stats, path, directory);
  // What a link names is none of ours; on Windows the profile's own permissions hold.
  if (stats.isSymbolicLink()) return;
  if ((stats.mode & OTHERS) !== 0) chmodSync(path, stats.mode & 0o7777 & ~OTHERS);
  if (!stats.isDirectory()) return;
  for (const name of readdirSync(path)) closeToOthers(join(path, name), directory);
}

function refuseOtherOwner({ uid }: Stats, path: string, directory: string): void {
  const user = process.getuid?.();
  if (user === undefined || uid === user) return;
  throw new StartError(
    `${path} belongs to another user (${uid}). Start the product as the owner of ${directory}, or set DATA_DIR to a directory of your own.`,
  );
}
