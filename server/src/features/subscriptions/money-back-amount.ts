import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { readBalance } from './billing-balance.repository.ts';

/** What there is to give back for a subscription. */
export interface MoneyBackSources {
  /** Charged for it, less what has gone back for other reasons than the billing balance. */
  chargedCents: number;
  /** What of these charges has gone back because the billing balance was paid out. */
  paidOutCents: number;
  /** What it has put into the billing balance, less what it has taken; paid out or not. */
  movedCents: number;
  /** The workspace's billing balance. */
  balanceCents: number;
}

/** What money back gives to the card, and what it takes out of the billing balance for that. */
export interface MoneyBackSplit {
  amountCents: number;
  /** Negative: it puts back what the subscription had taken. */
  fromBalanceCents: number;
}

/**
 * All its charges, without what has been given already: used by other plans through the billing balance, or
 * paid out of it when the last plan ended.
 */
export function splitMoneyBack(sources: MoneyBackSources): MoneyBackSplit {
  const { chargedCents, paidOutCents, movedCents, balanceCents } = sources;
  const stillThereCents = Math.min(movedCents, Math.max(0, balanceCents));
  const givenCents = Math.max(0, movedCents) - Math.max(0, stillThereCents);
  const owedCents = Math.max(0, chargedCents - givenCents);
  const amountCents = Math.min(owedCents, chargedCents - paidOutCents);
  // What can't go to the card stays in the balance.
  const fromBalanceCents =
    stillThereCents - Math.min(Math.max(0, stillThereCents), owedCents - amountCents);
  return { amountCents, fromBalanceCents };
}

/** What money back would give for each of these subscriptions of a workspace, in cents. */
export async function listMoneyBackAmounts(
  db: Db,
  workspaceId: string,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (subscriptionIds.length === 0) return new Map();
  const balanceCents = await readBalance(db, workspaceId);
  const rows = await readSources(db, workspaceId, subscriptionIds);
  return new Map(
    rows.map(({ id, ...row }) => [id, splitMoneyBack({ ...row, balanceCents }).amountCents]),
  );
}

/** All but the balance, which whoever takes from it has to hold first. */
export async function readSources(
  db: Db,
  workspaceId: string,
  subscriptionIds: readonly string[],
): Promise<Array<Omit<MoneyBackSources, 'balanceCents'> & { id: string }>> {
  const refunded = (reason: RawBuilder<unknown>) => sql`coalesce((select sum(r.amount_cents)
    from refund r where r.workspace_id = c.workspace_id and r.charge_id = c.id and ${reason}), 0)`;
  const { rows } = await sql<Omit<MoneyBackSources, 'balanceCents'> & { id: string }>`
    select s.id, coalesce(paid.charged, 0)::int as "chargedCents",
      coalesce(paid.out, 0)::int as "paidOutCents",
      coalesce((select sum(e.cents) from billing_balance_entry e
        where e.workspace_id = s.workspace_id and e.subscription_id = s.id
          and e.key not like 'refund:%'), 0)::int as "movedCents"
    from subscription s, lateral (
      select sum(c.amount_cents - ${refunded(sql`r.reason <> 'balance'`)}) as charged,
        sum(${refunded(sql`r.reason = 'balance'`)}) as out
      from invoice i join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id
      where i.workspace_id = s.workspace_id and i.subscription_id = s.id
        and c.state = 'succeeded') paid
    where s.workspace_id = ${workspaceId} and s.id = any(${subscriptionIds}::uuid[])`.execute(db);
  return rows;
}
