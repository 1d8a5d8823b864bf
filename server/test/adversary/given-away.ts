import { sql } from 'kysely';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { MONEY_BACK_FREE_LIKES } from '#shared/domain/money/money-back.ts';
import { advanceCents } from './advances.ts';
import { listDisputedValue } from './disputed-value.ts';
import type { Player } from './game.ts';
import { CREDIT_CENTS, likeCents } from './wealth.ts';
import type { BookedOrder, World } from './world.ts';

/** What D5 and D7 give a player on purpose, in cents, each with its reason. */
export interface GivenAway {
  reason: string;
  cents: number;
}

/** Of every player, by the number of the game: what was granted in this very game, not what could be. */
export async function listGivenAway(world: World): Promise<GivenAway[][]> {
  const gifts = await readGifts(world);
  const plans = await readPlans(world);
  const paidUntil = await readLastPayments(world);
  const disputed = await listDisputedValue(world);
  const byPlayer = Map.groupBy(world.book.values(), ({ player }) => player);
  return world.players.map((player) => {
    const orders = byPlayer.get(player) ?? [];
    const own = plans.filter(({ workspaceId }) => world.byWorkspace.get(workspaceId) === player);
    return [
      ...listGifts(world, player, gifts),
      { reason: 'used before the bank took it back', cents: disputed.get(player) ?? 0 },
      { reason: 'bonus likes on an order', cents: sum(orders, bonusCents) },
      { reason: 'first likes before money back', cents: freeLikesCents(world, own, orders) },
      { reason: 'a day in advance of a payment', cents: advanceCents(orders, paidUntil) },
      { reason: 'a cent rounded for an order', cents: 0.4 * orders.length + own.length },
    ].filter(({ cents }) => cents > 0);
  });
}

function sum<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((total, each) => total + of(each), 0);
}

interface Gift {
  workspaceId: string;
  kind: 'bonus' | 'pack';
  credits: number;
}

/**
 * Packs that stayed paid, and sign-up credits; these are none where all that was paid went back as money
 * back.
 */
async function readGifts({ deps }: World): Promise<Gift[]> {
  const { rows } = await sql<Gift>`
    select t.workspace_id as "workspaceId", t.kind, t.credits from ledger_transaction t
    where t.kind = 'pack' and not exists (select from dispute d
        where d.workspace_id = t.workspace_id and d.charge_id = t.charge_id and d.state = 'lost')
      or t.kind = 'bonus' and (
      not exists (select from refund_request m where m.workspace_id = t.workspace_id)
      or exists (select from charge c
        join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
        where c.workspace_id = t.workspace_id and c.state = 'succeeded' and not c.is_returned
          and not exists (select from refund_request m
            where m.workspace_id = i.workspace_id and m.subscription_id = i.subscription_id)))
  `.execute(deps.database.db);
  return rows;
}

function listGifts(world: World, player: Player, gifts: readonly Gift[]): GivenAway[] {
  const own = gifts.filter(({ workspaceId }) => world.byWorkspace.get(workspaceId) === player);
  const bonus = sum(own, ({ kind, credits }) => (kind === 'bonus' ? credits : 0));
  const discount = sum(own, ({ kind, credits }) => (kind === 'pack' ? packDiscount(credits) : 0));
  return [
    { reason: 'sign-up credits', cents: bonus * CREDIT_CENTS },
    { reason: 'a larger pack costs less a credit', cents: discount },
  ];
}

function packDiscount(credits: number): number {
  const pack = CREDIT_PACKAGES.find((each) => each.credits === credits);
  return pack ? pack.credits * CREDIT_CENTS - pack.priceCents : 0;
}

function bonusCents({ plan, ordered, delivered }: BookedOrder): number {
  return plan ? Math.max(0, delivered - ordered) * likeCents(plan) : 0;
}

/** A plan that was begun, as the books have it at the end. */
interface BegunPlan {
  workspaceId: string;
  subscriptionId: string;
  /** When its money was asked back; null: never. */
  requestedAt: Date | null;
  paymentMethodIds: string[];
}

async function readPlans({ deps }: World): Promise<BegunPlan[]> {
  const { rows } = await sql<BegunPlan>`
    select s.workspace_id as "workspaceId", s.id as "subscriptionId",
      m.requested_at as "requestedAt",
      array(select distinct k.payment_method_id from invoice i
        join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id
        join card k on k.workspace_id = c.workspace_id and k.id = c.card_id
        where i.workspace_id = s.workspace_id and i.subscription_id = s.id
          and c.state = 'succeeded') as "paymentMethodIds"
    from subscription s
    left join refund_request m on m.workspace_id = s.workspace_id and m.subscription_id = s.id
    order by m.requested_at, s.id`.execute(deps.database.db);
  return rows;
}

/** When each plan was paid last. */
async function readLastPayments({ deps }: World): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; paidAt: Date }>`
    select coalesce(subscription_id::text, checkout ->> 'subscriptionId') as id,
      max(paid_at) as "paidAt"
    from invoice where paid_at is not null group by 1`.execute(deps.database.db);
  return new Map(rows.map(({ id, paidAt }) => [id, paidAt.getTime()]));
}

/** Once for each network account and each card. */
function freeLikesCents(
  world: World,
  plans: readonly BegunPlan[],
  orders: readonly BookedOrder[],
): number {
  const used = new Set<string>();
  let cents = 0;
  for (const { subscriptionId, requestedAt, paymentMethodIds } of plans) {
    if (!requestedAt) continue;
    const own = orders.filter(({ plan }) => plan?.subscriptionId === subscriptionId);
    const names = [
      ...own.map(({ igId }) => igId),
      ...paymentMethodIds.map((id) => world.cards.get(id) ?? id),
    ];
    if (names.every((name) => !used.has(name))) cents += firstLikesCents(own);
    for (const name of names) used.add(name);
  }
  return cents;
}

function firstLikesCents(orders: readonly BookedOrder[]): number {
  let left = MONEY_BACK_FREE_LIKES;
  let cents = 0;
  for (const { plan, ordered, delivered } of orders) {
    const free = Math.min(left, Math.min(ordered, delivered));
    left -= free;
    if (plan) cents += free * likeCents(plan);
  }
  return cents;
}
