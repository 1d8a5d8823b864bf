import type { Db } from '#server/kit/db/database.ts';
import { checkChain } from '#server/audit/check-chain.ts';
import type { Violation } from './violation.ts';

/** I10: every workspace's audit chain is whole. */
export async function checkAuditChain(db: Db): Promise<Violation[]> {
  const heads = await db.selectFrom('audit_head').select('workspace_id').execute();
  const workspaces = await db.selectFrom('audit_event').select('workspace_id').distinct().execute();
  const ids = new Set([...heads, ...workspaces].map((row) => row.workspace_id));
  const found: Violation[] = [];
  for (const id of ids) {
    const { problem } = await checkChain(db, id);
    if (problem === undefined) continue;
    found.push({ invariant: 'I10', subject: `audit log of ${id}`, problem });
  }
  return found;
}
