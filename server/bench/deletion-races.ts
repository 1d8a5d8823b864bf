import { openPostgres } from '#server/kit/db/postgres.ts';
import { runDeletionRaces } from '#test/deletion-races/run-deletion-races.ts';
import {
  createPostgresDatabase,
  startMigratedPostgres,
} from '#test/databases/migrated-postgres.ts';
import { createTestDeps } from '#test/test-deps.ts';

/**
 * `npm run sim:deletion [rounds] [seed]`: so many races of a deletion with each call that writes, on two
 * nodes and a Postgres of its own. Ends with 1 on any answer 5xx, violated invariant or leftover.
 */
const rounds = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);

const startedAt = performance.now();
const server = await startMigratedPostgres(undefined, []);
const url = await createPostgresDatabase(server.baseUrl);
const database = openPostgres(url, { onError: () => undefined });
try {
  const deps = await createTestDeps({ database: { ...database, url } });
  const { answers, problems, refusedOnce } = await runDeletionRaces(deps, { rounds, seed });
  for (const told of Object.keys(answers).sort()) console.log(`${told}: ${answers[told]}`);
  for (const problem of problems) console.log(problem);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(
    `${rounds} races with each call, ${refusedOnce} deletions deferred by a payment, ` +
      `${problems.length} problems, ${seconds} s, seed ${seed}`,
  );
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await database.close();
  await server.stop();
}
