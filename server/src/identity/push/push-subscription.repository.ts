import { sql } from 'kysely';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';
import type { PushTarget } from '#server/adapters/push/push-sender.ts';
import { claimDue } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { liveSessionIds } from '../sessions/session.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.repository.ts';

/** Where the subscription of one browser stands. */
interface OfSession {
  workspaceId: WorkspaceId;
  userId: string;
  sessionId: string;
}

/** A subscription whose turn it is. */
export interface DuePush extends PushTarget {
  workspaceId: WorkspaceId;
  sessionId: string;
  orderIds: OrderId[];
  /** This one included. */
  attempts: number;
}

/** So many browsers of one customer are told; the oldest goes. */
const SUBSCRIPTIONS_LIMIT = 10;
/** More orders than these are not told one by one in any case. */
const PENDING_LIMIT = 100;

export async function hasSubscription(
  db: Db,
  { workspaceId, sessionId }: OfSession,
): Promise<boolean> {
  const row = await db
    .selectFrom('push_subscription')
    .select('session_id')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Keeps where a browser is reached, instead of where it was; a browser belongs to its newest session.
 * @throws ApiError `session_ended`: the customer has been deleted
 */
export async function saveSubscription(
  tx: Tx,
  { workspaceId, userId, sessionId }: OfSession,
  target: PushTarget,
  now: Date,
): Promise<void> {
  const { endpoint, p256dh, auth } = target;
  await lockWorkspace(tx, workspaceId);
  await tx.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute();
  await deleteSubscription(tx, { workspaceId, sessionId });
  await tx
    .insertInto('push_subscription')
    .values({
      workspace_id: workspaceId,
      session_id: sessionId,
      endpoint,
      p256dh,
      auth,
      created_at: now,
    })
    .execute();
  await sql`
    delete from push_subscription where workspace_id = ${workspaceId} and session_id in (
      select p.session_id from push_subscription p
      join session s on s.workspace_id = p.workspace_id and s.id = p.session_id
      where p.workspace_id = ${workspaceId} and s.user_id = ${userId}
      order by p.created_at desc, p.session_id desc offset ${SUBSCRIPTIONS_LIMIT})`.execute(tx);
}

export async function deleteSubscription(
  db: Db,
  { workspaceId, sessionId }: Pick<OfSession, 'workspaceId' | 'sessionId'>,
): Promise<void> {
  await db
    .deleteFrom('push_subscription')
    .where('workspace_id', '=', workspaceId)
    .where('session_id', '=', sessionId)
    .execute();
}

/** Sweeps up those whose sessions are over; they were told nothing since. */
export async function deleteDeadSubscriptions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('push_subscription')
    .where('session_id', 'not in', liveSessionIds(db, now))
    .execute();
}

/** Owes the browsers of members with all clients news of these orders; part of the transaction that ends them. */
export async function owePushes(
  tx: Tx,
  orders: ReadonlyArray<{ workspace_id: WorkspaceId; id: string }>,
  now: Date,
): Promise<void> {
  if (orders.length === 0) return;
  const ended = JSON.stringify(
    orders.map(({ workspace_id: workspace, id }) => ({ workspace, id })),
  );
  await sql`
    with ended as (
      select workspace, array_agg(id) as ids
      from jsonb_to_recordset(${ended}::text::jsonb) as o(workspace uuid, id uuid) group by workspace),
    told as (
      select p.workspace_id, p.session_id, ended.ids from push_subscription p
      join ended on ended.workspace = p.workspace_id
      join session s on s.workspace_id = p.workspace_id and s.id = p.session_id
      join membership m on m.workspace_id = p.workspace_id and m.user_id = s.user_id and m.all_clients
      order by p.workspace_id, p.session_id for update of p)
    update push_subscription p
      set pending_order_ids = (told.ids || p.pending_order_ids)[1:${sql.lit(PENDING_LIMIT)}],
        next_attempt_at = coalesce(p.next_attempt_at, ${now})
      from told where p.workspace_id = told.workspace_id and p.session_id = told.session_id`.execute(
    tx,
  );
}

/**
 * Takes subscriptions whose turn it is. Each is due again after a wait that doubles, whatever becomes of the
 * attempt: who takes it may be killed.
 */
export function claimDuePushes(
  db: Db,
  { now, waitMs, limit }: { now: Date; waitMs: number; limit: number },
): Promise<DuePush[]> {
  return claimDue(
    db,
    {
      table: 'push_subscription',
      due: 'next_attempt_at',
      now,
      limit,
      leaseUntil: sql`${now}::timestamptz + ${waitMs} * power(2, t.attempts) * interval '1 ms'`,
      where: sql`t.session_id in (${liveSessionIds(db, now)})`,
      set: sql`attempts = t.attempts + 1`,
    },
    sql<DuePush>`t.workspace_id as "workspaceId", t.session_id as "sessionId", t.endpoint, t.p256dh,
      t.auth, t.pending_order_ids as "orderIds", t.attempts`,
  );
}

/** These orders are told, or given up; what has ended meanwhile is due at once. */
export async function settlePush(db: Db, push: DuePush, now: Date): Promise<void> {
  await sql`
    update push_subscription p set attempts = 0, pending_order_ids = rest.ids,
      next_attempt_at = case when cardinality(rest.ids) > 0 then ${now}::timestamptz end
    from (
      select array(select unnest(pending_order_ids) except select unnest(${push.orderIds}::uuid[])) as ids
      from push_subscription
      where workspace_id = ${push.workspaceId} and session_id = ${push.sessionId} for update) rest
    where p.workspace_id = ${push.workspaceId} and p.session_id = ${push.sessionId}`.execute(db);
}
