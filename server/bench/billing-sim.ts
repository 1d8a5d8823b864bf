import { availableParallelism } from 'node:os';
import type { BillingSimReport } from '#test/billing-sim/run-billing-sim.ts';
import {
  createPostgresDatabase,
  startMigratedPostgres,
} from '#test/databases/migrated-postgres.ts';
import { bundled } from '#test/processes/bundled.ts';
import { runLane } from './run-lane.ts';

/**
 * `npm run sim:billing [customers] [days] [seed] [lanes]`: customers over simulated years on a Postgres
 * of its own, spread over lanes that run side by side. Ends with 1 where a lane's gateway book and ours
 * differ by a cent or an invariant is violated.
 */
const customers = Number(process.argv[2] ?? 10_000);
const days = Number(process.argv[3] ?? 1096);
const seed = Number(process.argv[4] ?? Date.now() % 1_000_000_000);
// A lane waits for its database half of the time.
const lanes = Math.min(customers, Number(process.argv[5] ?? 2 * availableParallelism()));

/** For a hundred million short statements: tables that stay in memory, few checkpoints. */
const OFTEN_ASKED = [
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=1h',
  'track_activities=off',
].flatMap((setting) => ['-c', setting]);
/** Where the server listens besides its port: a statement that goes past the network computes less. */
const SOCKETS = '/tmp';

const startedAt = performance.now();
console.log(`seed ${seed}, ${customers} customers, ${days} days, ${lanes} lanes`);
const server = await startMigratedPostgres(undefined, OFTEN_ASKED);
const reports = await Promise.all(Array.from({ length: lanes }, (_, lane) => simulateLane(lane)));
await server.stop();
tell(reports);

async function simulateLane(lane: number): Promise<BillingSimReport> {
  const share = Math.floor(customers / lanes) + (lane < customers % lanes ? 1 : 0);
  const url = new URL(await createPostgresDatabase(server.baseUrl));
  url.searchParams.set('host', SOCKETS);
  const args = [url.href, share, days, seed + lane];
  return runLane(
    `Lane ${lane} (seed ${seed + lane})`,
    { file: await bundled('server/bench/billing-lane.ts'), args },
    ({ day }: { kind: 'day'; day: number }) =>
      console.log(`lane ${lane}: day ${day}, ${elapsed()}`),
  );
}

function tell(all: readonly BillingSimReport[]): void {
  const counts = new Map<string, number>();
  for (const [what, times] of all.flatMap((report) => Object.entries(report.counts))) {
    counts.set(what, (counts.get(what) ?? 0) + times);
  }
  for (const what of [...counts.keys()].sort()) console.log(`${what}: ${counts.get(what)}`);
  const violations = all.flatMap((report) => report.violations);
  for (const violation of violations) console.log(violation);
  const sum = (of: (report: BillingSimReport) => number): number =>
    all.reduce((total, report) => total + of(report), 0);
  const charges = `${sum((r) => r.charges)} charges, ${sum((r) => r.refunds)} with refunds`;
  const orders = `${sum((r) => r.orders)} orders of likes`;
  console.log(`${charges}, ${orders}, ${violations.length} violations, ${elapsed()}, seed ${seed}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

function elapsed(): string {
  return `${Math.round((performance.now() - startedAt) / 1000)} s`;
}
