import type { Hono } from 'hono';
import { POLICY_REPORTS_PATH } from '#shared/domain/words/content-policy.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import { parseJson } from '#server/adapters/http/json-body.ts';
import { limit, limitAll, LIMITS } from '#server/identity/limits/rate-limit.ts';
import type { Deps } from '#server/kit/deps.ts';
import { readBody } from '#server/kit/http/request-body.ts';
import '#server/kit/http/request-context.ts';
import { countReport } from './policy-report.repository.ts';
import { readPolicyReports } from './read-policy-reports.ts';

const MAX_BYTES = 16 * 1024;

/**
 * `POST /content-policy/reports`: what browsers kept out of our pages. Anybody can send them, so they are
 * told as what somebody's browser says: counted by kind, bounded, and shown to the operator.
 */
export function registerPolicyReportRoutes(
  app: Hono,
  deps: Pick<Deps, 'clock' | 'database' | 'log' | 'settings'>,
): void {
  app.post(POLICY_REPORTS_PATH, async (c) => {
    const reports = readPolicyReports(parse(await readBody(c.req.raw, MAX_BYTES)));
    if (reports.length === 0) return c.body(null, 204);
    await limitAll(deps, usesByAddress(LIMITS.policyReport, c.get('address')));
    await limit(deps, { ...LIMITS.policyReports, key: '' });
    for (const report of reports) {
      const now = new Date(deps.clock.now());
      if (!(await countReport(deps.database.db, report, now))) continue;
      deps.log.warn('content policy broken', { code: report.directive, path: report.page });
    }
    return c.body(null, 204);
  });
}

/** A report is nothing anybody waits for: what isn't one is passed over. */
function parse(body: string): unknown {
  return body.includes('\\u0000') ? undefined : parseJson(body);
}
