import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createProviderClient } from '#server/adapters/provider/provider-client.ts';
import { createApp } from '#server/main/app.ts';
import { prepareAgency } from '#server/main/start/agency-demo.ts';
import { type DemoCalls, type DemoLogin, callAs, signIn } from '#server/main/start/demo-calls.ts';
import { checkOnce } from '#server/ops/invariants/check-all.ts';
import { monthsOn } from '#shared/domain/accounts/report-month.ts';
import { SandboxDetectionBench } from '../delivery/sandbox-detection-bench.ts';

const ACCOUNTS = 120;
const POSTS = 600;
let bench: SandboxDetectionBench;
/** The one that the sandbox is, with its own book. */
let provider: ReturnType<typeof createProviderClient>;
let dataDir: string;
let calls: DemoCalls;
let stopped: unknown;
let logins: Record<string, DemoLogin>;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ovation-agency-'));
  bench = await SandboxDetectionBench.open({ isDemo: true });
  provider = createProviderClient({
    providerUrl: `${bench.url}/provider`,
    secret: 'secret',
    now: () => bench.deps.clock.now(),
  });
  const app = createApp(bench.deps, { stopping: new AbortController().signal });
  const { publicUrl, cardEntry } = bench.deps.settings;
  calls = { send: (request) => app.fetch(request), publicUrl, cardEntry, sandboxUrl: bench.url };
  // A first start that is stopped half way.
  stopped = await prepare(AbortSignal.abort()).catch((error: unknown) => error);
  logins = await prepare();
});
afterAll(async () => {
  await provider.close();
  await bench.close();
  rmSync(dataDir, { recursive: true });
});

const prepare = (signal = new AbortController().signal) =>
  prepareAgency({
    ...calls,
    deps: bench.deps,
    dataDir,
    accounts: ACCOUNTS,
    posts: POSTS,
    signal,
  });

async function enter(who: string) {
  const login = logins[who];
  if (!login) throw new Error(`Nobody is the ${who}`);
  const { session, isNew } = await signIn(
    calls,
    { name: who, ...login },
    { igUsername: 'nobody', plan: 1 },
  );
  expect(isNew).toBe(false);
  return { session, userId: session.user.id };
}

const count = async (table: 'post' | 'like_order' | 'account' | 'membership'): Promise<number> => {
  const { n } = await bench.deps.database.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
};

test('the agency has 12 people, 60 clients and all accounts, once, though its first start was stopped', async () => {
  expect(stopped).toMatchObject({ name: 'AbortError' });
  const { session, userId } = await enter('Owner');
  const team = await callAs(calls, session, CALLS.findTeam, { userId });
  expect(team.members).toHaveLength(12);
  const clients = await callAs(calls, session, CALLS.findClients, { userId });
  expect(clients.map(({ accounts }) => accounts)).toEqual(Array.from({ length: 60 }, () => 2));
  expect(await count('account')).toBe(ACCOUNTS + 1);
  const planted = await bench.deps.database.db
    .selectFrom('post')
    .select('id')
    .where('id', 'like', '3000000%')
    .execute();
  expect(planted).toHaveLength(POSTS);
  expect(statSync(join(dataDir, 'agency-logins.json')).mode & 0o777).toBe(0o600);
});

test('the client’s viewer sees the accounts of one client, and no money', async () => {
  const { session, userId } = await enter('Client’s viewer');
  const accounts = await callAs(calls, session, CALLS.findConnectedAccounts, { userId });
  expect(new Set(accounts.map(({ client }) => client?.name))).toEqual(new Set(['Alder Bakery']));
  expect(accounts).toHaveLength(2);
  expect(session.user.membership?.role).toBe('Viewer');
});

test('reports of this month and the last one say what was delivered, how soon, and what is left of it', async () => {
  const { session, userId } = await enter('Client’s viewer');
  const { report, newestMonth } = await callAs(calls, session, CALLS.findReport, { userId });
  const month = monthsOn(newestMonth, -1);
  const last = await callAs(calls, session, CALLS.findReport, { userId, month });
  for (const { totals } of [report, last.report]) {
    expect(totals.delivered).toBeGreaterThan(100);
    expect(totals.retention).toBeGreaterThan(0.9);
    expect(totals.retention).toBeLessThanOrEqual(1);
    expect(totals.mostSeconds).toBeGreaterThan(20);
  }
  expect(last.report.unknownPosts).toBe(0);
});

test('another start finds it as it was left', async () => {
  const before = [await count('account'), await count('post'), await count('membership')];
  expect(await prepare()).toEqual(logins);
  expect([await count('account'), await count('post'), await count('membership')]).toEqual(before);
});

test('everything adds up, and a new post of any of them gets its likes', async () => {
  expect(await checkOnce({ ...bench.deps, provider }, new Date(0))).toEqual([]);
  const [posts, orders] = [await count('post'), await count('like_order')];
  await bench.pollLater();
  // What was planted is what the network shows: nothing is new.
  expect([await count('post'), await count('like_order')]).toEqual([posts, orders]);
  const answer = await fetch(`${bench.url}/control/accounts/alder.bakery.aarhus/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ caption: 'Fresh' }),
  });
  expect(answer.ok).toBe(true);
  await bench.pollLater();
  expect([await count('post'), await count('like_order')]).toEqual([posts + 1, orders + 1]);
  expect(await checkOnce({ ...bench.deps, provider }, new Date(0))).toEqual([]);
});
