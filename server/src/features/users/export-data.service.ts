import type { Deps } from '../../deps.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { readEverything } from './export-data.repository.ts';
import type { Session } from './session.service.ts';

/**
 * Everything kept about the customer and their workspace, as one document.
 * @throws ApiError `rate_limited`
 */
export async function exportData(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  session: Session,
): Promise<Record<string, unknown>> {
  const { workspaceId, userId: actor } = session;
  await limit(deps, { ...LIMITS.dataExport, key: workspaceId });
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) =>
    appendAudit(tx, { workspaceId, actor, action: 'data_exported', now }),
  );
  const { sections, cutOff } = await readEverything(deps.database.db, workspaceId);
  return { exportedAt: now.toISOString(), ...sections, cutOff };
}
