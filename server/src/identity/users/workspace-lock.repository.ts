import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { ApiError } from '#server/kit/api-error.ts';
import { noSession } from './no-session.ts';

/**
 * Holds a workspace until the end of the transaction: purchases and the deletion of its customer queue up
 * here, so that each sees what the others have written. Who locks a subscription as well does that before.
 * @throws ApiError `session_ended`: the customer has been deleted
 */
export async function lockWorkspace(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!(await hasCustomer(tx, workspaceId))) throw customerGone();
}

/**
 * The deletion's own: it also waits for whoever is writing rows of the workspace without holding it.
 * @throws ApiError `session_ended`: somebody was faster
 */
export async function lockWorkspaceForDeletion(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  if (!(await hasCustomer(tx, workspaceId))) throw customerGone();
}

/**
 * Keeps the customer of a workspace from being deleted until the end of the transaction. Any number may do
 * so at once.
 * @returns false when there is none any more
 */
export async function keepWorkspace(tx: Tx, workspaceId: WorkspaceId): Promise<boolean> {
  await tx
    .selectFrom('workspace')
    .select('id')
    .where('id', '=', workspaceId)
    .forKeyShare()
    .executeTakeFirst();
  return hasCustomer(tx, workspaceId);
}

/** A statement of its own: it sees what was committed while the lock was waited for. */
async function hasCustomer(tx: Tx, workspaceId: WorkspaceId): Promise<boolean> {
  const customer = await tx
    .selectFrom('membership')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .executeTakeFirst();
  return customer !== undefined;
}

/** What a call beside the deletion of its customer is told. */
export function customerGone(): ApiError {
  return noSession('account_deleted');
}
