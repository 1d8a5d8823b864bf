import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { appendAudit, type AuditEntry } from './audit.repository.ts';
import { listNoticedWorkspaces, type AuditNotice, takeNotices } from './audit-notice.repository.ts';

const EVERY_MS = MINUTE_MS;
const WORKSPACE_LIMIT = 200;
/** More of them in a round are an attack: counted, no longer told one by one. */
export const NOTICES_EACH = 50;

type NoticeDeps = Pick<Deps, 'clock' | 'database' | 'log'>;

/** Brings what strangers did into the audit log, a minute later at most. */
export function createAuditNoticesJob(deps: NoticeDeps): Job {
  return createLoop(deps, {
    name: 'audit-notices',
    idleMs: EVERY_MS,
    round: async () => ((await keepNotices(deps)) === WORKSPACE_LIMIT ? 'again' : 'idle'),
  });
}

/** One round; the number of chains that grew. Rounds of several nodes at once come to the same. */
export async function keepNotices({ database }: Pick<Deps, 'database'>): Promise<number> {
  const workspaceIds = await listNoticedWorkspaces(database.db, WORKSPACE_LIMIT);
  for (const workspaceId of workspaceIds) {
    await database.transaction(async (tx) => {
      const notices = await takeNotices(tx, workspaceId, NOTICES_EACH);
      for (const notice of notices) await appendAudit(tx, entryOf(workspaceId, notice));
    });
  }
  return workspaceIds.length;
}

function entryOf(
  workspaceId: WorkspaceId,
  { at, actor, action, subject, more }: AuditNotice,
): AuditEntry {
  const told = more > 0 ? `and ${more} more` : (subject ?? undefined);
  return { workspaceId, actor, action, subject: told, now: at };
}
