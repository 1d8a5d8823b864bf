import type { ClientReport, ReportFigures } from '#shared/domain/accounts/client-report.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { retentionOf } from '#shared/domain/delivery/like-pair.ts';
import { dayOf, daysOf, monthsOn, monthStartMs } from '#shared/domain/accounts/report-month.ts';
import type { Db } from '#server/kit/db/database.ts';
import {
  type ReportTimes,
  listReportAccounts,
  readDeliveryTimes,
  type SummedPosts,
  sumPosts,
} from './report.repository.ts';
import { drawInThread } from '#server/kit/pdf/pdf-thread.ts';

const DRAWER = new URL('report-pdf.ts', import.meta.url);

/** Whose report, and of when. */
interface ReportOf {
  workspaceId: WorkspaceId;
  client: { id: string; name: string } | null;
  month: string;
  timeZone: string;
}

/** Makes a report as the database stands; `nowMs` says until which day it has days. */
export async function makeReport(
  db: Db,
  { workspaceId, client, month, timeZone }: ReportOf,
  { nowMs, ...seen }: Pick<ClientReport, 'agency' | 'isDemoData'> & { nowMs: number },
): Promise<ClientReport> {
  const asked = {
    workspaceId,
    clientId: client?.id ?? null,
    from: new Date(monthStartMs(month, timeZone)),
    until: new Date(monthStartMs(monthsOn(month, 1), timeZone)),
    timeZone,
  };
  const [accounts, sums, times] = await Promise.all([
    listReportAccounts(db, asked),
    sumPosts(db, asked),
    readDeliveryTimes(db, asked),
  ]);
  const madeOn = dayOf(nowMs, timeZone);
  const byDay = new Map(sums.map((each) => [each.day, each]));
  const byAccount = new Map(sums.map((each) => [each.accountId, each]));
  const timesOf = new Map(times.map((each) => [each.accountId, each]));
  const all = sums.find(({ accountId, day }) => accountId === null && day === null);
  return {
    clientName: client?.name ?? null,
    ...seen,
    month,
    madeOn,
    timeZone,
    totals: figuresOf(all, timesOf.get(null)),
    unknownPosts: all?.unknown ?? 0,
    days: daysOf(month)
      .filter((day) => day <= madeOn)
      .map((day) => {
        const { posts = 0, organic = 0, delivered = 0 } = byDay.get(day) ?? {};
        return { day, posts, organic, delivered };
      }),
    accounts: accounts.map(({ id, ig_username: igUsername }) => ({
      igUsername,
      ...figuresOf(byAccount.get(id), timesOf.get(id)),
    })),
  };
}

function figuresOf(sums: SummedPosts | undefined, times: ReportTimes | undefined): ReportFigures {
  const { posts = 0, organic = 0, unknown = 0, delivered = 0 } = sums ?? {};
  const { countedDelivered = 0, lost = 0 } = sums ?? {};
  return {
    posts,
    organic: posts > 0 && unknown === posts ? null : organic,
    delivered,
    retention: retentionOf({ delivered: countedDelivered, lost }),
    halfSeconds: times?.halfSeconds ?? null,
    mostSeconds: times?.mostSeconds ?? null,
  };
}

/** A report as a PDF, drawn beside the thread that answers calls. The same report, the same bytes. */
export function printReport(
  report: ClientReport,
  workspaceId: WorkspaceId,
): Promise<Uint8Array<ArrayBuffer>> {
  return drawInThread(DRAWER, report, workspaceId);
}
