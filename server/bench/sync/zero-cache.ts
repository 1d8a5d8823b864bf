import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { Checksum } from '#shared/sync/checksum.ts';
import { freePort } from '#test/processes/free-port.ts';
import { PEERS } from './peers.ts';

const run = promisify(execFile);
const START_MS = 180_000;
const NAMES = [
  'key',
  'id',
  'accountId',
  'caption',
  'permalink',
  'shortcode',
  'mediaType',
  'displayUrl',
  'takenAt',
  'detectedAt',
] as const;

/** Without rules of its own Zero answers every query with no rows, and calls that complete. */
const EVERYBODY_READS = JSON.stringify({
  tables: { post: { row: { select: [['allow', { type: 'and', conditions: [] }]] } } },
});

/** A post as the table of Zero has it. */
export type ZeroPost = Record<(typeof NAMES)[number], string> & { likes: number; comments: number };

export interface ZeroCache {
  change(marks: readonly number[], ids: readonly string[]): Promise<number>;
  /** Of the posts as its database has them. */
  checksum(): Promise<string>;
  /** Of all its processes, in bytes. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

/** Zero's server on a database with the same posts. Throws when it can't start. */
export async function startZeroCache(options: {
  databaseUrl: string;
  port: number;
  posts: readonly ZeroPost[];
}): Promise<ZeroCache> {
  const { databaseUrl, port, posts } = options;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await fill(client, posts);
  const directory = await mkdtemp(join(tmpdir(), 'ovation-zero-'));
  const child = spawn(
    process.execPath,
    [join(PEERS, 'node_modules/@rocicorp/zero/out/zero/src/cli.js')],
    {
      cwd: PEERS,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_ENV: 'development',
        DO_NOT_TRACK: '1',
        ZERO_UPSTREAM_DB: databaseUrl,
        ZERO_REPLICA_FILE: join(directory, 'replica.db'),
        ZERO_PORT: String(port),
        // Unless told, it takes the two ports after its own, which may be somebody else's.
        ZERO_CHANGE_STREAMER_PORT: String(await freePort()),
        ZERO_LITESTREAM_PORT: String(await freePort()),
        ZERO_NUM_SYNC_WORKERS: '1',
        ZERO_LOG_LEVEL: 'warn',
        ZERO_CHANGE_STREAMER_STARTUP_DELAY_MS: '0',
        ZERO_ADMIN_PASSWORD: 'bench',
        ZERO_ENABLE_TELEMETRY: 'false',
      },
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-4000);
    });
  }
  const pid = child.pid ?? 0;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) process.kill(-pid, 'SIGKILL');
    await client.end();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await whenUp(port, () => child.exitCode === null);
    await client.query('update zero.permissions set permissions = $1', [EVERYBODY_READS]);
  } catch (cause) {
    await stop();
    throw new Error(`zero-cache did not start:\n${text}`, { cause });
  }
  return {
    change: (marks, ids) => change(client, marks, ids),
    checksum: () => checksum(client),
    memory: () => memoryOf(pid),
    stop,
  };
}

async function fill(client: pg.Client, posts: readonly ZeroPost[]): Promise<void> {
  const columns = NAMES.map((name) => `"${name}" text not null`).join(', ');
  await client.query(`create table post (${columns}, likes integer not null,
    comments integer not null, primary key (key))`);
  await client.query(
    `insert into post select * from json_populate_recordset(null::post, $1::json)`,
    [JSON.stringify(posts)],
  );
}

async function change(
  client: pg.Client,
  marks: readonly number[],
  ids: readonly string[],
): Promise<number> {
  await client.query(
    `update post p set likes = c.likes from unnest($1::int[], $2::text[]) c(likes, id)
      where p.id = c.id`,
    [marks, ids],
  );
  return performance.timeOrigin + performance.now();
}

async function checksum(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ id: string; caption: string; likes: number }>(
    'select id, caption, likes from post',
  );
  const sum = new Checksum();
  for (const { id, caption, likes } of rows) sum.add(`${id}|${caption}`, '', likes);
  return `${rows.length}/${sum.toString()}`;
}

async function whenUp(port: number, isRunning: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < START_MS; waitedMs += 250) {
    if (!isRunning()) break;
    const isUp = await fetch(`http://127.0.0.1:${port}/keepalive`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await delay(250);
  }
  throw new Error('No answer');
}

/** All processes of its group; Linux only. */
async function memoryOf(group: number): Promise<number> {
  const { stdout } = await run('ps', ['-eo', 'pgid=,pid=']);
  const pids = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pgid]) => Number(pgid) === group)
    .map(([, pid]) => pid ?? '');
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) * 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
