import { sql } from 'kysely';
import type { CardBrand } from '#shared/domain/card.ts';
import { findPlan } from '#shared/domain/plans.ts';
import type { Db } from '../../db/database.ts';
import { subscriptionsWithAccounts } from '../billing/subscription.repository.ts';
import { isCustomersSide, reasonSentence } from '../orders/reasons.ts';
import type { ChargeFacts, SubscriptionFacts } from './billing-mails.ts';
import type { DeliveredFacts, OrderFacts } from './order-mails.ts';

interface InWorkspace {
  workspaceId: string;
  id: string;
}

/** The person a mail goes to; without `userId` the workspace's first. */
export function findRecipient(
  db: Db,
  workspaceId: string,
  userId: string | undefined,
): Promise<{ email: string } | undefined> {
  let query = db
    .selectFrom('app_user')
    .select('email')
    .where('app_user.workspace_id', '=', workspaceId);
  if (userId !== undefined) query = query.where('app_user.id', '=', userId);
  return query.orderBy('app_user.created_at').orderBy('app_user.id').limit(1).executeTakeFirst();
}

export async function findSubscriptionFacts(
  db: Db,
  { workspaceId, id }: InWorkspace,
): Promise<SubscriptionFacts | undefined> {
  const row = await subscriptionsWithAccounts(db)
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
  { workspaceId, id }: InWorkspace,
): Promise<ChargeFacts | undefined> {
  const row = await db
    .selectFrom('charge')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.workspace_id', '=', 'charge.workspace_id')
        .onRef('invoice.id', '=', 'charge.invoice_id'),
    )
    .innerJoin('card', (join) =>
      join
        .onRef('card.workspace_id', '=', 'charge.workspace_id')
        .onRef('card.id', '=', 'charge.card_id'),
    )
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
    .select(
      sql<string | null>`(select time_zone from app_user where app_user.workspace_id
        = charge.workspace_id order by created_at limit 1)`.as('time_zone'),
    )
    .where('charge.workspace_id', '=', workspaceId)
    .where('charge.id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      description: row.description,
      igUsername: row.ig_username,
      amountCents: row.amount_cents,
      brand: BRANDS[row.brand],
      // As everywhere: all but the last three are hidden.
      lastDigits: row.last_digits.slice(-3),
      paidAt: row.settled_at ?? row.created_at,
      timeZone: row.time_zone ?? 'UTC',
      chargeId: id,
    }
  );
}

const BRANDS: Record<CardBrand, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
};

export async function findOrderFacts(
  db: Db,
  { workspaceId, id }: InWorkspace,
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

/** Of orders that were delivered; undefined when they are gone. */
export async function findDelivered(
  db: Db,
  { workspaceId, orderIds }: { workspaceId: string; orderIds: readonly string[] },
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
