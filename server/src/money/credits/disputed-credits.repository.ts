import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { type DisputeTable, REVERSING_STATES } from '#server/kit/db/tables/charge.table.ts';
import type { PaidCharge } from '../charges/charge.repository.ts';

type DisputeRow = Selectable<DisputeTable>;

/** Whoever holds several disputes holds the balance before, and so one after the other. */
export async function lockLaterDisputes(
  tx: Tx,
  {
    workspace_id: workspaceId,
    id,
    heard_at: heardAt,
  }: Pick<DisputeRow, 'workspace_id' | 'id' | 'heard_at'>,
): Promise<Array<Brought & { id: string }>> {
  const { rows } = await sql<Brought & { id: string }>`
    select d.id, d.workspace_id as "workspaceId", c.id as "chargeId", i.id as "invoiceId",
      i.subscription_id as "subscriptionId"
    from dispute d
    join charge c on c.workspace_id = d.workspace_id and c.id = d.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where d.workspace_id = ${workspaceId} and d.state in (${sql.join(REVERSING_STATES)}) and d.id <> ${id}
      and d.heard_at >= ${heardAt} and not c.is_returned
    order by d.heard_at, d.id for no key update of d`.execute(tx);
  return rows;
}

/** The payment whose credits are asked for. */
type Brought = Pick<PaidCharge, 'workspaceId' | 'chargeId' | 'invoiceId' | 'subscriptionId'>;

/**
 * What the ledger has of a pack's credits: none once it was returned, or bought nothing. For a plan those that
 * came back for what its orders of the paid period fell short of, unless its money back has counted them.
 * Without those that other disputes of the payment have taken.
 */
export async function readBrought(
  tx: Tx,
  { workspaceId, chargeId, invoiceId, subscriptionId }: Brought,
): Promise<{ credits: number; balance: number }> {
  const { rows } = await sql<{ credits: number; balance: number }>`
    select greatest(0, coalesce((select sum(t.credits) from ledger_transaction t
        join like_order o on o.workspace_id = t.workspace_id and o.id = t.order_id
        where t.workspace_id = w.id and t.kind = 'shortfall'
          and o.subscription_id = ${subscriptionId}
          and not exists (select from refund_request m where m.workspace_id = o.workspace_id
            and m.subscription_id = o.subscription_id)
          and o.detected_at >= i.created_at and o.detected_at < coalesce(
            (select min(later.created_at) from invoice later
              where later.workspace_id = i.workspace_id and later.paid_at is not null
                and later.subscription_id = i.subscription_id
                and later.created_at > i.created_at), 'infinity')), 0)
        + coalesce((select sum(t.credits) from ledger_transaction t
            where t.workspace_id = w.id and t.charge_id = ${chargeId}), 0))::int as credits,
      coalesce(b.balance, 0)::int as balance
    from workspace w
    join invoice i on i.workspace_id = w.id and i.id = ${invoiceId}
    left join credit_balance b on b.workspace_id = w.id
    where w.id = ${workspaceId}`.execute(tx);
  return rows[0] ?? { credits: 0, balance: 0 };
}

/** A dispute that could not take all credits of its pack, because orders held them. */
interface WaitingDispute {
  id: string;
  chargeId: string;
  missing: number;
}

/** Those that came after an order was made, held until the end of the transaction, the oldest first. */
export async function lockWaiting(
  tx: Tx,
  workspaceId: WorkspaceId,
  detectedAt: Date,
): Promise<WaitingDispute[]> {
  const { rows } = await sql<WaitingDispute>`
    select d.id, d.charge_id as "chargeId",
      (select coalesce(sum(t.credits), 0) from ledger_transaction t
        where t.workspace_id = d.workspace_id and t.charge_id = d.charge_id)::int as missing
    from dispute d
    join charge c on c.workspace_id = d.workspace_id and c.id = d.charge_id
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    where d.workspace_id = ${workspaceId} and d.state in (${sql.join(REVERSING_STATES)})
      and i.checkout ->> 'kind' = 'credits' and d.heard_at > ${detectedAt}
    order by d.heard_at, d.id for no key update of d`.execute(tx);
  return rows;
}

/** Of a locked dispute. */
export async function addTaken(
  tx: Tx,
  { workspaceId, id }: { workspaceId: WorkspaceId; id: string },
  credits: number,
): Promise<void> {
  await tx
    .updateTable('dispute')
    .set((eb) => ({ taken_credits: eb('taken_credits', '+', credits) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}
