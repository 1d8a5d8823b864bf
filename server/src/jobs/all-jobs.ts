import type { Deps } from '../deps.ts';
import { createAuditNoticesJob } from '../features/audit/audit-notices.job.ts';
import { createChargeJanitorJob } from '../features/billing/charge-janitor.job.ts';
import { createDetachCardsJob } from '../features/billing/detach-cards.job.ts';
import { createCreditsJob } from '../features/credits/credits.job.ts';
import { createDeliveryJob } from '../features/delivery/delivery.job.ts';
import { createProgressJob } from '../features/delivery/progress.job.ts';
import { createDetectionJob } from '../features/detection/detection.job.ts';
import { createHistoryImportJob } from '../features/detection/history-import.job.ts';
import { createFairClockJob } from '../features/fair-clock/fair-clock.job.ts';
import { createPushJob } from '../features/push/push.job.ts';
import { createSubscriptionsJob } from '../features/subscriptions/subscriptions.job.ts';
import { createSyncCleanUpJob } from '../features/sync/clean-up.job.ts';
import { createExpiryJob } from '../features/users/expiry.job.ts';
import { allTicks, type Watch } from './all-ticks.ts';
import type { Job } from './job.ts';
import { createQueueJob } from './queue.job.ts';
import { createVacuumJob } from './vacuum.job.ts';

/** Everything a worker process does. */
export function allJobs(deps: Deps, watch: Watch): Job[] {
  return [
    createDetectionJob(deps),
    createHistoryImportJob(deps),
    createDeliveryJob(deps),
    createProgressJob(deps),
    createChargeJanitorJob(deps),
    createDetachCardsJob(deps),
    createSubscriptionsJob(deps),
    createFairClockJob(deps),
    createCreditsJob(deps),
    createPushJob(deps),
    createExpiryJob(deps),
    createSyncCleanUpJob(deps),
    createAuditNoticesJob(deps),
    ...(deps.database.engine === 'pglite' ? [createVacuumJob(deps)] : []),
    createQueueJob(deps, allTicks(deps, watch)),
  ];
}

/** Runs jobs until the signal aborts and they have finished what they had begun. */
export async function runJobs(jobs: Job[], signal: AbortSignal): Promise<void> {
  await Promise.all(jobs.map((job) => job.run(signal)));
}
