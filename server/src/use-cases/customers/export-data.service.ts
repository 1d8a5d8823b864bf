import { may } from '#shared/domain/people/may.ts';
import type { Deps } from '#server/kit/deps.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { readEverything } from './export-data.repository.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';

/**
 * Everything kept about the customer, and about the workspace they own, as one document.
 * @throws ApiError `rate_limited`
 */
export async function exportData(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  session: Session,
): Promise<Record<string, unknown>> {
  const { workspaceId, userId: actor } = session;
  await limit(deps, { ...LIMITS.dataExport, key: actor });
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) =>
    appendAudit(tx, { workspaceId, actor, action: 'data_exported', now }),
  );
  // Only the owner's export has the workspace's rows; `team` is a right that only the owner has.
  const isOwners = may(session, 'team');
  const { sections, cutOff } = await readEverything(deps.database.db, {
    ...session,
    workspaceId: isOwners ? workspaceId : undefined,
  });
  return { exportedAt: now.toISOString(), ...sections, cutOff };
}
