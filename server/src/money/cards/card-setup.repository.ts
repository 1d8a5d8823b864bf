import { type Selectable, sql, type Updateable } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { CardSetupTable } from '#server/kit/db/tables/charge.table.ts';

export type CardSetupRow = Selectable<CardSetupTable>;

export interface CardSetupKey {
  workspaceId: WorkspaceId;
  setUpId: string;
}

const OPEN_STATES = ['sent', 'needs_action'] as const;

export function findCardSetup(
  db: Db,
  { workspaceId, setUpId }: CardSetupKey,
): Promise<CardSetupRow | undefined> {
  return db
    .selectFrom('card_setup')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', setUpId)
    .executeTakeFirst();
}

/** A set-up, held until the end of the transaction. */
export function lockCardSetup(tx: Tx, key: CardSetupKey): Promise<CardSetupRow | undefined> {
  return tx
    .selectFrom('card_setup')
    .selectAll()
    .where('workspace_id', '=', key.workspaceId)
    .where('id', '=', key.setUpId)
    .forUpdate()
    .executeTakeFirst();
}

/** Those that wait for the customer, at the bank or on the gateway's page, or whose answer nobody has heard yet; oldest first. */
export function listOpenCardSetups(db: Db, workspaceId: WorkspaceId): Promise<CardSetupRow[]> {
  return db
    .selectFrom('card_setup')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', OPEN_STATES)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Writes a set-up before the gateway is asked. */
export async function insertCardSetup(
  tx: Tx,
  row: Pick<
    CardSetupRow,
    'workspace_id' | 'id' | 'payment_method_id' | 'asked_by' | 'created_at'
  > & { next_check_at: Date },
): Promise<void> {
  await tx
    .insertInto('card_setup')
    .values({
      ...row,
      state: 'sent',
      gateway_setup_id: null,
      action_url: null,
      decline_code: null,
      settled_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Changes one that isn't settled. */
export async function changeCardSetup(
  db: Db,
  row: Pick<CardSetupRow, 'workspace_id' | 'id'>,
  change: Updateable<CardSetupTable>,
): Promise<void> {
  await db
    .updateTable('card_setup')
    .set(change)
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .where('state', 'in', OPEN_STATES)
    .execute();
}

export function claimDueCardSetups(db: Db, lease: Lease): Promise<CardSetupKey[]> {
  return claimDue(
    db,
    { ...lease, table: 'card_setup', due: 'next_check_at', set: RAISE_FENCE },
    sql<CardSetupKey>`t.workspace_id as "workspaceId", t.id as "setUpId"`,
  );
}
