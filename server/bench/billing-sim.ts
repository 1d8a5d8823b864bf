import { sql } from 'kysely';
import { migrate } from '#server/db/migrate.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { runBillingSim } from '#test/billing-sim.ts';
import { startPostgres } from '#test/postgres-server.ts';

/**
 * `npm run sim:billing [customers] [days] [seed]`: customers over simulated years on a Postgres of its
 * own. Ends with 1 where the gateway's book and ours differ by a cent.
 */
const customers = Number(process.argv[2] ?? 10_000);
const days = Number(process.argv[3] ?? 1096);
const seed = Number(process.argv[4] ?? Date.now() % 1_000_000_000);
const startedAt = performance.now();
console.log(`seed ${seed}, ${customers} customers, ${days} days`);

const server = await startPostgres();
const admin = openPostgres(`${server.baseUrl}/postgres`, { onError: () => undefined });
await sql`create database billing`.execute(admin.db);
await admin.close();
const url = `${server.baseUrl}/billing`;
const database = openPostgres(url, { onError: () => undefined });
await migrate(database);
const report = await runBillingSim({
  seed,
  customers,
  days,
  stepDays: 1,
  database: { ...database, url },
  onDay: (day) => {
    if (day % 30 === 0) console.log(`day ${day}, ${elapsed()}`);
  },
});
await server.stop();
for (const what of Object.keys(report.counts).sort())
  console.log(`${what}: ${report.counts[what]}`);
for (const violation of report.violations) console.log(violation);
console.log(
  `${report.charges} charges, ${report.refunds} with refunds, ${report.violations.length} violations, ${elapsed()}, seed ${seed}`,
);
process.exitCode = report.violations.length === 0 ? 0 : 1;

function elapsed(): string {
  return `${Math.round((performance.now() - startedAt) / 1000)} s`;
}
