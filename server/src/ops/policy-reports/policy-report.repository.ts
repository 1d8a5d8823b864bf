import { DAY_MS } from '#shared/domain/durations.ts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import type { PolicyReportTable } from '#server/kit/db/tables/policy-report.table.ts';
import type { PolicyReport } from './read-policy-reports.ts';

const KEPT_MS = 30 * DAY_MS;
/** Kinds, all together; whoever forges reports can't fill the disk. */
export const KINDS_LIMIT = 500;
/** Beyond it the count says no more. */
const TIMES_MAX = 1_000_000;

/**
 * Counts a report under its kind; of a new one there may be 500, kept for 30 days since they were last told.
 * @returns whether the kind is new
 */
export async function countReport(db: Db, report: PolicyReport, now: Date): Promise<boolean> {
  const { directive, blocked, page, source } = report;
  const parts = JSON.stringify([directive, blocked, page, source]);
  const key = createHash('sha256').update(parts).digest('base64url').slice(0, 22);
  const old = new Date(now.getTime() - KEPT_MS);
  await db.deleteFrom('policy_report').where('last_at', '<', old).execute();
  const { rows } = await sql<{ times: number }>`
    insert into policy_report (key, directive, blocked, page, source, first_at, last_at)
    select ${key}, ${directive}, ${blocked}, ${page}, ${source}, ${now}, ${now}
    where (select count(*) from policy_report) < ${KINDS_LIMIT}
      or exists (select from policy_report where key = ${key})
    on conflict (key) do update
      set last_at = excluded.last_at, times = least(policy_report.times + 1, ${TIMES_MAX})
    returning times`.execute(db);
  return rows[0]?.times === 1;
}

/** What was reported, the newest first. */
export function listReports(
  db: Db,
): Promise<Array<Omit<PolicyReportTable, 'key' | 'times'> & { times: number }>> {
  return db
    .selectFrom('policy_report')
    .select(['directive', 'blocked', 'page', 'source', 'times', 'first_at', 'last_at'])
    .orderBy('last_at', 'desc')
    .orderBy('key')
    .limit(KINDS_LIMIT)
    .execute();
}
