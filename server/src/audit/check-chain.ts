import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { type AuditRow, auditHash, findHead, listLinks } from './audit.repository.ts';

/** So many links are in memory at once. */
const PAGE = 1000;

/** What was looked at, and what is wrong with it. */
interface CheckedChain {
  entries: number;
  from: Date | null;
  to: Date | null;
  /** Of the last entry, and by it of all of them. */
  hash: Buffer;
  problem: string | undefined;
}

/**
 * Whether every link of a workspace's audit chain carries the hash of what it says and of the link before it, without
 * a gap, and the chain ends where its head says.
 */
export async function checkChain(db: Db, workspaceId: WorkspaceId): Promise<CheckedChain> {
  // The head first: the chain may have grown by the time its links are read, never shrunk.
  const head = await findHead(db, workspaceId);
  let checked: CheckedChain = NOTHING;
  let headHash = NOTHING.hash;
  for (let links: AuditRow[] | undefined; links === undefined || links.length === PAGE;) {
    links = await listLinks(db, workspaceId, { after: checked.entries, limit: PAGE });
    for (const link of links) {
      const problem = linkProblem(link, checked);
      if (problem !== undefined) return { ...checked, problem };
      const hash = Buffer.from(link.hash);
      checked = { ...checked, entries: link.seq, from: checked.from ?? link.at, to: link.at, hash };
      if (link.seq === head?.seq) headHash = hash;
    }
  }
  return { ...checked, problem: headProblem(checked, head, headHash) };
}

const NOTHING: CheckedChain = {
  entries: 0,
  from: null,
  to: null,
  hash: Buffer.alloc(32),
  problem: undefined,
};

function linkProblem(link: AuditRow, before: CheckedChain): string | undefined {
  if (link.seq !== before.entries + 1) return `misses entry ${before.entries + 1}`;
  if (!before.hash.equals(link.previous_hash)) return `is broken before entry ${link.seq}`;
  return auditHash(link).equals(link.hash) ? undefined : `entry ${link.seq} was changed`;
}

function headProblem(
  { entries }: CheckedChain,
  head: { seq: number; hash: Buffer } | undefined,
  headHash: Buffer,
): string | undefined {
  if (!head) return entries === 0 ? undefined : 'has no head';
  if (head.seq > entries) return `ends at ${entries}, its head at ${head.seq}`;
  return headHash.equals(head.hash) ? undefined : 'its head has another hash';
}
