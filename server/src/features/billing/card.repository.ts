import type { Selectable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { CardTable } from './charge.table.ts';

export type CardRow = Selectable<CardTable>;

/** The saved card of a workspace: the one that most recently began to pay. */
export function findCard(db: Db, workspaceId: string): Promise<CardRow | undefined> {
  return db
    .selectFrom('card')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('in_use_since', 'is not', null)
    .orderBy('in_use_since', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
