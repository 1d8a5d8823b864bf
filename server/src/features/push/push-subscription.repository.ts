import { sql } from 'kysely';
import type { PushTarget } from '../../adapters/push/push-sender.ts';
import type { Db, Tx } from '../../db/database.ts';
import { liveSessionIds } from '../users/session.repository.ts';
import { lockWorkspace } from '../users/workspace-lock.ts';

/** Where the subscription of one browser stands. */
export interface OfSession {
  workspaceId: string;
  userId: string;
  sessionId: string;
}

/** A subscription whose turn it is. */
export interface DuePush extends PushTarget {
  workspaceId: string;
  sessionId: string;
  orderIds: string[];
  /** This one included. */
  attempts: number;
}

/** So many browsers of one customer are told; the oldest goes. */
export const SUBSCRIPTIONS_MOST = 10;
/** More orders than these are not told one by one in any case. */
const PENDING_MOST = 100;

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
      order by p.created_at desc, p.session_id desc offset ${SUBSCRIPTIONS_MOST})`.execute(tx);
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

/** Owes the browsers of these customers news of their orders; part of the transaction that ends the orders. */
export async function owePushes(
  tx: Tx,
  orders: ReadonlyArray<{ workspace_id: string; id: string }>,
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
      order by p.workspace_id, p.session_id for update of p)
    update push_subscription p
      set pending_order_ids = (told.ids || p.pending_order_ids)[1:${sql.lit(PENDING_MOST)}],
        next_attempt_at = coalesce(p.next_attempt_at, ${now})
      from told where p.workspace_id = told.workspace_id and p.session_id = told.session_id`.execute(
    tx,
  );
}

/**
 * Takes subscriptions whose turn it is. Each is due again after a wait that doubles, whatever becomes of the
 * attempt: who takes it may be killed.
 */
export async function claimDue(
  db: Db,
  { now, waitMs, most }: { now: Date; waitMs: number; most: number },
): Promise<DuePush[]> {
  const { rows } = await sql<DuePush>`
    with due as materialized (
      select workspace_id, session_id from push_subscription
      where next_attempt_at <= ${now} and session_id in (${liveSessionIds(db, now)})
      order by next_attempt_at limit ${most} for update skip locked)
    update push_subscription p
      set attempts = p.attempts + 1,
        next_attempt_at = ${now}::timestamptz + ${waitMs} * power(2, p.attempts) * interval '1 ms'
      from due where p.workspace_id = due.workspace_id and p.session_id = due.session_id
      returning p.workspace_id as "workspaceId", p.session_id as "sessionId", p.endpoint, p.p256dh,
        p.auth, p.pending_order_ids as "orderIds", p.attempts`.execute(db);
  return rows;
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
