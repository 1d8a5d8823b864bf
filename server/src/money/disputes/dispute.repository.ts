import { type Selectable, sql } from 'kysely';
import { selectCharges } from '#server/kit/db/select-charges.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { ChargeKey, PaidCharge } from '../charges/charge.repository.ts';
import {
  type DisputeState,
  type DisputeTable,
  REVERSING_STATES,
} from '#server/kit/db/tables/charge.table.ts';
import type { SubscriptionTable } from '#server/kit/db/tables/subscription.table.ts';
import type { PaymentReturn } from '#shared/contract/money/returned-money.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { AccountId, IgId, WorkspaceId } from '#shared/domain/ids.ts';

export type DisputeRow = Selectable<DisputeTable>;

/** By what the gateway calls it; undefined for what isn't ours, or of which we don't know yet that it was paid. */
export function findPaidCharge(db: Db, gatewayChargeId: string): Promise<PaidCharge | undefined> {
  return selectCharges(db)
    .select([
      'charge.workspace_id as workspaceId',
      'charge.id as chargeId',
      'charge.amount_cents as amountCents',
      'charge.is_returned as isReturned',
      'charge.invoice_id as invoiceId',
      'invoice.subscription_id as subscriptionId',
      'invoice.checkout',
      'card.fingerprint',
      'card.brand',
      'card.last_digits',
      'card.exp_month',
      'card.exp_year',
    ])
    .where('charge.gateway_charge_id', '=', gatewayChargeId)
    .where('charge.state', '=', 'succeeded')
    .executeTakeFirst();
}

/**
 * Holds a payment until the end of the transaction, so that what its bank, the gateway's dashboard and money back
 * do with it comes one after the other. Who locks a money back as well does that before.
 */
export async function lockPayment(tx: Tx, { workspaceId, chargeId }: ChargeKey): Promise<void> {
  await tx
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', chargeId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** What we know of these already, by the gateway's id. */
export async function listDisputeStates(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DisputeState>> {
  const rows = await db
    .selectFrom('dispute')
    .select(['id', 'state'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .execute();
  return new Map(rows.map(({ id, state }) => [id, state]));
}

export function findDispute(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<DisputeRow | undefined> {
  return tx
    .selectFrom('dispute')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Writes a dispute down as it stands now. */
export async function putDispute(tx: Tx, row: DisputeRow): Promise<void> {
  const { workspace_id: _, id: __, ...change } = row;
  await tx
    .insertInto('dispute')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doUpdateSet(change))
    .execute();
}

/**
 * Whether a dispute has stopped this plan and none holds it any more, its account is still connected, and nobody
 * asked for money back.
 */
export async function mayPlanGoOn(
  tx: Tx,
  plan: {
    workspace_id: WorkspaceId;
    id: string;
    account_id: AccountId;
    ig_id: IgId;
    ends_at: Date | null;
  },
): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (select from account where workspace_id = ${plan.workspace_id}
        and id = ${plan.account_id} and ig_id = ${plan.ig_id} and removed_at is null)
      and not exists (select from refund_request
        where workspace_id = ${plan.workspace_id} and subscription_id = ${plan.id})
      and coalesce((select bool_or(d.stopped_at = ${plan.ends_at})
          and not bool_or(d.state in (${sql.join(REVERSING_STATES)}) and not c.is_returned)
        from dispute d
        join charge c on c.workspace_id = d.workspace_id and c.id = d.charge_id
        join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
        where d.workspace_id = ${plan.workspace_id} and i.subscription_id = ${plan.id}), false)
      as may`.execute(tx);
  return rows[0]?.may === true;
}

type PlanClock = Pick<
  Selectable<SubscriptionTable>,
  'id' | 'created_at' | 'time_zone' | 'disputed_days'
>;

/** What says how long money back can be asked for, of every plan of a workspace. */
export function listPlanClocks(tx: Tx, workspaceId: WorkspaceId): Promise<PlanClock[]> {
  return tx
    .selectFrom('subscription')
    .select(['id', 'created_at', 'time_zone', 'disputed_days'])
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/** Counts the days that disputes heard of until `heardUntil` have held a plan; one that lasts isn't counted yet. */
export async function setDisputedDays(
  tx: Tx,
  workspaceId: WorkspaceId,
  { id, created_at: createdAt }: Pick<PlanClock, 'id' | 'created_at'>,
  heardUntil: Date,
): Promise<void> {
  await sql`
      update subscription set disputed_days = (
        select coalesce(ceil(sum(extract(epoch from upper(held) - lower(held))) / 86400), 0)
        from unnest((select range_agg(tstzrange(greatest(heard_at, ${createdAt}), released_at))
          from dispute where workspace_id = ${workspaceId} and heard_at <= ${heardUntil}
            and released_at > greatest(heard_at, ${createdAt}))) held)
      where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** When the oldest dispute without an end was opened; news of it can come however late. */
export async function findOldestUndecided(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('dispute')
    .select('opened_at')
    .where('state', 'in', ['inquiry', 'open'])
    .orderBy('opened_at')
    .limit(1)
    .executeTakeFirst();
  return row?.opened_at;
}

/** Takes the reading of the gateway's news, where it is due; undefined: somebody else has it. */
export async function claimReading(
  db: Db,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<{ readUntil: Date } | undefined> {
  return db
    .updateTable('gateway_reading')
    .set({ next_read_at: leaseUntil })
    .where('next_read_at', '<=', now)
    .returning('read_until as readUntil')
    .executeTakeFirst();
}

/** The gateway has news: it is read in the next round. A reading under way may have passed them, and is done again. */
export async function makeReadingDue(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('gateway_reading')
    .set({ next_read_at: now })
    .where('next_read_at', '>', now)
    .execute();
}

/** All that was there before `readUntil` has been read. It never goes back, whoever finishes late. */
export async function endReading(
  db: Db,
  { readUntil, nextReadAt }: { readUntil: Date; nextReadAt: Date },
): Promise<void> {
  await db
    .updateTable('gateway_reading')
    .set({ read_until: readUntil, next_read_at: nextReadAt })
    .where('read_until', '<', readUntil)
    .execute();
}

/** More than anybody has. */
const LISTED_LIMIT = 200;

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
export async function listPaymentReturns(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<PaymentReturn[]> {
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
    order by back.at desc, back.id desc limit ${LISTED_LIMIT}`.execute(db);
  return rows.map(({ amountCents, igUsername, paidAt, at, decidedAt, ...row }) => ({
    ...row,
    ...(igUsername !== null && { igUsername }),
    amount: dollarsFromCents(amountCents),
    paidAt: paidAt.toISOString(),
    at: at.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }));
}
