import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepWorkspace } from '../users/workspace-lock.ts';
import { findGatewayCustomer, keepGatewayCustomer } from './checkout.repository.ts';
import type { CustomerRequestTable } from './customer-request.table.ts';

export type CustomerRequest = Selectable<CustomerRequestTable>;
export type CustomerRequestKey = Pick<CustomerRequest, 'workspace_id' | 'key'>;

/** Writes what the gateway is about to be asked; a repeat of the same attempt finds its row there. */
export async function openCustomerRequest(
  db: Db,
  request: Omit<CustomerRequest, 'fence'>,
): Promise<void> {
  await db
    .insertInto('customer_request')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Nothing is owed any more: the answer is known, and acted upon. */
export async function endCustomerRequest(db: Db, request: CustomerRequestKey): Promise<void> {
  await db
    .deleteFrom('customer_request')
    .where('workspace_id', '=', request.workspace_id)
    .where('key', '=', request.key)
    .execute();
}

export async function claimDueCustomerRequests(
  db: Db,
  claim: { now: Date; leaseUntil: Date; most: number },
): Promise<CustomerRequest[]> {
  const { rows } = await sql<CustomerRequest>`
    with due as (
      select workspace_id, key from customer_request where next_attempt_at <= ${claim.now}
      order by next_attempt_at limit ${claim.most} for update skip locked
    )
    update customer_request r set fence = r.fence + 1, next_attempt_at = ${claim.leaseUntil}
    from due where r.workspace_id = due.workspace_id and r.key = due.key
    returning r.*`.execute(db);
  return rows;
}

/** Unless somebody else has had it since. */
export async function askAgainLater(db: Db, request: CustomerRequest, at: Date): Promise<void> {
  await db
    .updateTable('customer_request')
    .set({ next_attempt_at: at })
    .where('workspace_id', '=', request.workspace_id)
    .where('key', '=', request.key)
    .where('fence', '=', request.fence)
    .execute();
}

/**
 * Makes a customer that the gateway has made the workspace's, where it has none.
 * @returns false for one nobody wants: there is another, or the workspace has been deleted
 */
export async function adoptCustomer(
  tx: Tx,
  workspaceId: string,
  customerId: string,
): Promise<boolean> {
  if (!(await keepWorkspace(tx, workspaceId))) return false;
  await keepGatewayCustomer(tx, workspaceId, customerId);
  return (await findGatewayCustomer(tx, workspaceId)) === customerId;
}
