import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import type { Deps } from '#server/kit/deps.ts';
import { createAuditNoticesJob } from '#server/audit/audit-notices.job.ts';
import { createChargeJanitorJob } from '#server/money/payments/charge-janitor.job.ts';
import { createDetachCardsJob } from '#server/money/cards/detach-cards.job.ts';
import { createSettleOrdersJob } from '#server/money/credits/settle-orders.job.ts';
import { createPlaceOrdersJob } from '#server/delivery/orders/place-orders.job.ts';
import { createPollOrdersJob } from '#server/delivery/orders/poll-orders.job.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { createDetectionJob } from '#server/network/detection/detection.job.ts';
import { createHistoryImportJob } from '#server/network/detection/history-import.job.ts';
import { createServiceCreditJob } from '#server/money/service-credit/service-credit.job.ts';
import { createPushJob } from '#server/identity/push/push.job.ts';
import { createSubscriptionsJob } from '#server/money/renewals/subscriptions.job.ts';
import { createSyncCleanUpJob } from '#server/replica/clean-up.job.ts';
import { createBulkJob } from '#server/use-cases/bulk/bulk.job.ts';
import { deleteOldOperations } from '#server/use-cases/bulk/bulk.repository.ts';
import { createExpiryJob } from '#server/use-cases/customers/expiry.job.ts';
import { createReportMailJob } from '#server/read-model/reports/report-mail.job.ts';
import { forgetSentPdfs } from '#server/read-model/reports/report-mail.repository.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createAlertDigestJob } from '#server/mail/alert-digest.job.ts';
import { createQueueJob } from '#server/mail/queue.job.ts';
import { createVacuumJob } from '#server/kit/jobs/vacuum.job.ts';
import { invariantsTick } from '#server/ops/invariants/check-all.ts';
import type { Violation } from '#server/ops/invariants/violation.ts';
import { deleteOldMails } from '#server/mail/owed-mail.repository.ts';
import type { Tick } from '#server/kit/jobs/job-queue.ts';

/** Everything a worker process does. */
export function allJobs(deps: Deps, onViolations: OnViolations): Job[] {
  const posts = servePosts(deps);
  return [
    createDetectionJob(deps, posts),
    createHistoryImportJob(deps, posts),
    createPlaceOrdersJob(deps),
    createPollOrdersJob(deps),
    createChargeJanitorJob(deps),
    createDetachCardsJob(deps),
    createSubscriptionsJob(deps),
    createServiceCreditJob(deps),
    createSettleOrdersJob(deps),
    createBulkJob(deps),
    createReportMailJob(deps),
    createPushJob(deps),
    createExpiryJob(deps),
    createSyncCleanUpJob(deps),
    createAuditNoticesJob(deps),
    createAlertDigestJob(deps),
    ...(deps.database.engine === 'pglite' ? [createVacuumJob(deps)] : []),
    createQueueJob(deps, allTicks(deps, onViolations)),
  ];
}

/** Runs jobs until the signal aborts and they have finished what they had begun. */
export async function runJobs(jobs: Job[], signal: AbortSignal): Promise<void> {
  await Promise.all(jobs.map((job) => job.run(signal)));
}

const KEEP_MAILS_MS = 30 * DAY_MS;
/** Longer than the queue tries the mail to it. */
const KEEP_DELETED_ADDRESS_MS = 3 * DAY_MS;
const KEEP_DRAFTS_MS = HOUR_MS;

/** Is told what each check of the invariants found, nothing included. */
type OnViolations = (found: readonly Violation[]) => void;

/** Everything done at fixed times. */
function allTicks(deps: Deps, onViolations: OnViolations): Tick[] {
  return [
    invariantsTick(deps, onViolations),
    {
      name: 'clean-up',
      cron: '23 * * * *',
      run: async () => {
        const ago = (ms: number): Date => new Date(deps.clock.now() - ms);
        await deleteOldMails(deps.database.db, ago(KEEP_MAILS_MS));
        await deleteOldMails(deps.database.db, ago(KEEP_DELETED_ADDRESS_MS), 'account_deleted');
        await forgetSentPdfs(deps.database.db, ago(KEEP_MAILS_MS));
        const old = { draftsBefore: ago(KEEP_DRAFTS_MS), doneBefore: ago(KEEP_MAILS_MS) };
        await deleteOldOperations(deps.database.db, old);
      },
    },
  ];
}
