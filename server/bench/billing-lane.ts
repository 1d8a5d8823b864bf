import { PreparingClient } from './preparing-client.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { runBillingSim } from '#test/billing-sim/run-billing-sim.ts';

/**
 * One lane of `npm run sim:billing`, a process of its own: its customers, clock, database and gateway
 * have nothing to do with another lane's. Answers its report to the process that started it.
 */
const [url = '', customers, days, seed] = process.argv.slice(2);
const database = openPostgres(url, { onError: () => undefined, Client: PreparingClient });
const report = await runBillingSim({
  seed: Number(seed),
  customers: Number(customers),
  days: Number(days),
  stepDays: 1,
  actEveryDays: 60,
  database: { ...database, url },
  onDay: (day) => {
    if (day % 30 === 0) process.send?.({ kind: 'day', day });
  },
});
process.send?.({ kind: 'report', report });
process.disconnect();
