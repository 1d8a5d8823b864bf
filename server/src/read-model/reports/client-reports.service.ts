import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type { downloadReport, findReport } from '#shared/contract/accounts/report.ts';
import { type ClientReport, reportFileName } from '#shared/domain/accounts/client-report.ts';
import { reportMonthOf } from '#shared/domain/accounts/report-month.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { findPerson } from '#server/identity/members/client-grant.repository.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findBudgetZone } from '#server/money/budgets/budget.repository.ts';
import { seenClients } from '#server/network/accounts/account-rights.ts';
import { listClients } from '#server/network/clients/client.repository.ts';
import { viewBrand } from './report-mail.service.ts';
import { makeReport, printReport } from './report.service.ts';

type ReportDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;
type Asked = Pick<CallParsed<typeof findReport>, 'clientId' | 'month'>;

/**
 * The report somebody asks for, of those they may see.
 * @throws ApiError `not_found`, `rate_limited`
 */
export async function showReport(
  deps: ReportDeps,
  session: Session,
  asked: Asked,
): Promise<CallData<typeof findReport>> {
  await limit(deps, { ...LIMITS.report, key: session.workspaceId });
  const { db } = deps.database;
  const { workspaceId } = session;
  const person = await findPerson(db, session);
  const seen = person ? seenClients(person) : [];
  const clients = await listClients(db, workspaceId, seen);
  const seesAll = seen === undefined;
  const clientId = asked.clientId === undefined ? firstOf(clients, seesAll) : asked.clientId;
  const client = clients.find(({ id }) => id === clientId?.toLowerCase()) ?? null;
  if (!client && (clientId !== null || !seesAll)) {
    throw new ApiError('not_found', 'This client is gone, or you don’t see their accounts.');
  }
  const timeZone = await findBudgetZone(db, workspaceId);
  const nowMs = deps.clock.now();
  const newestMonth = reportMonthOf(nowMs, timeZone);
  const { month = newestMonth } = asked;
  if (month > newestMonth) {
    throw new ApiError('not_found', 'This month hasn’t begun. Please choose an earlier one.');
  }
  const report = await makeReport(
    db,
    { workspaceId, client, month, timeZone },
    { nowMs, agency: await viewBrand(db, workspaceId), isDemoData: deps.settings.isSandbox },
  );
  return {
    clients: clients.map(({ id, name }) => ({ id, name })),
    seesAll,
    clientId: client?.id ?? null,
    newestMonth,
    report,
  };
}

const firstOf = (clients: ReadonlyArray<{ id: string }>, seesAll: boolean): string | null =>
  seesAll ? null : (clients[0]?.id ?? null);

/** @throws ApiError as `showReport` */
export async function downloadReportPdf(
  deps: ReportDeps,
  session: Session,
  asked: Asked,
): Promise<CallData<typeof downloadReport>> {
  const { report } = await showReport(deps, session, asked);
  const pdf = await printReport(report, session.workspaceId);
  return { fileName: fileNameOf(report), pdf: Buffer.from(pdf).toString('base64') };
}

const fileNameOf = (report: ClientReport): string => `${reportFileName(report)}.pdf`;
