import { type Selectable, sql } from 'kysely';
import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { BulkItemTable, BulkOperationTable } from '#server/kit/db/tables/bulk.table.ts';

export type OperationRow = Selectable<BulkOperationTable>;
export type ItemRow = Selectable<BulkItemTable>;

export interface OperationKey {
  workspaceId: WorkspaceId;
  operationId: string;
}

/** An item as it is planned. */
export type NewItem = Pick<
  ItemRow,
  | 'position'
  | 'account_id'
  | 'ig_username'
  | 'seen'
  | 'today_cents'
  | 'month_cents'
  | 'outcome'
  | 'code'
  | 'reason'
  | 'attempt_id'
> & { change: BulkChange };

const operationOf = (db: Db, { workspaceId, operationId }: OperationKey) =>
  db
    .selectFrom('bulk_operation')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', operationId);

export function findOperation(db: Db, key: OperationKey): Promise<OperationRow | undefined> {
  return operationOf(db, key).executeTakeFirst();
}

/** The same, held until the end of the transaction. */
export function lockOperation(tx: Tx, key: OperationKey): Promise<OperationRow | undefined> {
  return operationOf(tx, key).forUpdate().executeTakeFirst();
}

export async function insertOperation(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  row: Pick<OperationRow, 'state' | 'started_by' | 'created_at'> &
    Partial<Pick<OperationRow, 'undo_of' | 'approves'>>,
): Promise<void> {
  await tx
    .insertInto('bulk_operation')
    .values({ ...row, workspace_id: workspaceId, id: operationId })
    .execute();
}

/** Who plans anew has dropped what they planned before. */
export async function deleteDrafts(
  tx: Tx,
  workspaceId: WorkspaceId,
  startedBy: string,
): Promise<void> {
  await tx
    .deleteFrom('bulk_operation')
    .where('workspace_id', '=', workspaceId)
    .where('started_by', '=', startedBy)
    .where('state', '=', 'draft')
    .execute();
}

/** Replaces what is planned from this position on. */
export async function replaceItems(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  from: number,
  items: readonly NewItem[],
): Promise<void> {
  await tx
    .deleteFrom('bulk_item')
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', '=', operationId)
    .where('position', '>=', from)
    .execute();
  await sql`
    insert into bulk_item (workspace_id, operation_id, position, account_id, ig_username, change, seen,
      today_cents, month_cents, outcome, code, reason, attempt_id)
    select ${workspaceId}, ${operationId}, i.* from jsonb_to_recordset(${JSON.stringify(items)}::text::jsonb)
      as i(position int, account_id uuid, ig_username text, change jsonb, seen text,
        today_cents int, month_cents int, outcome text, code text, reason text, attempt_id uuid)`.execute(
    tx,
  );
}

/** Everything that can be changed waits for its turn from now on; what is the same already goes. */
export async function beginOperation(
  tx: Tx,
  key: OperationKey & { sessionId: string },
  now: Date,
): Promise<void> {
  const { workspaceId, operationId, sessionId } = key;
  await tx
    .updateTable('bulk_operation')
    .set({ state: 'running', started_at: now, session_id: sessionId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', operationId)
    .execute();
  await tx
    .deleteFrom('bulk_item')
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', '=', operationId)
    .where('outcome', '=', 'same')
    .execute();
  await tx
    .updateTable('bulk_item')
    .set({ outcome: 'waiting', due_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', '=', operationId)
    .where('outcome', '=', 'planned')
    .execute();
}

/** What takes an operation back, as far as it can be; its prices were nothing and stay so. */
export async function insertUndo(
  tx: Tx,
  { workspaceId, operationId }: OperationKey,
  undoOf: string,
  newIds: () => string,
): Promise<void> {
  const rows = await tx
    .selectFrom('bulk_item')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', '=', undoOf)
    .where('undo', 'is not', null)
    .orderBy('position')
    .execute();
  const items = rows.flatMap((row, position): NewItem[] =>
    row.undo === null
      ? []
      : [
          {
            ...row,
            position,
            change: row.undo,
            seen: row.left_as,
            month_cents: -row.month_cents,
            outcome: 'planned',
            attempt_id: newIds(),
          },
        ],
  );
  await replaceItems(tx, { workspaceId, operationId }, 0, items);
}

export interface ItemClaim extends ItemRow {
  startedBy: string;
  /** When its operation began. */
  startedAt: Date;
  isUndo: boolean;
}

/** The code says why the last attempt was deferred; a change under way has none. */
const BEGIN = sql`${RAISE_FENCE}, code = null`;

/**
 * Changes whose turn has come: of each workspace as many as of any other, however much waits. Where there are more
 * workspaces than changes to claim, it begins with those behind `after`.
 */
export async function claimItems(
  db: Db,
  { after, ...lease }: Lease & { after: WorkspaceId | undefined },
): Promise<ItemClaim[]> {
  // More than one worker takes at once: what others hold is passed over.
  const join = sql`join (
      select i.place, row_number() over (partition by o.workspace_id order by i.due_at, i.position) as nr
      from bulk_operation o cross join lateral (
        select i.ctid as place, i.due_at, i.position from bulk_item i
        where i.workspace_id = o.workspace_id and i.operation_id = o.id and i.due_at <= ${lease.now}
        order by i.due_at, i.position limit ${4 * lease.limit}
      ) i where o.state = 'running'
    ) turn on turn.place = t.ctid`;
  const order = sql`turn.nr, t.workspace_id <= ${after ?? null}::uuid, t.workspace_id`;
  return claimDue(
    db,
    { ...lease, table: 'bulk_item', due: 'due_at', priority: { join, order }, set: BEGIN },
    sql<ItemClaim>`t.*, (select o.started_by from bulk_operation o
      where o.workspace_id = t.workspace_id and o.id = t.operation_id) as "startedBy",
      (select o.started_at from bulk_operation o
        where o.workspace_id = t.workspace_id and o.id = t.operation_id) as "startedAt",
      exists (select from bulk_operation o where o.workspace_id = t.workspace_id
        and o.id = t.operation_id and o.undo_of is not null) as "isUndo"`,
  );
}

/** The states in which operations need a worker now: an idle one asks this and nothing else. */
export async function listStatesWithWork(
  db: Db,
  proposedBefore: Date,
): Promise<Array<OperationRow['state']>> {
  const rows = await db
    .selectFrom('bulk_operation')
    .select('state')
    .distinct()
    .where((row) =>
      row.or([
        row('state', '=', 'running'),
        row.and([row('state', '=', 'proposed'), row('started_at', '<=', proposedBefore)]),
      ]),
    )
    .execute();
  return rows.map(({ state }) => state);
}

/**
 * Operations of which nothing waits any more are done. Asked after changes were stored, never with them: of the last
 * two each would see the other one wait.
 */
export async function endFinished(tx: Tx, now: Date): Promise<OperationKey[]> {
  const { rows } = await sql<OperationKey>`
    update bulk_operation o set state = 'done', ended_at = ${now}
    where o.state = 'running' and not exists (select from bulk_item i
      where i.workspace_id = o.workspace_id and i.operation_id = o.id
        and i.outcome = 'waiting')
    returning o.workspace_id as "workspaceId", o.id as "operationId"`.execute(tx);
  return rows;
}

function selectLast(
  db: Db,
  { workspace_id, operation_id }: Pick<ItemRow, 'workspace_id' | 'operation_id'>,
  limit: number,
) {
  return db
    .selectFrom('bulk_item')
    .select('code')
    .where('workspace_id', '=', workspace_id)
    .where('operation_id', '=', operation_id)
    .where('ended_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(limit);
}

/** How the last names of an operation came out, the newest first. */
export async function listLastAdded(
  db: Db,
  item: Pick<ItemRow, 'workspace_id' | 'operation_id'>,
  limit: number,
): Promise<Array<ItemRow['code']>> {
  const rows = await selectLast(db, item, limit).orderBy('position', 'desc').execute();
  return rows.map(({ code }) => code);
}

/** Codes by which the bank refuses the card. Other codes refuse one change alone. */
const CARD_DECLINES = ['card_declined', 'insufficient_funds'] as const;

/** How the last payments of an operation came out, the newest first: null: paid; else why the bank refused. */
export async function listLastPayments(
  db: Db,
  item: Pick<ItemRow, 'workspace_id' | 'operation_id'>,
  limit: number,
): Promise<Array<ItemRow['code']>> {
  const rows = await selectLast(db, item, limit)
    .where('today_cents', '>', 0)
    .where((is) => is.or([is('code', 'is', null), is('code', 'in', CARD_DECLINES)]))
    .execute();
  return rows.map(({ code }) => code);
}

/** Drafts nobody started, and operations and proposals that nobody looks at any more. */
export async function deleteOldOperations(
  db: Db,
  { draftsBefore, doneBefore }: { draftsBefore: Date; doneBefore: Date },
): Promise<void> {
  await sql`delete from bulk_operation where created_at < ${draftsBefore} and state = 'draft'
    or created_at < ${doneBefore} and state not in ('draft', 'running', 'proposed')`.execute(db);
}
