import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Files of the network (uploads, made pictures), by key such as `upload/x.jpg`. */
export interface FileStore {
  /** Absolute path of a key, whether or not the file exists. @throws on a key that leaves the folder. */
  path(key: string): string;
  has(key: string): boolean;
  /** Writes whole or not at all. */
  put(key: string, bytes: Uint8Array): void;
  remove(key: string): void;
  /** Deletes the folder when the state lived in memory only. */
  close(): void;
}

const KEY = /^[a-z0-9-]+\/[A-Za-z0-9_-]+(\.[a-z0-9]+)?$/;

/** Opens the folder beside the state file (`x.db` -> `x-files`), or a passing one for ':memory:'. */
export function openFileStore(statePath: string): FileStore {
  const isPassing = statePath === ':memory:';
  const folder = isPassing
    ? mkdtempSync(join(tmpdir(), 'sandbox-'))
    : join(dirname(statePath), `${basename(statePath).replace(/\.[a-z]+$/, '')}-files`);
  // An earlier version let every user of the machine into it.
  if (!isPassing && existsSync(folder)) chmodSync(folder, 0o700);
  const path = (key: string): string => {
    if (!KEY.test(key)) throw new RangeError(`not a file key: ${key}`);
    return join(folder, key);
  };
  return {
    path,
    has: (key) => existsSync(path(key)),
    put(key, bytes) {
      const target = path(key);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(`${target}.part`, bytes);
      renameSync(`${target}.part`, target);
    },
    remove: (key) => rmSync(path(key), { force: true }),
    close() {
      if (isPassing) rmSync(folder, { recursive: true, force: true });
    },
  };
}
