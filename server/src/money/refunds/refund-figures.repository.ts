import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { MoneyBackFacts, MoneyBackOrder } from '#shared/domain/money/money-back.ts';
import type { Db } from '#server/kit/db/database.ts';
import { keptOfCharge } from '../charges/refund.repository.ts';
import { hasPaid } from '../credits/ledger.repository.ts';
import type { SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';

/** What has been charged for plans and is still ours: less what goes back or is disputed. */
const keptCents = (where: ReturnType<typeof sql>) => sql`
  select i.subscription_id as id, sum(${keptOfCharge})::int as cents
  from invoice i join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id
  where c.state = 'succeeded' and ${where} group by i.subscription_id`;

/** The most that money back can return for each of these subscriptions, in cents. */
export async function listKeptCents(
  db: Db,
  workspaceId: WorkspaceId,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (subscriptionIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; cents: number }>`
    ${keptCents(sql`i.workspace_id = ${workspaceId} and i.subscription_id = any(${subscriptionIds}::uuid[])`)}
  `.execute(db);
  return new Map(rows.map(({ id, cents }) => [id, Math.max(0, cents)]));
}

/** What was charged for a subscription and its automatic orders, oldest first. */
export async function readPlanUse(
  db: Db,
  { workspaceId, subscriptionId }: SubscriptionKey,
): Promise<Pick<MoneyBackFacts, 'chargedCents' | 'orders'>> {
  const kept = await listKeptCents(db, workspaceId, [subscriptionId]);
  const { rows: orders } = await sql<MoneyBackOrder>`
    select ordered, delivered, finished_at is not null as "isFinal",
      plan_price_cents as "planPriceCents", plan_likes as "planLikes", period_days as "periodDays"
    from like_order where workspace_id = ${workspaceId} and subscription_id = ${subscriptionId}
      and kind = 'automatic'
    order by detected_at, id`.execute(db);
  return { chargedCents: kept.get(subscriptionId) ?? 0, orders };
}

/** Credits that a subscription has brought, which its money back takes. */
export interface GivenCredits {
  /** Returned for likes its orders fell short of, less what a dispute of its payments has taken. */
  orderCredits: number;
  /** The sign-up bonus, where no other payment unlocks it. */
  bonusCredits: number;
  balance: number;
}

export async function readGivenCredits(
  db: Db,
  { workspaceId, subscriptionId }: SubscriptionKey,
): Promise<GivenCredits> {
  const { rows } = await sql<GivenCredits>`
    select greatest(0, coalesce((select sum(t.credits) from ledger_transaction t
        join like_order o on o.workspace_id = t.workspace_id and o.id = t.order_id
        where t.workspace_id = w.id and t.kind = 'shortfall'
          and o.subscription_id = ${subscriptionId}), 0)
        + coalesce((select sum(t.credits) from ledger_transaction t
        join charge c on c.workspace_id = t.workspace_id and c.id = t.charge_id
        join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
        where t.workspace_id = w.id and t.kind = 'dispute'
          and i.subscription_id = ${subscriptionId}), 0))::int as "orderCredits",
      case when ${hasPaid(workspaceId, subscriptionId)} then 0
        else coalesce(b.bonus, 0) end::int as "bonusCredits",
      coalesce(b.balance, 0)::int as balance
    from workspace w left join credit_balance b on b.workspace_id = w.id
    where w.id = ${workspaceId}`.execute(db);
  return rows[0] ?? { orderCredits: 0, bonusCredits: 0, balance: 0 };
}
