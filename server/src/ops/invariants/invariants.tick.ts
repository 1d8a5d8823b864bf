import type { Deps } from '#server/kit/deps.ts';
import type { Tick } from '#server/kit/jobs/job-queue.ts';
import {
  type ReadGatewayDeps,
  readGatewayWhenDue,
} from '#server/money/disputes/read-gateway.service.ts';
import { checkInvariants } from './check-all.ts';
import { findSilence } from './overdue.ts';
import type { Violation } from './violation.ts';

/** How far back the hourly check compares with the books outside; the command goes back to the beginning. */
const LOOK_BACK_MS = 3 * 86_400_000;

/** Checks every hour that nothing is what it must never be; each finding is an error in the log. */
export function invariantsTick(
  deps: ReadGatewayDeps & Pick<Deps, 'provider'>,
  observe: (found: readonly Violation[]) => void,
): Tick {
  const upSince = new Date(deps.clock.now());
  return {
    name: 'invariants',
    cron: '7 * * * *',
    run: async () => {
      const since = new Date(deps.clock.now() - LOOK_BACK_MS);
      // What happened there in the last minute is no difference of the books.
      await readGatewayWhenDue(deps);
      // Right after a start the silence before it may not be written down yet.
      const silence = await findSilence(deps.database.db, upSince);
      const found = await checkInvariants(deps, since, silence);
      observe(found);
      for (const { invariant, subject, problem } of found) {
        deps.log.error('invariant violated', { code: invariant, reason: `${subject}: ${problem}` });
      }
    },
  };
}
