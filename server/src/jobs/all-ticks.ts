import type { Deps } from '../deps.ts';
import { invariantsTick } from '../features/invariants/invariants.tick.ts';
import type { Violation } from '../features/invariants/violation.ts';
import { deleteOldMails } from '../features/mail/outbox.repository.ts';
import type { Tick } from './job-queue.ts';

const KEEP_MAILS_MS = 30 * 86_400_000;

/** Who is told what was found. */
export interface Watch {
  invariantsChecked: (found: readonly Violation[]) => void;
}

/** Everything done at fixed times. */
export function allTicks(deps: Deps, watch: Watch): Tick[] {
  return [
    invariantsTick(deps, watch.invariantsChecked),
    {
      name: 'clean-up',
      cron: '23 * * * *',
      run: () => deleteOldMails(deps.database.db, new Date(deps.clock.now() - KEEP_MAILS_MS)),
    },
  ];
}
