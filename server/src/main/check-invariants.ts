import { runEntry } from './entry.ts';
import { checkInvariants } from '#server/ops/invariants/check-all.ts';
import { INVARIANTS } from '#server/ops/invariants/violation.ts';
import { findSilence } from '#server/ops/invariants/overdue.ts';
import { StartError } from '#server/kit/start-error.ts';
import { startOwnSandbox } from './start/sandbox-process.ts';
import { wire } from './wire.ts';

/**
 * `npm run check:invariants`: checks everything from the beginning, prints what is wrong and exits with 1
 * when anything is. With the embedded database stop the product first; its outside world is started here.
 */
await runEntry(
  async (config) => {
    const { deps, close } = await wire(config);
    const outside = await startOwnSandbox(config);
    try {
      const now = new Date(deps.clock.now());
      const silence = await findSilence(deps.database.db, now);
      // On Postgres nodes should be running, so what they leave undone is late all the same.
      const isAtRest = config.databaseUrl === undefined;
      if (silence) process.stdout.write(`${silenceWords(silence.since, isAtRest)}\n`);
      const found = await checkInvariants(deps, new Date(0), isAtRest ? silence : undefined);
      for (const { invariant, subject, problem } of found) {
        process.stdout.write(`${invariant}  ${subject}: ${problem}\n`);
      }
      if (found.length > 0) throw new StartError(`${found.length} violations`);
      process.stdout.write(`${INVARIANTS.join(', ')} hold.\n`);
    } finally {
      await outside?.stop();
      await close();
    }
  },
  { logLevel: 'warn' },
);

function silenceWords(since: Date, isAtRest: boolean): string {
  const told = `No account has been checked since ${since.toISOString()}`;
  return isAtRest
    ? `${told}: the product was stopped, so that time doesn’t make anything late.`
    : `${told}: is a worker running?`;
}
