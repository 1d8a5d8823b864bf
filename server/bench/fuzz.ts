import { readFile } from 'node:fs/promises';
import { openEmbedded } from '#server/kit/db/embedded.ts';
import { runFuzz } from '#test/fuzz/run-fuzz.ts';
import { migratedImage } from '#test/databases/migrated-image.ts';

/**
 * `npm run fuzz [requests] [seed]`: requests made from the contract's schemas, valid and corrupted, to
 * every call (reliability.md). Ends with 1 where an answer isn't one the contract names.
 */
const requests = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const startedAt = performance.now();
console.log(`seed ${seed}, ${requests} requests`);

const database = await openEmbedded({ image: new Blob([await readFile(await migratedImage())]) });
const report = await runFuzz({
  seed,
  requests,
  database: { ...database, url: undefined },
  onProgress: (done) => {
    if (done % 5000 === 0) console.log(`${done} requests, ${elapsed()}`);
  },
});
for (const [path, statuses] of [...report.statuses].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const counts = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`);
  console.log(`${path}  ${counts.join(', ')}`);
}
for (const fault of report.faults) console.log(`\n${fault}`);
console.log(
  `${report.requests} requests, ${report.faults.length} faults, ${elapsed()}, seed ${seed}`,
);
// Not `exitCode`: with the embedded database the process was seen to end with 0 all the same.
process.exit(report.faults.length === 0 ? 0 : 1);

function elapsed(): string {
  return `${Math.round((performance.now() - startedAt) / 1000)} s`;
}
