import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { UNENDED_STATES } from '../billing/subscription.repository.ts';
import { readBalance } from './billing-balance.repository.ts';

/** What there is to give back for a subscription. */
export interface MoneyBackSources {
  /** Charged for it, less what has gone back. */
  chargedCents: number;
  /** What it has put into the billing balance, less what it has taken. */
  movedCents: number;
  /** The workspace's billing balance. */
  balanceCents: number;
}

/** All its charges, without what other plans have used of them through the billing balance. */
export function moneyBackCents({
  chargedCents,
  movedCents,
  balanceCents,
}: MoneyBackSources): number {
  const usedElsewhereCents =
    Math.max(0, movedCents) - Math.max(0, stillThereCents({ movedCents, balanceCents }));
  return Math.max(0, chargedCents - usedElsewhereCents);
}

/** What is still in the billing balance of what a subscription has moved there; negative: it took more. */
export function stillThereCents({
  movedCents,
  balanceCents,
}: Omit<MoneyBackSources, 'chargedCents'>): number {
  return Math.min(movedCents, Math.max(0, balanceCents));
}

/** What money back would give for each running subscription of a workspace (or of these accounts), in cents. */
export async function listMoneyBackAmounts(
  db: Db,
  workspaceId: string,
  accountIds?: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const balanceCents = await readBalance(db, workspaceId);
  const ofAccounts = accountIds ? sql`and s.account_id = any(${accountIds}::uuid[])` : sql``;
  const { rows } = await sql<{ id: string; chargedCents: number; movedCents: number }>`
    select s.id, coalesce((
        select sum(c.amount_cents - coalesce((select sum(r.amount_cents) from refund r
          where r.workspace_id = c.workspace_id and r.charge_id = c.id), 0))
        from invoice i join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id
        where i.workspace_id = s.workspace_id and i.subscription_id = s.id
          and c.state = 'succeeded'), 0)::int as "chargedCents",
      coalesce((select sum(e.cents) from billing_balance_entry e
        where e.workspace_id = s.workspace_id and e.subscription_id = s.id), 0)::int as "movedCents"
    from subscription s
    where s.workspace_id = ${workspaceId} and s.state in (${sql.join(UNENDED_STATES)})
      ${ofAccounts}`.execute(db);
  return new Map(rows.map(({ id, ...row }) => [id, moneyBackCents({ ...row, balanceCents })]));
}
