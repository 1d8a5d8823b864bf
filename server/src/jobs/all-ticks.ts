import type { Deps } from '../deps.ts';
import { deleteOldMails } from '../features/mail/outbox.repository.ts';
import type { Tick } from './job-queue.ts';

const KEEP_MAILS_MS = 30 * 86_400_000;

/** Everything done at fixed times. */
export function allTicks(deps: Deps): Tick[] {
  return [
    {
      name: 'clean-up',
      cron: '23 * * * *',
      run: () => deleteOldMails(deps.database.db, new Date(deps.clock.now() - KEEP_MAILS_MS)),
    },
  ];
}
