import { reportFileName, reportTitle } from '#shared/domain/accounts/client-report.ts';
import { monthsOn } from '#shared/domain/accounts/report-month.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { findBudgetZone } from '#server/money/budgets/budget.repository.ts';
import { findClient } from '#server/network/clients/client.repository.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { listReportAddresses } from './report-address.repository.ts';
import { makeReport, printReport } from './report.service.ts';
import {
  advanceReportMail,
  claimReportMails,
  insertSentReport,
  type ReportMailRow,
} from './report-mail.repository.ts';
import { dueAtOf, viewBrand } from './report-mail.service.ts';

const IDLE_MS = MINUTE_MS;
const BATCH = 5;
/** Longer than five reports take to make and draw, one after the other. */
const LEASE_MS = 300_000;

type ReportDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'settings'>;

/** Mails the reports of months that are over. */
export function createReportMailJob(deps: ReportDeps): Job {
  return createLoop(deps, { name: 'reports', idleMs: IDLE_MS, round: () => runReports(deps) });
}

/**
 * One round.
 *
 *   due ──claimed──> leased ──one transaction──> the month is sent, its mails are owed, the next month is due later
 *    ^                 │
 *    └── lease over ───┘   the worker died: nothing was written
 *
 * A month is sent once: its row's key says so, also to a worker that was overtaken.
 */
export async function runReports(deps: ReportDeps): Promise<Round> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: BATCH });
  const claims = await claimReportMails(deps.database.db, lease);
  for (const claim of claims) {
    try {
      await sendReport(deps, claim);
    } catch (error) {
      deps.log.error('report not mailed', { reason: claim.id, error });
    }
  }
  return claims.length === BATCH ? 'again' : 'idle';
}

async function sendReport(deps: ReportDeps, claim: ReportMailRow): Promise<void> {
  const { workspace_id: workspaceId, client_id: clientId, month } = claim;
  const { db } = deps.database;
  const client = clientId === null ? null : await findClient(db, workspaceId, clientId);
  if (client === undefined) return;
  const timeZone = await findBudgetZone(db, workspaceId);
  const nowMs = deps.clock.now();
  const agency = await viewBrand(db, workspaceId);
  const of = { workspaceId, client, month, timeZone };
  const report = await makeReport(db, of, { nowMs, agency, isDemoData: deps.settings.isSandbox });
  const pdf = Buffer.from(await printReport(report, workspaceId));
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    const next = monthsOn(month, 1);
    const due_at = new Date(dueAtOf(next, timeZone));
    const mail = await advanceReportMail(tx, claim, { month: next, due_at });
    if (!mail) return;
    const wanting = (await listReportAddresses(tx, workspaceId)).flatMap(
      ({ email, confirmed_at }) => (confirmed_at ? [email] : []),
    );
    const readers = [
      ...mail.user_ids.map((userId) => ({ userId })),
      ...mail.addresses.filter((each) => wanting.includes(each)).map((address) => ({ address })),
    ];
    // Nothing of a client in the archive; it goes on with the month in which it is back.
    if (client?.archived_at || readers.length === 0) return;
    const isFirst = await insertSentReport(tx, {
      workspace_id: workspaceId,
      report_id: claim.id,
      month,
      client_id: clientId,
      at: now,
      title: reportTitle(report),
      agency: agency?.name ?? null,
      file_name: `${reportFileName(report)}.pdf`,
      pdf,
    });
    if (!isFirst) return;
    for (const reader of readers) {
      const payload = { kind: 'client_report' as const, reportId: claim.id, month, ...reader };
      await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
    }
  });
}
