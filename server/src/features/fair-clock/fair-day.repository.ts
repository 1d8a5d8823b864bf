import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import type { SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';
import { type FairDayRow, type FairDayTable, fairTables } from './fair-clock.table.ts';
import type { GivenDay } from './shift-reason.ts';

/** Writes down days that weren't served; those known already stay as they are. */
export async function insertFairDays(
  db: Db,
  days: ReadonlyArray<SubscriptionKey & Pick<FairDayTable, 'cause'> & { localDay: string }>,
  now: Date,
): Promise<void> {
  if (days.length === 0) return;
  const rows = days.map(({ workspaceId, subscriptionId, localDay, cause }) => ({
    workspace_id: workspaceId,
    subscription_id: subscriptionId,
    local_day: localDay,
    cause,
    state: 'pending' as const,
    found_at: now,
    added_at: null,
    era: null,
    period: null,
  }));
  await fairTables(db)
    .insertInto('fair_day')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * A page of the subscriptions to which days can be added now, in the order of their ids: not while they
 * owe a payment.
 */
export async function listPending(
  db: Db,
  { now, after, most }: { now: Date; after: SubscriptionKey | undefined; most: number },
): Promise<SubscriptionKey[]> {
  const { rows } = await sql<SubscriptionKey>`
    select s.workspace_id as "workspaceId", s.id as "subscriptionId" from subscription s
    where exists (select from fair_day f where f.workspace_id = s.workspace_id
        and f.subscription_id = s.id and f.state = 'pending')
      and s.state <> 'Past due' and (s.state <> 'Active' or s.next_billing_at > ${now})
      ${after ? sql`and (s.workspace_id, s.id) > (${after.workspaceId}, ${after.subscriptionId})` : sql``}
    order by s.workspace_id, s.id limit ${most}
  `.execute(db);
  return rows;
}

/** Days of a locked subscription that are to be added, oldest first. */
export function findPendingDays(tx: Tx, key: SubscriptionKey): Promise<FairDayRow[]> {
  return fairTables(tx)
    .selectFrom('fair_day')
    .selectAll()
    .where('workspace_id', '=', key.workspaceId)
    .where('subscription_id', '=', key.subscriptionId)
    .where('state', '=', 'pending')
    .orderBy('local_day')
    .execute();
}

/** The pending days of a locked subscription are given to its current period. */
export async function markAdded(tx: Tx, row: SubscriptionRow, now: Date): Promise<void> {
  await setPending(tx, row, {
    state: 'added',
    added_at: now,
    era: row.era,
    period: row.period,
  });
}

/** The subscription has ended: there is nothing to add days to. */
export async function dropPending(tx: Tx, row: SubscriptionRow): Promise<void> {
  await setPending(tx, row, { state: 'dropped' });
}

async function setPending(
  tx: Tx,
  row: SubscriptionRow,
  change: Partial<Pick<FairDayRow, 'state' | 'added_at' | 'era' | 'period'>>,
): Promise<void> {
  await fairTables(tx)
    .updateTable('fair_day')
    .set(change)
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('state', '=', 'pending')
    .execute();
}

export interface AddedDay extends GivenDay {
  subscriptionId: string;
}

/** Days added to the current periods of a workspace's running subscriptions, oldest first. */
export function listAddedDays(db: Db, workspaceId: string): Promise<AddedDay[]> {
  return fairTables(db)
    .selectFrom('fair_day')
    .innerJoin('subscription', (join) =>
      join
        .onRef('subscription.workspace_id', '=', 'fair_day.workspace_id')
        .onRef('subscription.id', '=', 'fair_day.subscription_id')
        .onRef('subscription.era', '=', 'fair_day.era')
        .onRef('subscription.period', '=', 'fair_day.period'),
    )
    .select([
      'fair_day.subscription_id as subscriptionId',
      'fair_day.local_day as localDay',
      'fair_day.cause',
    ])
    .where('fair_day.workspace_id', '=', workspaceId)
    .where('fair_day.state', '=', 'added')
    .where('subscription.state', 'in', ['Active', 'Paused', 'Past due'])
    .orderBy('fair_day.local_day')
    .execute();
}
