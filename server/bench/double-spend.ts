import { openPostgres } from '#server/kit/db/postgres.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { checkCreditSources } from '#server/ops/invariants/credit-sources.ts';
import { systemClock, systemIds } from '#server/main/system.ts';
import { LIKES_EACH, PARALLEL_ORDERS, spendAtOnce } from '#test/money/double-spend.ts';
import {
  createPostgresDatabase,
  startMigratedPostgres,
} from '#test/databases/migrated-postgres.ts';
import { seededRandom } from '#test/seeded.ts';
import { TEST_SETTINGS } from '#test/test-deps.ts';

const rounds = Number(process.argv[2] ?? 1000);
const server = await startMigratedPostgres(undefined, []);
const database = openPostgres(await createPostgresDatabase(server.baseUrl), {
  connections: 25,
  onError: () => undefined,
});
try {
  const deps = { clock: systemClock, database, ids: systemIds, settings: TEST_SETTINGS };
  const random = seededRandom(11);
  const startedAtMs = systemClock.now();
  let overspent = 0;
  let underspent = 0;
  for (let round = 0; round < rounds; round += 1) {
    const affordable = 1 + Math.floor(random() * (PARALLEL_ORDERS - 1));
    const { accepted, balance, ordered } = await spendAtOnce(deps, round, affordable);
    const isExact = balance === 0 && ordered === affordable * LIKES_EACH;
    if (accepted > affordable) overspent += 1;
    else if (accepted < affordable || !isExact) underspent += 1;
    if ((round + 1) % 100 === 0) console.log(`${round + 1} rounds`);
  }
  const violations = [
    ...(await checkLedger(database.db)),
    ...(await checkCreditSources(database.db)),
  ];
  const seconds = Math.round((systemClock.now() - startedAtMs) / 1000);
  console.log(
    `${rounds} rounds of ${PARALLEL_ORDERS} orders at once in ${seconds} s: ${overspent} overspent, ` +
      `${underspent} short, ${violations.length} violations of I1, I2 and I6`,
  );
  if (overspent + underspent + violations.length > 0) process.exitCode = 1;
} finally {
  await database.close();
  await server.stop();
}
