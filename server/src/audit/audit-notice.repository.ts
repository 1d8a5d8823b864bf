import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Settings } from '#server/kit/settings.ts';
import type { AuditAction, AuditEntry } from './audit.repository.ts';

/**
 * Notes what somebody did who hasn't shown who they are. One statement without any chain's lock: it takes
 * as long for a customer's address as for nobody's, however many there are at once. `keepNotices` brings it
 * into the chain.
 */
export async function logAudit(db: Db, entry: AuditEntry): Promise<void> {
  const { workspaceId: workspace_id, actor, action, subject = null, now: at } = entry;
  await db
    .insertInto('audit_notice')
    .values({ workspace_id, at, actor, action, subject })
    .execute();
}

/** Names an e-mail address without telling it; the same address has the same name. */
export function auditedEmail({ appSecret }: Pick<Settings, 'appSecret'>, email: string): string {
  const hash = createHmac('sha256', appSecret).update(`audit-email:${email}`).digest('base64url');
  return `email:${hash.slice(0, 22)}`;
}

/** Workspaces with notices, at most `limit`. */
export async function listNoticedWorkspaces(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_notice')
    .select('workspace_id')
    .distinct()
    .orderBy('workspace_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.workspace_id);
}

export interface AuditNotice {
  at: Date;
  actor: string;
  action: AuditAction;
  subject: string | null;
  /** 0; or this line stands for that many. */
  more: number;
}

/**
 * Takes the notices of a workspace away, in their order: the oldest `limit` one by one, the others as a
 * line for each action that says how many there were. Whatever an attacker sends, few lines come back.
 */
export async function takeNotices(
  tx: Tx,
  workspaceId: WorkspaceId,
  limit: number,
): Promise<AuditNotice[]> {
  const { rows } = await sql<AuditNotice>`
    with taken as (
      delete from audit_notice where workspace_id = ${workspaceId} returning *
    ), numbered as (
      select *, row_number() over (order by seq) as place from taken
    )
    select at, actor, action, subject, 0 as more, seq from numbered where place <= ${limit}
    union all
    select max(at), 'system', action, null, count(*)::int, max(seq) from numbered
      where place > ${limit} group by action
    order by seq`.execute(tx);
  return rows;
}
