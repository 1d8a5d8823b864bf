import { createProviderClient } from '#server/adapters/provider/provider-client.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { createPlaceOrdersJob } from '#server/delivery/orders/place-orders.job.ts';
import {
  lockClaimedOrders,
  lockOrders,
} from '#server/delivery/orders/claimed-orders.repository.ts';
import { createPollOrdersJob } from '#server/delivery/orders/poll-orders.job.ts';
import { createLog } from '#server/kit/log.ts';
import { systemClock, systemIds, systemRandom } from '#server/main/system.ts';

/**
 * A worker process of the crash test: the product's two delivery jobs with a short lease and small
 * batches, the placing four times, so that somebody is there to take over while others wait for an answer.
 * With FENCE=off it is given a repository that locks its orders whoever has claimed them since.
 */
const env = (name: string): string => process.env[name] ?? '';

const now = (): number => systemClock.now();
const deps = {
  clock: systemClock,
  ids: systemIds,
  random: systemRandom,
  log: createLog('error', (line) => process.stderr.write(`${line}\n`), now),
  database: openPostgres(env('DATABASE_URL'), { connections: 6, onError: () => undefined }),
  provider: createProviderClient({
    providerUrl: env('PROVIDER_URL'),
    secret: env('PROVIDER_SECRET'),
    now,
  }),
};
const options = { leaseMs: Number(env('LEASE_MS')), batch: Number(env('BATCH')) };
/** Says how many orders an answer came too late for: what the fence keeps out. */
const lockClaimed: typeof lockClaimedOrders = async (tx, claims) => {
  const mine = await lockClaimedOrders(tx, claims);
  if (mine.length < claims.length) process.stdout.write(`late ${claims.length - mine.length}\n`);
  return env('FENCE') === 'off' ? lockOrders(tx, claims) : mine;
};

// Killed with the test that started it, even when that test could not do it any more.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.exit(1);
}, 1000).unref();

process.stdout.write('ready\n');
const { signal } = new AbortController();
const placing = Array.from({ length: 4 }, () =>
  createPlaceOrdersJob(deps, { ...options, lockClaimed }),
);
await Promise.all([...placing, createPollOrdersJob(deps, options)].map((job) => job.run(signal)));
