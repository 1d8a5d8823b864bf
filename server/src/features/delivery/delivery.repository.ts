import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { LikeOrderRow } from '../orders/like-order.repository.ts';

/** Names an order; `fence` is the one its claim was made under. */
export type Claim = Pick<LikeOrderRow, 'workspace_id' | 'id' | 'fence'>;
type OrderKey = Pick<LikeOrderRow, 'workspace_id' | 'id'>;

interface ClaimRequest {
  now: Date;
  /** Nobody settles the order by then: it is due again. */
  leaseUntil: Date;
  limit: number;
}

/**
 * Takes due orders that are to be placed, in one statement. On the first attempt the spread is moved on by
 * as much as the start was delayed; start and end are what the provider will be told, so they are in the
 * database before the call and stay the same for every repetition of it.
 */
export async function claimOrdersToPlace(db: Db, claim: ClaimRequest): Promise<LikeOrderRow[]> {
  const { now } = claim;
  const { rows } = await sql<LikeOrderRow>`
    with due as materialized (
      select workspace_id, id from like_order
      where next_attempt_at <= ${now}::timestamptz and state = 'Pending' and not cancel_requested
      order by next_attempt_at limit ${claim.limit} for update skip locked)
    update like_order as o set
      fence = o.fence + 1,
      attempts = o.attempts + 1,
      attempted_at = ${now}::timestamptz,
      next_attempt_at = ${claim.leaseUntil}::timestamptz,
      start_at = case when o.attempts = 0 then greatest(o.start_at, ${now}::timestamptz)
        else o.start_at end,
      finish_by = case when o.attempts = 0
        then o.finish_by + (greatest(o.start_at, ${now}::timestamptz) - o.start_at)
        else o.finish_by end
    from due where o.workspace_id = due.workspace_id and o.id = due.id
    returning o.*`.execute(db);
  return rows;
}

/** A claimed order, and since when it was due. */
export type DueOrder = LikeOrderRow & { due_at: Date };

/** Takes due orders that the provider is to be asked about, or that are to be stopped. */
export async function claimOrdersToPoll(db: Db, claim: ClaimRequest): Promise<DueOrder[]> {
  const { rows } = await sql<DueOrder>`
    with due as materialized (
      select workspace_id, id, next_attempt_at as due_at from like_order
      where next_attempt_at <= ${claim.now}::timestamptz
        and (state in ('Processing', 'In progress') or state = 'Pending' and cancel_requested)
      order by next_attempt_at limit ${claim.limit} for update skip locked)
    update like_order as o set
      fence = o.fence + 1,
      next_attempt_at = ${claim.leaseUntil}::timestamptz
    from due where o.workspace_id = due.workspace_id and o.id = due.id
    returning o.*, due.due_at`.execute(db);
  return rows;
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
