import { sql } from 'kysely';
import type { BulkKind } from '#shared/domain/accounts/bulk.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { OperationKey } from './bulk.repository.ts';

/** @returns `added`: what the dearer changes add to a month; what cheaper ones save isn't subtracted */
export async function countItems(tx: Tx, { workspaceId, operationId }: OperationKey) {
  const { rows } = await sql<{
    planned: number;
    today: number;
    month: number;
    added: number;
    all: number;
  }>`
    select count(*) filter (where outcome = 'planned')::int as planned, count(*)::int as all,
      coalesce(sum(today_cents) filter (where outcome = 'planned'), 0)::int as today,
      coalesce(sum(month_cents) filter (where outcome = 'planned'), 0)::int as month,
      coalesce(sum(month_cents) filter (where outcome = 'planned' and month_cents > 0), 0)::int as added
    from bulk_item where workspace_id = ${workspaceId} and operation_id = ${operationId}`.execute(
    tx,
  );
  return rows[0] ?? { planned: 0, today: 0, month: 0, added: 0, all: 0 };
}

/** What the pages before change already: accounts, each with what of it. */
export async function listTaken(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  before: number,
): Promise<Array<{ igUsername: string; kind: BulkKind }>> {
  const { rows } = await sql<{ igUsername: string; kind: BulkKind }>`
    select ig_username as "igUsername", change->>'kind' as kind from bulk_item
    where workspace_id = ${workspaceId} and operation_id = ${operationId}
      and position < ${before}`.execute(tx);
  return rows;
}

/** Accounts that the pages before are to give to a client. */
export async function listComing(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  { clientId, before }: { clientId: string; before: number },
): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select account_id as id from bulk_item
    where workspace_id = ${workspaceId} and operation_id = ${operationId} and position < ${before}
      and outcome = 'planned' and account_id is not null
      and change->>'kind' = 'client' and change->>'clientId' = ${clientId}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Plans that the pages before are to begin. */
export async function listBegun(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  before: number,
): Promise<Array<{ accountId: AccountId; clientId: string | null; amountCents: number }>> {
  const { rows } = await sql<{
    accountId: AccountId;
    clientId: string | null;
    amountCents: number;
  }>`
    select a.id as "accountId", a.client_id as "clientId", i.today_cents as "amountCents"
    from bulk_item i join account a on a.workspace_id = i.workspace_id and a.id = i.account_id
    where i.workspace_id = ${workspaceId} and i.operation_id = ${operationId}
      and i.position < ${before} and i.outcome = 'planned' and i.change->>'kind' = 'begin'`.execute(
    tx,
  );
  return rows;
}

/** How many accounts the pages before are to add. */
export async function countAdded(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  before?: number,
): Promise<number> {
  const { rows } = await sql<{ added: number }>`
    select count(*)::int as added from bulk_item
    where workspace_id = ${workspaceId} and operation_id = ${operationId}
      and (position < ${before ?? null}::int) is not false
      and outcome = 'planned' and change->>'kind' = 'add'`.execute(tx);
  return rows[0]?.added ?? 0;
}

/** How many accounts a workspace has, those it removed included; and which of these names it removed. */
export async function findKnownNames(
  tx: Tx,
  workspaceId: WorkspaceId,
  igUsernames: readonly string[],
): Promise<{ accounts: number; removed: string[] }> {
  const { rows } = await sql<{ accounts: number; removed: string[] }>`
    select count(*)::int as accounts, coalesce(array_agg(ig_username)
      filter (where removed_at is not null and ig_username = any(${igUsernames}::text[])), '{}') as removed
    from account where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0] ?? { accounts: 0, removed: [] };
}
