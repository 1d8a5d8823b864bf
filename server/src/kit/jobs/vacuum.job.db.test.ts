import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { allJobs } from '#server/main/jobs/all-jobs.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  const at = new Date(deps.clock.now());
  await sql`
    insert into rate_limit (name, key_hash, used, resets_at)
    select 'plant', n, 0, ${at} from generate_series(1, 500) n`.execute(deps.database.db);
});
afterAll(() => deps.database.close());

const vacuumJob = () => allJobs(deps, () => undefined).find(({ name }) => name === 'vacuum');

/** Rewrites every row ten times, and has what was counted of it told at once. */
async function rewrite(): Promise<void> {
  const { db } = deps.database;
  for (let time = 0; time < 10; time += 1) {
    await sql`update rate_limit set used = used + 1`.execute(db);
  }
  await sql`select pg_stat_force_next_flush()`.execute(db);
}

/** One round of the job. */
async function vacuum(): Promise<void> {
  const stop = new AbortController();
  const now = () => deps.clock.now();
  const clock = { now, sleep: async () => stop.abort() };
  const jobs = allJobs({ ...deps, clock }, () => undefined);
  await jobs.find(({ name }) => name === 'vacuum')?.run(stop.signal);
}

async function tableStats(): Promise<{ bytes: number; dead: number; counted: number }> {
  const { rows } = await sql<{ bytes: number; dead: number; counted: number }>`
    select pg_relation_size(c.oid)::int as bytes, s.n_dead_tup::int as dead,
      c.reltuples::int as counted
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.relname = 'rate_limit'`.execute(deps.database.db);
  const [stats] = rows;
  if (!stats) throw new Error('no statistics');
  return stats;
}

test('the job runs where the engine does not sweep by itself, and only there', () => {
  expect(vacuumJob() !== undefined).toBe(deps.database.engine === 'pglite');
});

test('rows rewritten over and over do not make an embedded table grow without end', async () => {
  if (deps.database.engine !== 'pglite') return;
  await rewrite();
  const { bytes } = await tableStats();
  expect((await tableStats()).dead).toBeGreaterThan(4000);
  for (let round = 0; round < 5; round += 1) {
    await vacuum();
    expect(await tableStats()).toMatchObject({ dead: 0, counted: 500 });
    await rewrite();
  }
  expect((await tableStats()).bytes).toBeLessThan(1.2 * bytes);
});

test('a table that hardly changed is left alone', async () => {
  if (deps.database.engine !== 'pglite') return;
  await vacuum();
  const { db } = deps.database;
  await sql`update rate_limit set used = 0 where key_hash in ('1', '2')`.execute(db);
  await sql`select pg_stat_force_next_flush()`.execute(db);
  await vacuum();
  expect((await tableStats()).dead).toBe(2);
});
