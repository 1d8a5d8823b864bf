import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { type AuditRow, auditHash } from '#server/audit/audit.repository.ts';
import type { Violation } from './violation.ts';

/**
 * I10: every link of every workspace's audit chain carries the hash of what it says and of the link before
 * it, without a gap, and the chain ends where its head says.
 */
export async function checkAuditChain(db: Db): Promise<Violation[]> {
  // Heads first: a chain may have grown by the time its links are read, never shrunk.
  const heads = await db.selectFrom('audit_head').selectAll().execute();
  const workspaces = await db.selectFrom('audit_event').select('workspace_id').distinct().execute();
  const headOf = new Map(heads.map((head) => [head.workspace_id, head]));
  const ids = new Set([...headOf.keys(), ...workspaces.map((row) => row.workspace_id)]);
  const found: Violation[] = [];
  for (const id of ids) {
    const links = await listLinks(db, id);
    const problem = chainProblem(links) ?? headProblem(links, headOf.get(id));
    if (problem === undefined) continue;
    found.push({ invariant: 'I10', subject: `audit log of ${id}`, problem });
  }
  return found;
}

function listLinks(db: Db, workspaceId: WorkspaceId): Promise<AuditRow[]> {
  return db
    .selectFrom('audit_event')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('seq')
    .execute();
}

function chainProblem(links: readonly AuditRow[]): string | undefined {
  let before = Buffer.alloc(32);
  for (const [index, link] of links.entries()) {
    if (link.seq !== index + 1) return `misses entry ${index + 1}`;
    if (!before.equals(link.previous_hash)) return `is broken before entry ${link.seq}`;
    if (!auditHash(link).equals(link.hash)) return `entry ${link.seq} was changed`;
    before = Buffer.from(link.hash);
  }
  return undefined;
}

function headProblem(
  links: readonly AuditRow[],
  head: { seq: number; hash: Buffer } | undefined,
): string | undefined {
  if (!head) return 'has no head';
  if (head.seq === 0) return undefined;
  const link = links[head.seq - 1];
  if (!link) return `ends at ${links.length}, its head at ${head.seq}`;
  return Buffer.from(link.hash).equals(head.hash) ? undefined : 'its head has another hash';
}
