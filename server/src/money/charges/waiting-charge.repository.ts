import { sql } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import { type Checkout, OPEN_STATES } from '#server/kit/db/tables/charge.table.ts';
import type { ChargeClaim, ChargeKey, OpenCharge } from './charge.repository.ts';

const chargesWithInvoices = (db: Db, workspaceId: WorkspaceId) =>
  db
    .selectFrom('charge')
    .innerJoin('invoice', (join) =>
      join
        .onRef('invoice.workspace_id', '=', 'charge.workspace_id')
        .onRef('invoice.id', '=', 'charge.invoice_id'),
    )
    .select([
      'charge.id as chargeId',
      'charge.state',
      'charge.amount_cents as amountCents',
      'charge.created_at as createdAt',
      'charge.action_url as actionUrl',
    ])
    .where('charge.workspace_id', '=', workspaceId);

/** The payment that is still being decided; `of`: for this account, this subscription, or of this kind. */
export function findOpenCharge(
  db: Db,
  workspaceId: WorkspaceId,
  of: { accountId?: AccountId; subscriptionId?: string; kind?: Checkout['kind'] } = {},
): Promise<OpenCharge | undefined> {
  return chargesWithInvoices(db, workspaceId)
    .where('charge.state', 'in', OPEN_STATES)
    .where(sql<boolean>`invoice.checkout @> ${JSON.stringify(of)}::text::jsonb`)
    .limit(1)
    .executeTakeFirst();
}

/**
 * A workspace's payments that the bank asks about, and those its customer was there for that nobody knows the end
 * of yet; oldest first.
 */
export function listOpenCharges(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Array<OpenCharge & { checkout: Checkout }>> {
  return chargesWithInvoices(db, workspaceId)
    .select('invoice.checkout')
    .where('charge.state', 'in', OPEN_STATES)
    .where(sql<boolean>`(charge.state = 'needs_action' or charge.is_present)`)
    .orderBy('charge.created_at')
    .orderBy('charge.id')
    .execute();
}

/**
 * How many payments that their customer was there for aren't settled: this person's own, those of owners but the one whose
 * home it is, and those of all others.
 */
export function countWaiting(
  db: Db,
  { workspaceId, userId }: InWorkspace,
  exceptId: string,
): Promise<{ own: number; owners: number; team: number }> {
  return db
    .selectFrom('charge')
    .leftJoin('member_charge', (join) =>
      join
        .onRef('member_charge.workspace_id', '=', 'charge.workspace_id')
        .onRef('member_charge.charge_id', '=', 'charge.id'),
    )
    .leftJoin('membership', (join) =>
      join
        .onRef('membership.workspace_id', '=', 'charge.workspace_id')
        .onRef('membership.user_id', '=', 'member_charge.user_id'),
    )
    .select([
      sql<number>`count(*) filter (where member_charge.user_id = ${userId})::int`.as('own'),
      sql<number>`count(*) filter (where membership.role = 'Owner'
        and membership.home_workspace_id <> membership.workspace_id)::int`.as('owners'),
      sql<number>`count(*) filter (where membership.role is distinct from 'Owner')::int`.as('team'),
    ])
    .where('charge.workspace_id', '=', workspaceId)
    .where('charge.id', '<>', exceptId)
    .where('charge.state', 'in', OPEN_STATES)
    .where('charge.is_present', '=', true)
    .executeTakeFirstOrThrow();
}

/** The bank asks its customer there. @returns false when overtaken or settled */
export async function markNeedsAction(
  db: Db,
  claim: ChargeClaim,
  asked: { gatewayChargeId: string; url: string; nextCheckAt: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('charge')
    .set({
      state: 'needs_action',
      gateway_charge_id: asked.gatewayChargeId,
      action_url: asked.url,
      next_check_at: asked.nextCheckAt,
    })
    .where('workspace_id', '=', claim.workspaceId)
    .where('id', '=', claim.chargeId)
    .where('fence', '=', claim.fence)
    .where('state', 'in', OPEN_STATES)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** It still waits: when it is polled next, and where the bank asks by now. */
export async function keepWaiting(
  db: Db,
  key: ChargeKey,
  next: { nextCheckAt: Date; url?: string },
): Promise<void> {
  await db
    .updateTable('charge')
    .set({
      next_check_at: next.nextCheckAt,
      ...(next.url !== undefined && { action_url: next.url }),
    })
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.chargeId)
    .where('state', '=', 'needs_action')
    .execute();
}
