import { sql } from 'kysely';
import type { PaymentReturn } from '#shared/contract/credits.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import type { Db } from '../../db/database.ts';

/** More than anybody has. */
const LISTED_MOST = 200;

interface ReturnRow {
  id: string;
  state: PaymentReturn['state'];
  description: string;
  igUsername: string | null;
  paidAt: Date;
  amountCents: number;
  takenCredits: number;
  at: Date;
  decidedAt: Date | null;
}

/** Disputed payments of a workspace, and refunds that are no money back, newest first. */
export async function listPaymentReturns(db: Db, workspaceId: string): Promise<PaymentReturn[]> {
  const { rows } = await sql<ReturnRow>`
    select back.id, back.state, i.description, t.ig_username as "igUsername",
      coalesce(c.settled_at, c.created_at) as "paidAt", back.cents as "amountCents",
      back.credits::int as "takenCredits", back.at, back.decided_at as "decidedAt"
    from (
      select charge_id, id, case state when 'open' then 'disputed' when 'won' then 'stands'
          else 'taken' end as state, amount_cents as cents, taken_credits as credits,
        opened_at as at, decided_at
      from dispute where workspace_id = ${workspaceId} and state <> 'inquiry'
      union all
      select charge_id, id::text, 'refunded', amount_cents, 0, refunded_at, null
      from refund where workspace_id = ${workspaceId} and state = 'refunded'
        and reason <> 'money_back'
    ) back
    join charge c on c.workspace_id = ${workspaceId} and c.id = back.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    left join credits_transaction t on t.workspace_id = c.workspace_id and t.charge_id = c.id
    where back.state = 'refunded' or not c.is_returned
    order by back.at desc, back.id desc limit ${LISTED_MOST}`.execute(db);
  return rows.map(({ amountCents, igUsername, paidAt, at, decidedAt, ...row }) => ({
    ...row,
    ...(igUsername !== null && { igUsername }),
    amount: dollarsFromCents(amountCents),
    paidAt: paidAt.toISOString(),
    at: at.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }));
}
