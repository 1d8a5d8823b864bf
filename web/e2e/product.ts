import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { startPostgres } from '#test/postgres-server.ts';
import { freePort } from '#test/free-port.ts';
import { type RunningProcess, startProcess } from '#test/process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data directory of a product that has started once: a start from a copy costs a third. */
    startedDirectory: string;
  }
}

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

export interface EmbeddedProduct extends StartedProduct {
  directory: string;
  /** All that it has said by the time it was there. */
  greeting: string;
  /** Ends its process; the data directory stays until `stop`. */
  end(): Promise<void>;
}

interface StartOptions {
  /** Those of an earlier start on the same data, in which addresses of pictures have the sandbox's. */
  ports?: Ports;
  /** Node's own besides those of `npm start`, for the product and its sandbox. */
  nodeArguments?: readonly string[];
  /** What an operator sets besides. */
  settings?: Readonly<Record<string, string>>;
  /** What is started, with its own arguments. */
  command?: readonly [entry: string, ...args: string[]];
}

/**
 * `npm start`: one process on the embedded database, with the sandbox as its child.
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
    command: [entry, ...args] = ['server/src/main/start.ts'],
  }: StartOptions = {},
): Promise<EmbeddedProduct> {
  const place = await findPlace(ports);
  if (from !== undefined) await cp(from, place.directory, { recursive: true });
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

export interface ProductOnPostgres extends StartedProduct {
  databaseUrl: string;
  /** Ends `serve` as `kill -9` does; resolves once it is gone. */
  killServe(): Promise<void>;
  /** Starts `serve` anew at the same address. */
  startServe(): Promise<void>;
}

/** Production's shape: real Postgres, one `serve`, two `work`, the sandbox. */
export async function startOnPostgres(): Promise<ProductOnPostgres> {
  const place = await findPlace();
  const postgres = await startPostgres();
  const admin = new pg.Client({ connectionString: `${postgres.baseUrl}/postgres` });
  await admin.connect();
  await admin.query('create database ovation');
  await admin.end();
  const env = {
    ...place.env,
    DATABASE_URL: `${postgres.baseUrl}/ovation`,
    APP_SECRET: 'e2e-secret-of-more-than-32-characters',
  };
  const sandbox = startProcess('server/sandbox/main.ts', {
    ...env,
    SANDBOX_STATE: join(place.directory, 'sandbox.db'),
    SANDBOX_EVENTS_URL: `http://127.0.0.1:${place.port}`,
  });
  await sandbox.waitFor('"ready":true');
  const serve = startProcess('server/src/main/serve.ts', env);
  const workers = [
    startProcess('server/src/main/work.ts', env),
    startProcess('server/src/main/work.ts', env),
  ] as const;
  await Promise.all([
    serve.waitFor('"event":"serving"'),
    ...workers.map((worker) => worker.waitFor('"event":"working"')),
  ]);
  const processes = { sandbox, serve, workA: workers[0], workB: workers[1] };
  return {
    ...addresses(place),
    databaseUrl: env.DATABASE_URL,
    processes,
    killServe: async () => {
      processes.serve.child.kill('SIGKILL');
      await processes.serve.ended;
    },
    startServe: async () => {
      processes.serve = startProcess('server/src/main/serve.ts', env);
      await processes.serve.waitFor('"event":"serving"');
    },
    stop: async () => {
      for (const process of Object.values(processes).reverse()) await process.stop();
      await postgres.stop();
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
