import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { bundled } from '#test/processes/bundled.ts';
import {
  createPostgresDatabase,
  startMigratedPostgres,
} from '#test/databases/migrated-postgres.ts';
import { freePort } from '#test/processes/free-port.ts';
import { type RunningProcess, startProcess } from '#test/processes/process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    startFrom: StartFrom;
  }
}

/** What the products of a run start from. */
export interface StartFrom {
  /** A data directory of a product that has started once: a start from a copy costs a third. */
  directory: string;
  /** A real Postgres with a migrated template. */
  postgresUrl: string;
}

const APP_SECRET = 'e2e-secret-of-more-than-32-characters';

/** `node <Node's own arguments> <entry>`: what is measured runs as what is shipped. */
const NPM_START = packageJson.scripts.start;

/** The whole product with its outside world, as processes of their own. */
export interface Product {
  url: string;
  sandboxUrl: string;
}

/** A product that is its starter's alone: what it does to the processes nobody else sees. */
export interface StartedProduct extends Product {
  processes: Record<string, RunningProcess>;
  stop(): Promise<void>;
}

/** The product's, the sandbox's and its mail server's. */
export type Ports = readonly [port: number, sandboxPort: number, smtpPort: number];

interface Place {
  directory: string;
  port: number;
  sandboxPort: number;
  env: Record<string, string>;
}

/** Free ones. */
export const findPorts = async (): Promise<Ports> => [
  await freePort(),
  await freePort(),
  await freePort(),
];

async function findPlace(ports?: Ports): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-e2e-'));
  const [port, sandboxPort, smtpPort] = ports ?? (await findPorts());
  return {
    directory,
    port,
    sandboxPort,
    env: {
      PORT: String(port),
      DATA_DIR: directory,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      // Each browser says an address of its own, which calls are counted by.
      TRUSTED_PROXIES: '127.0.0.1,::1',
    },
  };
}

/** One process, with its sandbox as a child. */
export interface SingleProduct extends StartedProduct {
  directory: string;
  /** All that it has said by the time it was there. */
  greeting: string;
  /** Ends its process; the data directory stays until `stop`. */
  end(): Promise<void>;
}

interface StartOptions {
  /** Those of an earlier start on the same data, in which addresses of pictures have the sandbox's. */
  ports?: Ports | undefined;
  /** Node's own besides those of `npm start`, for the product and its sandbox. */
  nodeArguments?: readonly string[];
  /** What an operator sets besides. */
  settings?: Readonly<Record<string, string>>;
  /** Which files of the data directory are copied. */
  filter?: (path: string) => boolean;
  /** What is started, with its own arguments. */
  command?: readonly [entry: string, ...args: string[]];
}

/**
 * `npm start`: one process on the embedded database, unless a setting names another.
 * @param from a data directory to start from a copy of; without it the product starts for the first time
 * @param demo the demo's life takes a tenth of a core
 */
export async function startEmbedded(
  from?: string,
  demo: 'on' | 'off' = 'off',
  {
    ports,
    nodeArguments = [],
    settings = {},
    filter,
    command: [entry, ...args] = ['server/src/main/start.ts'],
  }: StartOptions = {},
): Promise<SingleProduct> {
  const place = await findPlace(ports);
  if (from !== undefined) await cp(from, place.directory, { recursive: true, filter });
  const env = { ...place.env, ...settings, SANDBOX_DEMO: demo };
  const start = startProcess(entry, env, args, [
    ...NPM_START.split(' ').slice(1, -1),
    ...nodeArguments,
  ]);
  const greeting = await start.waitFor('Stop with Ctrl+C');
  return {
    ...addresses(place),
    directory: place.directory,
    greeting,
    processes: { start },
    end: () => start.stop(),
    stop: async () => {
      await start.stop();
      await rm(place.directory, { recursive: true, force: true });
    },
  };
}

/**
 * `npm start` on a real Postgres that it shares with others of the run: at work it computes half of what it
 * does on the embedded database, and at rest a third.
 */
export async function startSingle(
  { directory, postgresUrl }: StartFrom,
  settings: Readonly<Record<string, string>> = {},
  {
    demo = 'off',
    command,
    ports,
  }: Pick<StartOptions, 'command' | 'ports'> & { demo?: 'on' | 'off' } = {},
): Promise<SingleProduct & { databaseUrl: string }> {
  const databaseUrl = await createPostgresDatabase(postgresUrl);
  const product = await startEmbedded(directory, demo, {
    command: command ?? [await bundled('server/src/main/start.ts')],
    ports,
    settings: { DATABASE_URL: databaseUrl, APP_SECRET, ...settings },
    filter: (path) => basename(path) !== 'postgres',
  });
  return { ...product, databaseUrl };
}

export interface ProductOnPostgres extends StartedProduct {
  databaseUrl: string;
  /** Ends `serve` as `kill -9` does; resolves once it is gone. */
  killServe(): Promise<void>;
  /** Starts `serve` anew at the same address. */
  startServe(): Promise<void>;
}

/**
 * Production's shape: real Postgres, one `serve`, one `work`, the sandbox.
 * @param postgresUrl a server that others have too, as tests do; without it the product gets one of its own
 */
export async function startOnPostgres(postgresUrl?: string): Promise<ProductOnPostgres> {
  const place = await findPlace();
  const own = postgresUrl === undefined ? await startMigratedPostgres() : undefined;
  const env = {
    ...place.env,
    DATABASE_URL: await createPostgresDatabase(postgresUrl ?? own?.baseUrl ?? ''),
    APP_SECRET,
  };
  const serveEntry = await bundled('server/src/main/serve.ts');
  const workEntry = await bundled('server/src/main/work.ts');
  const sandbox = startProcess(await bundled('server/sandbox/main.ts'), {
    ...env,
    SANDBOX_STATE: join(place.directory, 'sandbox.db'),
    SANDBOX_EVENTS_URL: `http://127.0.0.1:${place.port}`,
  });
  await sandbox.waitFor('"ready":true');
  const serve = startProcess(serveEntry, env);
  const work = startProcess(workEntry, env);
  await Promise.all([serve.waitFor('"event":"serving"'), work.waitFor('"event":"working"')]);
  const processes = { work, sandbox, serve };
  return {
    ...addresses(place),
    databaseUrl: env.DATABASE_URL,
    processes,
    killServe: async () => {
      processes.serve.child.kill('SIGKILL');
      await processes.serve.ended;
    },
    startServe: async () => {
      processes.serve = startProcess(serveEntry, env);
      await processes.serve.waitFor('"event":"serving"');
    },
    stop: async () => {
      for (const process of [work, processes.serve, sandbox]) {
        await process.stop();
      }
      await own?.stop();
      await rm(place.directory, { recursive: true, force: true });
    },
  };
}

function addresses(place: Place): Product {
  return {
    url: `http://localhost:${place.port}`,
    sandboxUrl: `http://127.0.0.1:${place.sandboxPort}`,
  };
}
