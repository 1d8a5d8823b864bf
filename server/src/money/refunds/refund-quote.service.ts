import { isUnended } from '#shared/domain/money/subscription-state.ts';
import type { MoneyBackQuote } from '#shared/contract/money/subscription.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { getAccountByUsername } from '#server/network/accounts/account.repository.ts';
import {
  listSubscriptions,
  type SubscriptionRow,
} from '../subscriptions/subscription.repository.ts';
import { hasOpenDispute } from '../cards/disputed-card.repository.ts';
import type { AccountName } from '../cancellation/cancellation.service.ts';
import {
  hasEarlierRefundRight,
  hasFreeLikes,
  listMoneyReturned,
} from '../subscriptions/refund-right.repository.ts';
import { moneyBackUntil } from '../subscriptions/subscription-clock.ts';
import { keyOf, type SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';
import {
  moneyBack,
  type MoneyBackFacts,
  type MoneyBackOrder,
  type MoneyBackRange,
} from '#shared/domain/money/money-back.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { sql } from 'kysely';
import { keptOfCharge } from '../charges/refund.repository.ts';
import { hasPaid } from '../credits/ledger.repository.ts';

/**
 * What money back for the newest plan of an account would return now.
 * @throws ApiError `not_found`, `money_back_over`, `payment_disputed`
 */
export async function quoteRefund(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  { workspaceId, igUsername }: AccountName,
): Promise<MoneyBackQuote> {
  const { db } = deps.database;
  const account = await getAccountByUsername(db, workspaceId, igUsername);
  const [row] = await listSubscriptions(db, workspaceId, [account.id]);
  if (!row) throw new ApiError('not_found', `@${igUsername} has no plan.`);
  const until = moneyBackUntil(row);
  if (deps.clock.now() > until.getTime()) throw daysOver();
  if ((await listMoneyReturned(db, deps, [row])).has(row.id)) throw returnedBefore(row, igUsername);
  const now = new Date(deps.clock.now());
  if (await hasOpenDispute(db, workspaceId)) throw disputedFirst();
  if (await hasEarlierRefundRight(db, deps, row, now)) throw earlierFirst(row);
  const { least, most, facts, takenCredits } = await readRefundFigures(db, deps, keyOf(row));
  return {
    least: dollarsFromCents(least.cents),
    most: dollarsFromCents(most.cents),
    until: until.toISOString(),
    charged: dollarsFromCents(facts.chargedCents),
    hasFreeLikes: facts.hasFreeLikes,
    paidLikes: least.paidLikes,
    likesCost: dollarsFromCents(least.likesCents),
    takenCredits,
    usedCredits: facts.usedCredits,
    creditsCost: dollarsFromCents(least.creditsCents),
  };
}

export function daysOver(): ApiError {
  return new ApiError(
    'money_back_over',
    'You can get your money back in the first 30 days of a new plan. Those are over, but you can stop the plan anytime.',
  );
}

export function returnedBefore(row: SubscriptionRow, igUsername: string): ApiError {
  return new ApiError(
    'money_back_over',
    `You’ve already asked for money back for @${igUsername}. That’s possible once per account.${orStop(row)}`,
  );
}

export function earlierFirst(row: SubscriptionRow): ApiError {
  return new ApiError(
    'money_back_over',
    `You can still get your money back for another plan on this account.${orStop(row)}`,
  );
}

export function disputedFirst(): ApiError {
  return new ApiError(
    'payment_disputed',
    'One of your payments is disputed at your bank. We can’t return any money until that’s decided. Please ask again then.',
  );
}

function orStop({ state }: SubscriptionRow): string {
  return isUnended(state) ? ' You can stop the plan anytime.' : '';
}

/** What money back gives, and what it takes: the same for the quote and the request. */
interface RefundFigures extends MoneyBackRange {
  facts: MoneyBackFacts;
  given: GivenCredits;
  /** Credits that leave the balance; the others given are spent or held, and cost money. */
  takenCredits: number;
}

/** @param isFree whether its cards have their free likes; asked of the books where not given */
export async function readRefundFigures(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  key: SubscriptionKey,
  isFree?: boolean,
): Promise<RefundFigures> {
  const given = await readGivenCredits(db, key);
  const givenCredits = given.orderCredits + given.bonusCredits;
  const takenCredits = Math.min(given.balance, givenCredits);
  const facts = {
    ...(await readPlanUse(db, key)),
    hasFreeLikes: isFree ?? (await hasFreeLikes(db, deps, key)),
    usedCredits: givenCredits - takenCredits,
  };
  return { ...moneyBack(facts), facts, given, takenCredits };
}

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
interface GivenCredits {
  /** Returned for likes its orders fell short of, less what a dispute of its payments has taken. */
  orderCredits: number;
  /** The sign-up bonus, where no other payment unlocks it. */
  bonusCredits: number;
  balance: number;
}

async function readGivenCredits(
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
