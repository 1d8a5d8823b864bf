import { sql } from 'kysely';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { LikeOrderRow, OrderKey } from './like-order.repository.ts';
import type { Ids } from '#server/kit/deps.ts';
import { oweLikesDelivered } from '#server/mail/likes-delivered.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { owePushes } from '#server/identity/push/push-subscription.repository.ts';
import type { Advanced } from './advance-order.ts';

/** Names an order; `fence` is the one its claim was made under. */
export type Claim = Pick<LikeOrderRow, 'workspace_id' | 'id' | 'fence'>;

/**
 * Due orders that are to be placed. On the first attempt the spread is moved on by as much as the start was
 * delayed; start and end are what the provider will be told, so they are in the database before the call
 * and stay the same for every repetition of it.
 */
export function claimOrdersToPlace(db: Db, lease: Lease): Promise<LikeOrderRow[]> {
  const now = sql`${lease.now}::timestamptz`;
  return claimDue(
    db,
    {
      ...lease,
      table: 'like_order',
      due: 'next_attempt_at',
      where: sql`t.state = 'Pending' and not t.cancel_requested`,
      set: sql`${RAISE_FENCE}, attempts = t.attempts + 1, attempted_at = ${now},
        start_at = case when t.attempts = 0 then greatest(t.start_at, ${now}) else t.start_at end,
        finish_by = case when t.attempts = 0
          then t.finish_by + (greatest(t.start_at, ${now}) - t.start_at) else t.finish_by end`,
    },
    sql<LikeOrderRow>`t.*`,
  );
}

/** A claimed order, and since when it was due. */
export type DueOrder = LikeOrderRow & { dueAt: Date };

/** Due orders that the provider is to be asked about, or that are to be stopped. */
export function claimOrdersToPoll(db: Db, lease: Lease): Promise<DueOrder[]> {
  return claimDue(
    db,
    {
      ...lease,
      table: 'like_order',
      due: 'next_attempt_at',
      where: sql`t.state in ('Processing', 'In progress')
        or t.state = 'Pending' and t.cancel_requested`,
      set: RAISE_FENCE,
    },
    sql<LikeOrderRow>`t.*`,
  );
}

/** The keys of the orders with these refs; refs nobody knows are missing. */
export function listOrderKeys(db: Db, refs: readonly string[]): Promise<OrderKey[]> {
  if (refs.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('like_order')
    .select(['workspace_id', 'id'])
    .where('id', 'in', refs)
    .execute();
}

/** Locks orders, always in the same sequence so that two batches can't block each other. */
export function lockOrders(tx: Tx, keys: readonly OrderKey[]): Promise<LikeOrderRow[]> {
  if (keys.length === 0) return Promise.resolve([]);
  return tx
    .selectFrom('like_order')
    .selectAll()
    .where((eb) =>
      eb(
        eb.refTuple('workspace_id', 'id'),
        'in',
        keys.map(({ workspace_id, id }) => eb.tuple(workspace_id, id)),
      ),
    )
    .orderBy('workspace_id')
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * **The fence.** Locks those of the claimed orders that nobody has claimed or moved since: whoever comes
 * back late finds its orders missing here and stores nothing.
 */
export async function lockClaimedOrders(tx: Tx, claims: readonly Claim[]): Promise<LikeOrderRow[]> {
  const fences = new Map(claims.map(({ id, fence }) => [id, fence]));
  const rows = await lockOrders(tx, claims);
  return rows.filter(({ id, fence }) => fences.get(id) === fence);
}

/** Stores what can change of locked orders, in one statement. */
export async function storeOrders(tx: Tx, orders: readonly LikeOrderRow[]): Promise<void> {
  if (orders.length === 0) return;
  await sql`
    update like_order as o set
      state = n.state, reason = n.reason, start_count = n.start_count, delivered = n.delivered,
      views_delivered = n.views_delivered, remains = n.remains, provider_seq = n.provider_seq,
      known_at = n.known_at,
      start_at = n.start_at, finish_by = n.finish_by, started_at = n.started_at,
      finished_at = n.finished_at, next_attempt_at = n.next_attempt_at, fence = n.fence
    from jsonb_to_recordset(${JSON.stringify(orders)}::text::jsonb) as n (
      workspace_id uuid, id uuid, state text, reason text, start_count integer, delivered integer,
      views_delivered integer, remains integer, provider_seq integer, known_at timestamptz,
      start_at timestamptz,
      finish_by timestamptz, started_at timestamptz, finished_at timestamptz,
      next_attempt_at timestamptz, fence integer)
    where o.workspace_id = n.workspace_id and o.id = n.id`.execute(tx);
}

/** Stores locked orders, records what happened to them and owes the mails about it. */
export async function storeAdvanced(
  tx: Tx,
  ids: Ids,
  advanced: readonly Advanced[],
  at: Date,
): Promise<void> {
  await storeOrders(
    tx,
    advanced.map(({ order }) => order),
  );
  const events = advanced.flatMap(({ order, events: kinds }) =>
    kinds.map((kind) => ({
      workspace_id: order.workspace_id,
      order_id: order.id,
      id: ids.uuid(),
      kind,
      fence: order.fence,
      at,
    })),
  );
  for (const { order, events: kinds } of advanced) {
    if (order.state !== 'Partial' || !kinds.includes('finished')) continue;
    const { workspace_id: workspaceId, id } = order;
    // Under the order's id: an order ends once, and owes one mail at most.
    await insertMail(tx, {
      workspaceId,
      id,
      payload: { kind: 'order_partly_delivered', orderId: id },
      now: at,
    });
  }
  const done = advanced
    .filter(({ order, events: kinds }) => order.state === 'Completed' && kinds.includes('finished'))
    .map(({ order }) => order);
  await oweLikesDelivered(tx, ids, done, at);
  await owePushes(tx, done, at);
  if (events.length > 0) await tx.insertInto('order_event').values(events).execute();
}
