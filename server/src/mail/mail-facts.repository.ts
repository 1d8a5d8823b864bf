import { sql } from 'kysely';
import { CARD_BRAND_NAMES } from '#shared/domain/money/card.ts';
import { PLAN_KINDS } from '#shared/domain/accounts/bulk.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import type { Person, Role } from '#shared/domain/people/may.ts';
import { selectCharges } from '#server/kit/db/select-charges.ts';
import type { Db } from '#server/kit/db/database.ts';
import { personName, ofFirstOwner, OWN_ROW } from '#server/kit/db/people.ts';
import { isCustomersSide, reasonSentence } from '#shared/domain/delivery/order-reasons.ts';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';
import type { ChargeFacts, SubscriptionFacts } from './billing-mails.ts';
import type { DeliveredFacts, OrderFacts } from './order-mails.ts';
import type { OperationFacts, ProposalFacts } from './team-mails.ts';

interface RowKey {
  workspaceId: WorkspaceId;
  id: string;
}

/** The person a mail goes to; without `userId` the workspace's first owner. */
export function findRecipient(
  db: Db,
  workspaceId: WorkspaceId,
  userId: string | undefined,
): Promise<{ email: string } | undefined> {
  let query = db
    .selectFrom('membership')
    .innerJoin('app_user', (join) =>
      join
        .onRef('app_user.workspace_id', '=', 'membership.home_workspace_id')
        .onRef('app_user.id', '=', 'membership.user_id'),
    )
    .select('app_user.email')
    .where('membership.workspace_id', '=', workspaceId);
  if (userId === undefined) query = query.where('membership.role', '=', 'Owner');
  else query = query.where('membership.user_id', '=', userId);
  return query
    .orderBy('membership.created_at')
    .orderBy('membership.id')
    .limit(1)
    .executeTakeFirst();
}

/** Whom an invitation is for; undefined when it isn't open any more. */
export function findInvited(
  db: Db,
  { workspaceId, id }: RowKey,
): Promise<{ email: string; role: Role } | undefined> {
  return db
    .selectFrom('invitation')
    .select(['email', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

export async function findSubscriptionFacts(
  db: Db,
  { workspaceId, id }: RowKey,
): Promise<SubscriptionFacts | undefined> {
  const row = await db
    .selectFrom('subscription')
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'subscription.workspace_id')
        .onRef('account.id', '=', 'subscription.account_id'),
    )
    .select(['account.ig_username', 'subscription.package', 'subscription.time_zone'])
    .where('subscription.workspace_id', '=', workspaceId)
    .where('subscription.id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      igUsername: row.ig_username,
      likes: findPlan(row.package)?.description ?? '',
      timeZone: row.time_zone,
    }
  );
}

/** A charge with its card; the zone is the customer's. */
export async function findChargeFacts(
  db: Db,
  { workspaceId, id }: RowKey,
): Promise<ChargeFacts | undefined> {
  const row = await selectCharges(db)
    .leftJoin('credits_transaction', (join) =>
      join
        .onRef('credits_transaction.workspace_id', '=', 'charge.workspace_id')
        .onRef('credits_transaction.charge_id', '=', 'charge.id'),
    )
    .select([
      'charge.amount_cents',
      'charge.created_at',
      'charge.settled_at',
      'invoice.description',
      'card.brand',
      'card.last_digits',
      'credits_transaction.ig_username',
    ])
    .select(ofFirstOwner('time_zone', sql`charge.workspace_id`).as('time_zone'))
    .where('charge.workspace_id', '=', workspaceId)
    .where('charge.id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      description: row.description,
      igUsername: row.ig_username,
      amountCents: row.amount_cents,
      brand: CARD_BRAND_NAMES[row.brand],
      // As everywhere: all but the last three are hidden.
      lastDigits: row.last_digits.slice(-3),
      paidAt: row.settled_at ?? row.created_at,
      timeZone: row.time_zone ?? 'UTC',
      chargeId: id,
    }
  );
}

export async function findOrderFacts(
  db: Db,
  { workspaceId, id }: RowKey,
): Promise<OrderFacts | undefined> {
  const row = await db
    .selectFrom('like_order')
    .innerJoin('account', (join) =>
      join
        .onRef('account.workspace_id', '=', 'like_order.workspace_id')
        .onRef('account.id', '=', 'like_order.account_id'),
    )
    .select([
      'account.ig_username',
      'like_order.ordered',
      'like_order.bonus',
      'like_order.delivered',
      'like_order.reason',
      'like_order.kind',
    ])
    .where('like_order.workspace_id', '=', workspaceId)
    .where('like_order.id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      igUsername: row.ig_username,
      ordered: row.ordered + row.bonus,
      delivered: row.delivered,
      reason: row.reason === null ? undefined : reasonSentence(row.reason),
      returns:
        row.kind === 'credit' ? 'credits' : isCustomersSide(row.reason) ? 'nothing' : 'value',
    }
  );
}

/** Whether somebody wants a mail when likes were delivered. */
export async function wantsLikesDelivered(
  db: Db,
  { workspaceId, userId }: { workspaceId: WorkspaceId; userId: string },
): Promise<boolean> {
  const choice = await db
    .selectFrom('user_preference')
    .select('likes_done_mail')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return choice?.likes_done_mail === true;
}

/** Those of these orders whose accounts somebody sees now. */
export async function listSeenOrders(
  db: Db,
  { workspaceId, userId }: { workspaceId: WorkspaceId; userId: string },
  orderIds: readonly OrderId[],
): Promise<OrderId[]> {
  const { rows } = await sql<{ id: OrderId }>`
    select o.id from like_order o
      join account a on a.workspace_id = o.workspace_id and a.id = o.account_id
      join membership m on m.workspace_id = o.workspace_id and m.user_id = ${userId}
      where o.workspace_id = ${workspaceId} and o.id = any(${orderIds}::uuid[])
        and (m.all_clients or exists (select from client_grant g where g.workspace_id = m.workspace_id
          and g.user_id = m.user_id and g.client_id = a.client_id))`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of orders that were delivered; undefined when they are gone. */
export async function findDelivered(
  db: Db,
  { workspaceId, orderIds }: { workspaceId: WorkspaceId; orderIds: readonly OrderId[] },
): Promise<DeliveredFacts | undefined> {
  const { rows } = await sql<DeliveredFacts>`
    select array_agg(distinct a.ig_username) as "igUsernames", count(distinct o.post_id)::int as posts,
      sum(o.ordered)::int as ordered, sum(o.bonus)::int as bonus, sum(o.delivered)::int as delivered,
      ceil(extract(epoch from max(o.finished_at - o.detected_at)) * 1000)::int as "tookMs",
      min(o.post_id) as "postId"
    from like_order o
    join account a on a.workspace_id = o.workspace_id and a.id = o.account_id
    where o.workspace_id = ${workspaceId} and o.id = any(${orderIds}::uuid[])
    having count(*) > 0`.execute(db);
  return rows[0];
}

/** As what somebody works in a workspace now, without single clients; undefined: not any more. */
export function findPerson(
  db: Db,
  { workspaceId, userId }: { workspaceId: WorkspaceId; userId: string },
): Promise<Person | undefined> {
  return db
    .selectFrom('membership')
    .select(['role', 'all_clients as allClients'])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Changes that somebody has proposed, as they stand now. */
export async function findProposalFacts(
  db: Db,
  { workspaceId, id }: RowKey,
): Promise<ProposalFacts | undefined> {
  const { rows } = await sql<ProposalFacts>`
    select o.state, u.name as by, o.refusal, count(i.position)::int as changes,
      coalesce(sum(i.today_cents), 0)::int as "todayCents",
      coalesce(sum(i.month_cents), 0)::int as "monthCents"
    from bulk_operation o
      join membership m on m.workspace_id = o.workspace_id and m.user_id = o.started_by
      ${OWN_ROW}
      join bulk_item i on i.workspace_id = o.workspace_id and i.operation_id = o.id
    where o.workspace_id = ${workspaceId} and o.id = ${id}
    group by o.state, o.refusal, u.name`.execute(db);
  return rows[0];
}

/** Changes of many accounts that have ended; undefined where none of them is about a plan. */
export async function findOperationFacts(
  db: Db,
  { workspaceId, id }: RowKey,
): Promise<OperationFacts | undefined> {
  const { rows } = await sql<OperationFacts & { isPlans: boolean }>`
    select o.undo_of is not null as "isUndo", ${personName('o.started_by')} as by,
      count(*) filter (where i.outcome = 'done')::int as done,
      count(*) filter (where i.outcome = 'done' and i.change->>'kind' = 'begin')::int as begun,
      count(*) filter (where i.outcome in ('failed', 'refused') and i.code is distinct from 'stopped')::int as failed,
      count(*) filter (where i.outcome = 'failed' and i.code = 'stopped')::int as stopped,
      sum(i.charged_cents)::int as "chargedCents",
      coalesce(sum(i.month_cents) filter (where i.outcome = 'done'), 0)::int as "monthCents",
      bool_or(i.change->>'kind' = any(${PLAN_KINDS}::text[])) as "isPlans"
    from bulk_operation o
      join bulk_item i on i.workspace_id = o.workspace_id and i.operation_id = o.id
    where o.workspace_id = ${workspaceId} and o.id = ${id}
    group by o.workspace_id, o.id`.execute(db);
  const [facts] = rows;
  return facts?.isPlans ? facts : undefined;
}

/** Whether a charge is told of with the others of its operation; one that was listed as open isn't. */
export async function isToldWithMany(
  db: Db,
  workspaceId: WorkspaceId,
  chargeId: string | undefined,
): Promise<boolean> {
  if (chargeId === undefined) return false;
  const row = await db
    .selectFrom('bulk_item')
    .select('position')
    .where('workspace_id', '=', workspaceId)
    .where('attempt_id', '=', chargeId)
    .where('outcome', 'in', ['waiting', 'done'])
    .executeTakeFirst();
  return row !== undefined;
}
