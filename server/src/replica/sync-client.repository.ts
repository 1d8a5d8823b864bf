import { type Selectable, sql } from 'kysely';
import type { OrderId, PostId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { SyncMutationTable } from '#server/kit/db/tables/sync.table.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';

/** A replica of one person. The same id in other hands is another client. */
export interface ClientKey {
  workspaceId: WorkspaceId;
  userId: string;
  clientId: string;
}

/** Replicas of one person that the server knows; with another one the oldest is forgotten. */
export const SYNC_CLIENTS_LIMIT = 50;

/** "Last seen" is exact to this. */
const SEEN_EVERY_MS = HOUR_MS;

/**
 * Notes that a client is there, and tells the mutation of it that was executed last. Undefined when its
 * person is gone.
 */
export async function seeClient(
  db: Db,
  { workspaceId, userId, clientId }: ClientKey,
  seen: { schema: number; now: Date },
): Promise<number | undefined> {
  const known = await db
    .selectFrom('sync_client')
    .select(['last_mid', 'last_seen_at', 'schema_v'])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  const isFresh =
    known !== undefined &&
    known.schema_v === seen.schema &&
    seen.now.getTime() - known.last_seen_at.getTime() < SEEN_EVERY_MS;
  if (isFresh) return known.last_mid;
  const { rows } = await sql<{ last_mid: number }>`
    insert into sync_client (workspace_id, user_id, client_id, schema_v, last_seen_at)
    select workspace_id, user_id, ${clientId}::uuid, ${seen.schema}::integer, ${seen.now}::timestamptz
      from membership where workspace_id = ${workspaceId} and user_id = ${userId} for key share
    on conflict (workspace_id, user_id, client_id) do update
      set schema_v = excluded.schema_v, last_seen_at = excluded.last_seen_at
    returning last_mid
  `.execute(db);
  if (!known) await forgetOldestClients(db, { workspaceId, userId, clientId });
  return rows[0]?.last_mid;
}

/** As if they had been away for too long: what such a client still holds is numbered anew. This one stays. */
async function forgetOldestClients(
  db: Db,
  { workspaceId, userId, clientId }: ClientKey,
): Promise<void> {
  // Whoever is locked is in use.
  await sql`
    delete from sync_client where workspace_id = ${workspaceId} and user_id = ${userId}
      and client_id in (
        select client_id from sync_client
        where workspace_id = ${workspaceId} and user_id = ${userId}
        order by client_id = ${clientId} desc, last_seen_at desc, client_id desc
        offset ${SYNC_CLIENTS_LIMIT} for update skip locked)
  `.execute(db);
}

/** Holds a client until the end of the transaction: its mutations are executed one after the other. */
export async function lockClient(tx: Tx, key: ClientKey): Promise<number | undefined> {
  const row = await tx
    .selectFrom('sync_client')
    .select('last_mid')
    .where('workspace_id', '=', key.workspaceId)
    .where('user_id', '=', key.userId)
    .where('client_id', '=', key.clientId)
    .forUpdate()
    .executeTakeFirst();
  return row?.last_mid;
}

export async function setLastMid(tx: Tx, key: ClientKey, mid: number): Promise<void> {
  await tx
    .updateTable('sync_client')
    .set({ last_mid: mid })
    .where('workspace_id', '=', key.workspaceId)
    .where('user_id', '=', key.userId)
    .where('client_id', '=', key.clientId)
    .execute();
}

/** Where a mutation begins; what its transaction holds before stays held when it is undone. */
export async function setSavepoint(tx: Tx): Promise<void> {
  await sql`savepoint mutation`.execute(tx);
}

/** Undoes what was written since the savepoint, and lets go of what was locked since. */
export async function undoMutation(tx: Tx): Promise<void> {
  await sql`rollback to savepoint mutation`.execute(tx);
}

type MutationRow = Selectable<SyncMutationTable>;

export async function insertMutation(
  tx: Tx,
  { workspaceId, userId, clientId }: ClientKey,
  row: Pick<MutationRow, 'mid' | 'status' | 'code' | 'message' | 'at'>,
): Promise<void> {
  await tx
    .insertInto('sync_mutation')
    .values({ workspace_id: workspaceId, user_id: userId, client_id: clientId, ...row })
    .execute();
}

export function findMutation(
  db: Db,
  key: ClientKey,
  mid: number,
): Promise<MutationRow | undefined> {
  return db
    .selectFrom('sync_mutation')
    .selectAll()
    .where('workspace_id', '=', key.workspaceId)
    .where('user_id', '=', key.userId)
    .where('client_id', '=', key.clientId)
    .where('mid', '=', mid)
    .executeTakeFirst();
}

/**
 * Takes an order id made by a client.
 * @returns `ordered`: this order has been made; `taken`: it is another order's, of this workspace or any other
 */
export async function claimOrderId(
  tx: Tx,
  order: { workspaceId: WorkspaceId; orderId: OrderId; postId: PostId; likes: number },
): Promise<'free' | 'ordered' | 'taken'> {
  const { workspaceId, orderId, postId, likes } = order;
  const claimed = await tx
    .insertInto('client_order')
    .values({ order_id: orderId, workspace_id: workspaceId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('order_id')
    .executeTakeFirst();
  const known = await tx
    .selectFrom('like_order')
    .select(['workspace_id', 'post_id', 'ordered'])
    .where('id', '=', orderId)
    .executeTakeFirst();
  if (!known) return claimed ? 'free' : 'taken';
  const isSame =
    known.workspace_id === workspaceId && known.post_id === postId && known.ordered === likes;
  return isSame ? 'ordered' : 'taken';
}
