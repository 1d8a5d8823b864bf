import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#test/processes/free-port.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { createPostgresDatabase, sharedPostgres } from '#test/databases/migrated-postgres.ts';
import { type PostgresServer, startPostgres } from '#test/databases/postgres-server.ts';
import { seededRandom } from '#test/seeded.ts';
import { type Api, startApi } from './sync/api.ts';
import { startCountingProxy } from './sync/counting-proxy.ts';
import {
  type Changes,
  type Contender,
  type Measured,
  measureClient,
} from './sync/measure-client.ts';
import { buildPage, installPeers } from './sync/peers.ts';
import { type Row, table } from './sync/table.ts';
import { readZeroPosts, zeroContender } from './sync/zero-contender.ts';

/**
 * `npm run bench:sync [rows] [repetitions] [seed] [clients]`: the replica against others, in real Chromium with a
 * fresh profile for each run, in shuffled order, on the same posts. Contents are compared by checksum.
 */
const rows = Number(process.argv[2] ?? 20_000);
const repetitions = Number(process.argv[3] ?? 3);
const seed = Number(process.argv[4] ?? 1);
const CLIENTS = ['floor', 'ours', 'dexie-rows', 'rxdb', 'zero'];
const asked = process.argv[5]?.split(',') ?? CLIENTS;
/** No post is changed twice while a client is away: it would wait for ever. */
const changes: Changes = { live: Math.min(60, rows), missed: Math.min(500, rows) };
const PEERS_ALONE = new Set(['rxdb', 'zero']);

const pages = await mkdtemp(join(tmpdir(), 'ovation-bench-pages-'));
// Only Zero reads its server's log.
const shared = asked.includes('zero') ? undefined : sharedPostgres();
const postgres =
  shared ?? (await startPostgres(['-c', 'wal_level=logical', '-c', 'max_wal_senders=10']));
const stops: Array<() => Promise<void> | void> = [() => postgres.stop()];
try {
  await bench();
} finally {
  for (const stop of stops.reverse()) await stop();
  await rm(pages, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const isAnyPeerAsked = asked.some((name) => PEERS_ALONE.has(name));
  const notInstalled = isAnyPeerAsked ? await installPeers() : undefined;
  if (notInstalled) console.error(`SKIPPED: RxDB and Zero can't be installed.\n${notInstalled}`);
  const names = CLIENTS.filter(
    (name) => asked.includes(name) && !(notInstalled !== undefined && PEERS_ALONE.has(name)),
  );
  const sizes = new Map<string, number>();
  for (const name of names) sizes.set(name, await buildPage(name, pages));
  const contenders = await ownContenders(names.filter((name) => name !== 'zero'));
  if (names.includes('zero')) {
    const zero = await openZero(contenders[0]).catch((error: unknown) => {
      console.error(`SKIPPED: Zero. ${error instanceof Error ? error.message : String(error)}`);
    });
    if (zero) contenders.push(zero);
  }
  const runs = await play(contenders);
  const lines = names.map((name): Row => {
    return {
      name,
      codeBytes: name === 'floor' ? undefined : sizes.get(name),
      runs: runs.get(name) ?? [],
    };
  });
  console.log(
    `\n${rows} posts, ${repetitions} repetitions, seed ${seed}\n\n${table(lines, changes)}`,
  );
}

async function play(contenders: readonly Contender[]): Promise<Map<string, Measured[]>> {
  const random = seededRandom(seed);
  const runs = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]));
  for (let nr = 1; nr <= repetitions; nr += 1) {
    const order = contenders
      .map((contender) => ({ contender, at: random() }))
      .sort((a, b) => a.at - b.at);
    for (const { contender } of order) {
      const { name } = contender;
      const measured = await measureClient(contender, changes).catch((error: unknown) => {
        console.error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`);
      });
      if (measured) runs.get(name)?.push(measured);
      const told = measured ? `durable after ${Math.round(measured.durableMs)} ms` : 'failed';
      console.log(`${nr}. ${name}: ${told}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`);
    }
  }
  return runs;
}

async function createDatabase(server: PostgresServer, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: `${server.baseUrl}/postgres` });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return `${server.baseUrl}/${name}`;
}

/** The product, and those that differ from it only in how they keep what the same server sends. */
async function ownContenders(names: readonly string[]): Promise<Contender[]> {
  const databaseUrl = shared
    ? await createPostgresDatabase(shared.baseUrl)
    : await createDatabase(postgres, 'ours');
  const database = openPostgres(databaseUrl, { onError: () => undefined });
  await migrate(database);
  await database.close();
  const [port, near] = [await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${near}`;
  const proxy = await startCountingProxy(near, port);
  stops.push(() => proxy.stop());
  const api: Api = await startApi({ databaseUrl, port, publicUrl, rows, pages });
  stops.push(() => api.stop());
  const query = new URLSearchParams({ scope: api.scope, rows: String(rows) });
  return names.map((name) => ({
    name,
    url: `${publicUrl}/bench/${name}?${String(query)}`,
    cookie: api.cookie,
    proxy,
    change: async (marks) => {
      const told = await api.ask({ kind: 'change', marks: [...marks] });
      return told.kind === 'changed' ? told.atMs : Number.NaN;
    },
    checksum: async () => {
      const told = await api.ask({ kind: 'checksum' });
      return told.kind === 'checksum' ? told.sum : '';
    },
    memory: async () => {
      const told = await api.ask({ kind: 'memory' });
      return told.kind === 'memory' ? told.bytes : Number.NaN;
    },
  }));
}

async function openZero(own: Contender | undefined): Promise<Contender | undefined> {
  if (!own) return undefined;
  const posts = await readZeroPosts(own);
  const databaseUrl = await createDatabase(postgres, 'zero');
  const code = await readFile(join(pages, 'zero.js'));
  const site = createServer((request, response) => {
    const isScript = request.url?.endsWith('.js') ?? false;
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? code : '<!doctype html><script type="module" src="/zero.js"></script>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  stops.push(() => void site.close());
  const { port } = site.address() as AddressInfo;
  const { contender, stop } = await zeroContender({
    databaseUrl,
    posts,
    site: `http://127.0.0.1:${port}/`,
  });
  stops.push(stop);
  return contender;
}
