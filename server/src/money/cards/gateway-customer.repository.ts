import { type Selectable, sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import type { CustomerRequestTable } from '#server/kit/db/tables/customer-request.table.ts';

export async function findGatewayCustomer(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('gateway_customer')
    .select('gateway_customer_id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.gateway_customer_id;
}

/** Keeps the workspace's customer at the gateway; of two made at once the first one stays. */
async function keepGatewayCustomer(
  db: Db,
  workspaceId: WorkspaceId,
  customerId: string,
): Promise<void> {
  await db
    .insertInto('gateway_customer')
    .values({ workspace_id: workspaceId, gateway_customer_id: customerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

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

export function claimDueCustomerRequests(db: Db, lease: Lease): Promise<CustomerRequest[]> {
  return claimDue(
    db,
    { ...lease, table: 'customer_request', due: 'next_attempt_at', set: RAISE_FENCE },
    sql<CustomerRequest>`t.*`,
  );
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
  workspaceId: WorkspaceId,
  customerId: string,
): Promise<boolean> {
  if (!(await keepWorkspace(tx, workspaceId))) return false;
  await keepGatewayCustomer(tx, workspaceId, customerId);
  return (await findGatewayCustomer(tx, workspaceId)) === customerId;
}
