import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { errorResponse } from '#server/kit/http/error-response.ts';
import { registerProviderEventRoutes } from '#server/routes/events.routes.ts';
import { checkAutomaticOrders } from '#server/ops/invariants/automatic-orders.ts';
import { checkDelivery, type ProviderBookEntry } from '#server/ops/invariants/delivery.ts';
import type { Violation } from '#server/ops/invariants/violation.ts';
import { systemClock, systemIds } from '#server/main/system.ts';
import { bundled } from '../processes/bundled.ts';
import { type Customer, plantCustomer, plantOrder, plantPost } from './order-fixture.ts';
import { type RunningProcess, startProcess } from '../processes/process.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDatabase } from '../databases/test-database.ts';
import { TEST_SETTINGS } from '../test-deps.ts';

const SECRET = TEST_SETTINGS.providerSecret;
const POSTS_PER_ACCOUNT = 4;
/** A quarter of the calls fails, half of those after they took effect; as many answer after the lease. */
const LEASE_MS = 250;
const FAULTS = [
  { system: 'provider', scenario: 'fail', fraction: 0.25 },
  { system: 'provider', scenario: 'slow', fraction: 0.5, delayMs: 1200 },
];
/** Orders fall due one after the other, four a second. */
const DETECTED_APART_MS = 250;
const WORKERS = 2;
const WORKER_LIFE_MS = { least: 1000, most: 6000 };
const KILLS_LEAST = 3;

interface CrashOptions {
  fence: 'on' | 'off';
  orders: number;
  /** Decides amounts, moments of the kills, and which of the provider's calls fail. */
  seed: number;
}

export interface CrashOutcome {
  violations: Violation[];
  /** Likes on the network's own posts, by post: all by different members. */
  likes: Map<string, { memberLikes: number; distinctMembers: number }>;
  ordered: Map<string, number>;
  kills: number;
  /** Orders for which an answer came after somebody else had taken them over. */
  lateAnswers: number;
  /** Process ids of all workers there ever were. */
  pids: number[];
  /** Most connections to the database that workers had at a time. */
  mostConnections: number;
}

const WORKER_NAME = 'crash-worker';

/** Connections of workers to the database: a statement of a killed one may still be running. */
export async function countWorkerConnections({ db }: TestDatabase): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and application_name = ${WORKER_NAME}`.execute(db);
  return rows.length;
}

/**
 * Delivers orders through a real provider that fails, resets and answers too late, by workers that are
 * killed at random moments and started again, while the provider's events arrive too. Ends when every
 * order is final, or when an effect has happened twice, which nothing can put right any more; but not
 * before workers were killed three times.
 */
export async function crashDelivery(
  database: TestDatabase,
  { fence, orders, seed }: CrashOptions,
): Promise<CrashOutcome> {
  const random = seededRandom(seed);
  const directory = await mkdtemp(join(tmpdir(), 'ovation-crash-'));
  const deps = { clock: systemClock, ids: systemIds, database };
  const events = await receiveEvents(deps);
  const sandbox = startProcess(await bundled('server/test/processes/seeded-sandbox.ts'), {
    SANDBOX_SEED: String(seed),
    SANDBOX_PORT: '0',
    SANDBOX_SMTP_PORT: '0',
    SANDBOX_STATE: join(directory, 'sandbox.db'),
    SANDBOX_PROVIDER_SECRET: SECRET,
    SANDBOX_EVENTS_URL: events.url,
  });
  try {
    const control = await controlOf(sandbox);
    const since = new Date(systemClock.now());
    const ordered = await plantOrders(deps, control, orders, random);
    for (const fault of FAULTS) await control.post('/control/faults', fault);
    const env = {
      DATABASE_URL: `${database.url ?? ''}?application_name=${WORKER_NAME}`,
      PROVIDER_URL: `${control.url}/provider`,
      PROVIDER_SECRET: SECRET,
      LEASE_MS: String(LEASE_MS),
      BATCH: '3',
      FENCE: fence,
    };
    const killed = await killUntilOver(database, env, random);
    const likes = await readLikes(control, orders / POSTS_PER_ACCOUNT);
    const book = await control.get<{ orders: ProviderBookEntry[] }>('/control/provider/book');
    const violations = [
      ...(await checkAutomaticOrders(database.db, { since, until: new Date(systemClock.now()) })),
      ...(await checkDelivery(database.db, () => Promise.resolve(book.orders))),
    ];
    return { violations, likes, ordered, ...killed };
  } finally {
    await sandbox.stop();
    await events.close();
    await rm(directory, { recursive: true, force: true });
  }
}

type CrashDeps = Parameters<typeof plantOrder>[0];

/** The product's own end for the provider's events. */
async function receiveEvents(deps: CrashDeps): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  registerProviderEventRoutes(app, { ...deps, log, settings: TEST_SETTINGS });
  app.onError((error, c) => errorResponse(c, { log }, error));
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Control {
  url: string;
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body: object): Promise<Answer>;
}

async function controlOf(sandbox: RunningProcess): Promise<Control> {
  const line = await sandbox.waitFor(/"ready":true.*\n/);
  const url = `http://127.0.0.1:${/"port":(\d+)/.exec(line)?.[1] ?? ''}`;
  const call = async (path: string, init?: RequestInit): Promise<never> => {
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as never;
  };
  return {
    url,
    get: (path) => call(path),
    post: (path, body) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/**
 * Four new posts for each account, with their orders: 10-40 likes within 5 s, on videos views too. They
 * fall due one after the other, so that some worker is always free to take over from one that waits.
 */
async function plantOrders(
  deps: CrashDeps,
  control: Control,
  orders: number,
  random: () => number,
): Promise<Map<string, number>> {
  const accounts = await control.post<Array<{ igId: string; username: string }>>(
    '/control/accounts',
    { count: orders / POSTS_PER_ACCOUNT, prefix: 'crash' },
  );
  const ordered = new Map<string, number>();
  for (const { igId, username } of accounts) {
    const customer = await plantCustomer(deps, { igId, igUsername: username });
    for (let slot = 1; slot <= POSTS_PER_ACCOUNT; slot += 1) {
      const likes = 10 + Math.floor(random() * 31);
      const bonus = random() < 0.3 ? Math.floor(likes / 10) : 0;
      const isVideo = slot === POSTS_PER_ACCOUNT;
      const post = { slot, likes, bonus, isVideo, inMs: random() * orders * DETECTED_APART_MS };
      ordered.set(await plantOne(deps, control, customer, post), likes + bonus);
    }
  }
  return ordered;
}

async function plantOne(
  deps: CrashDeps,
  control: Control,
  customer: Customer,
  post: { slot: number; likes: number; bonus: number; isVideo: boolean; inMs: number },
): Promise<string> {
  const mediaType = post.isVideo ? 'VIDEO' : 'IMAGE';
  const path = `/control/accounts/${customer.igUsername}/posts`;
  const { id, shortcode } = await control.post<{ id: string; shortcode: string }>(path, {
    mediaType,
  });
  const now = new Date(deps.clock.now());
  const detectedAt = new Date(now.getTime() + post.inMs);
  await plantPost(deps, customer, {
    id,
    shortcode,
    media_type: mediaType,
    taken_at: now,
    detected_at: detectedAt,
  });
  await plantOrder(deps, customer, {
    post_id: id,
    shortcode,
    slot: post.slot,
    local_day: now.toISOString().slice(0, 10),
    ordered: post.likes,
    bonus: post.bonus,
    views: post.isVideo ? post.likes + post.bonus : 0,
    detected_at: detectedAt,
    start_at: detectedAt,
    finish_by: new Date(detectedAt.getTime() + 5000),
  });
  return id;
}

/** Keeps two workers running, kills each at a random moment, and ends with none. */
async function killUntilOver(
  database: TestDatabase,
  env: Record<string, string>,
  random: () => number,
): Promise<Pick<CrashOutcome, 'kills' | 'lateAnswers' | 'pids' | 'mostConnections'>> {
  const over = new AbortController();
  const pids: number[] = [];
  const tally = { kills: 0 };
  let lateAnswers = 0;
  let mostConnections = 0;
  const keepKilling = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const worker = startProcess(await bundled('server/test/processes/delivery-worker.ts'), env);
      pids.push(worker.child.pid ?? 0);
      await worker.waitFor('ready');
      const { least, most } = WORKER_LIFE_MS;
      await systemClock.sleep(least + random() * (most - least), over.signal);
      if (!over.signal.aborted) tally.kills += 1;
      worker.child.kill('SIGKILL');
      await worker.ended;
      for (const [, count] of worker.output().matchAll(/^late (\d+)$/gm)) {
        lateAnswers += Number(count);
      }
    }
  };
  const workers = Array.from({ length: WORKERS }, keepKilling);
  const watching = (async () => {
    while (tally.kills < KILLS_LEAST || !(await isOver(database))) {
      mostConnections = Math.max(mostConnections, await countWorkerConnections(database));
      await systemClock.sleep(250);
    }
    over.abort();
  })();
  await Promise.all([watching, ...workers]).finally(() => over.abort());
  return { kills: tally.kills, lateAnswers, pids, mostConnections };
}

async function isOver({ db }: TestDatabase): Promise<boolean> {
  const unfinished = await db
    .selectFrom('like_order')
    .select('id')
    .where('finished_at', 'is', null)
    .limit(1)
    .execute();
  const twice = await db
    .selectFrom('order_event')
    .select('order_id')
    .groupBy(['order_id', 'kind'])
    .having(({ fn }) => fn.countAll(), '>', 1)
    .limit(1)
    .execute();
  return unfinished.length === 0 || twice.length > 0;
}

async function readLikes(control: Control, accounts: number): Promise<CrashOutcome['likes']> {
  const likes: CrashOutcome['likes'] = new Map();
  for (let account = 0; account < accounts; account += 1) {
    const posts = await control.get<
      Array<{ id: string; memberLikes: number; distinctMembers: number }>
    >(`/control/accounts/crash${account}/posts`);
    for (const { id, memberLikes, distinctMembers } of posts) {
      likes.set(id, { memberLikes, distinctMembers });
    }
  }
  return likes;
}
