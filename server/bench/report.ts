import type { ClientReport } from '#shared/domain/accounts/client-report.ts';
import { daysOf } from '#shared/domain/accounts/report-month.ts';
import { printReport } from '#server/read-model/reports/report.service.ts';

/**
 * `npm run bench:report [accounts]`: how long the PDF of a client's month takes (500 accounts), three times, and by how
 * much the process that prints it grows. Ends with 1 above a limit, which are those of 500; fewer are printed once.
 */
const MANY = 500;
const LIMIT_MS = 2000;
const LIMIT_MB = 150;
const EVERY_MS = 10;
const accounts = Number(process.argv[2] ?? MANY);
const ROUNDS = accounts >= MANY ? 3 : 1;
const month = '2026-10';
const report: ClientReport = {
  clientName: 'Alder Bakery',
  agency: null,
  month,
  madeOn: '2026-11-23',
  totals: {
    posts: 1234,
    organic: 5_678_901,
    delivered: 34_567,
    retention: 0.98,
    halfSeconds: 41,
    mostSeconds: 3725,
  },
  unknownPosts: 3,
  days: daysOf(month).map((day, nth) => ({ day, posts: nth, organic: 1000, delivered: 2000 })),
  accounts: Array.from({ length: accounts }, (_, nth) => ({
    igUsername: `alder.bakery.${nth}`,
    posts: nth,
    organic: 10_000 + nth,
    delivered: 20_000 + nth,
    retention: nth / accounts,
    halfSeconds: nth,
    mostSeconds: 3600 + nth,
  })),
};

const megabytes = (): number => process.memoryUsage().rss / 1e6;
const before = megabytes();
let peak = before;
const times: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const sampling = setInterval(() => (peak = Math.max(peak, megabytes())), EVERY_MS);
  const startedAt = performance.now();
  await printReport(report, 'bench');
  times.push(performance.now() - startedAt);
  clearInterval(sampling);
}
const slowest = Math.max(...times);
const grown = peak - before;
const list = times.map((ms) => Math.round(ms)).join(', ');
process.stdout.write(
  `${accounts} accounts: ${list} ms (limit ${LIMIT_MS}), ${Math.round(grown)} MB more than before (limit ${LIMIT_MB})\n`,
);
process.exitCode = accounts >= MANY && (slowest > LIMIT_MS || grown > LIMIT_MB) ? 1 : 0;
