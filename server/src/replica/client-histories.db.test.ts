import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepSeed, KEPT_SEEDS } from '#test/sync-histories/kept-seeds.ts';
import { playHistory } from '#test/sync-histories/play-history.ts';
import { startWorld, type World } from '#test/sync-histories/world.ts';

/** `HISTORIES=240 npm run test:soak -- <this file> 1` plays more. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 4);
const CUSTOMERS = Math.min(10, KEPT_SEEDS.length + HISTORIES);
/** Others on Postgres than on the embedded database. */
const FIRST_SEED = { pglite: 1, postgres: 10_001 };

let world: World;
beforeAll(async () => {
  world = await startWorld(CUSTOMERS);
});
afterAll(() => world.server.close());

test('after any history of faults, crashes, moves and restores, both devices hold what the server has', async () => {
  const first = FIRST_SEED[world.server.deps.database.engine];
  const seeds = [...KEPT_SEEDS, ...Array.from({ length: HISTORIES }, (_, nr) => first + nr)];
  for (const [nr, seed] of seeds.entries()) {
    const customer = world.customers[nr % CUSTOMERS];
    if (!customer) continue;
    await playHistory(world, customer, seed).catch((error: unknown) => {
      keepSeed(seed);
      throw new Error(`History of seed ${seed} went wrong; the seed is kept`, { cause: error });
    });
  }
  expect(seeds.length).toBeGreaterThanOrEqual(HISTORIES);
  // Without these the histories would show nothing of the stream; 18 were applied when it was written.
  expect(world.streams.applied).toBeGreaterThan(3);
  expect(world.streams.lost).toBeGreaterThan(0);
  expect(world.streams.doubled).toBeGreaterThan(0);
});

test('a change that the log does not tell is noticed', async () => {
  const [customer] = world.customers;
  if (!customer) throw new Error('No customer');
  const { db } = world.server.deps.database;
  const untold = async (): Promise<void> => {
    await sql`alter table post disable trigger user`.execute(db);
    await sql`update post set like_count = 12345678 where id = '101'`.execute(db);
    await sql`alter table post enable trigger user`.execute(db);
  };
  await expect(playHistory(world, customer, 1, untold)).rejects.toThrow('to deeply equal');
});
