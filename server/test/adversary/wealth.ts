import { sql } from 'kysely';
import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import type { Player } from './game.ts';
import type { BookedPlan, BookedOrder, World } from './world.ts';

/** What a credit, and a like bought with one, is worth. */
export const CREDIT_CENTS = 0.4;

/** What a player has out of the game, and what it cost; by the outside world's books, not by ours. */
export interface Wealth {
  planLikesCents: number;
  creditLikesCents: number;
  creditsLeftCents: number;
  chargedCents: number;
  refundedCents: number;
  /** What banks have returned. */
  lostCents: number;
  /** Of what was received: plan likes as they were ordered, and credits as they were bought. */
  orderedCents: number;
  boughtCents: number;
}

export function receivedCents(wealth: Wealth): number {
  return wealth.planLikesCents + wealth.creditLikesCents + wealth.creditsLeftCents;
}

export function paidCents({ chargedCents, refundedCents, lostCents }: Wealth): number {
  return chargedCents - refundedCents - lostCents;
}

/** Paid for posts that were never made. Whoever leaks a little of a plan has this to lose first. */
export function unusedCents(wealth: Wealth): number {
  return Math.max(0, paidCents(wealth) - wealth.orderedCents - wealth.boughtCents);
}

/** Of one like of a plan, when all its posts are used. */
export function likeCents({ priceCents, days, likes }: BookedPlan): number {
  return priceCents / (AUTOMATIC_POSTS_PER_DAY * days * likes);
}

/** Every player's wealth at this moment, by the number of the game. */
export async function measureWealth(world: World): Promise<Wealth[]> {
  const all = world.players.map((): Wealth => ({
    planLikesCents: 0,
    creditLikesCents: 0,
    creditsLeftCents: 0,
    chargedCents: 0,
    refundedCents: 0,
    lostCents: 0,
    orderedCents: 0,
    boughtCents: 0,
  }));
  const of = (player: Player | undefined): Wealth => {
    const wealth = player && all[player.nr];
    if (!wealth) throw new Error('Money or likes of nobody');
    return wealth;
  };
  for (const order of world.book.values()) addLikes(of(order.player), order);
  for (const { state, request, refundedCents } of world.deps.gateway.charges) {
    if (state !== 'succeeded') continue;
    const wealth = of(world.byCustomer.get(request.customerId));
    wealth.chargedCents += request.amountCents;
    wealth.refundedCents += refundedCents;
  }
  for (const { player, state, amountCents } of world.disputes) {
    if (state === 'lost') of(player).lostCents += amountCents;
  }
  for (const { workspaceId, credits, bought } of await listCredits(world)) {
    const wealth = of(world.byWorkspace.get(workspaceId));
    wealth.creditsLeftCents += credits * CREDIT_CENTS;
    wealth.boughtCents += bought * CREDIT_CENTS;
  }
  return all;
}

function addLikes(wealth: Wealth, { plan, ordered, delivered }: BookedOrder): void {
  if (!plan) {
    wealth.creditLikesCents += delivered * CREDIT_CENTS;
    return;
  }
  wealth.planLikesCents += delivered * likeCents(plan);
  wealth.orderedCents += ordered * likeCents(plan);
}

interface Credits {
  workspaceId: string;
  /** With those that an order under way holds and hasn't delivered. */
  credits: number;
  bought: number;
}

async function listCredits({ deps }: World): Promise<Credits[]> {
  const { rows } = await sql<Credits>`
    select b.workspace_id as "workspaceId", (b.balance + coalesce((
        select sum(o.ordered - o.delivered) from like_order o
        where o.workspace_id = b.workspace_id and o.kind = 'credit'
          and o.credits_settled_at is null), 0))::int as credits,
      coalesce((select sum(t.credits) from ledger_transaction t
        where t.workspace_id = b.workspace_id and t.kind = 'pack'), 0)::int as bought
    from credit_balance b`.execute(deps.database.db);
  return rows;
}

/** What rounding may leave beyond what is given away. */
export const BOUND_CENTS = 5;
