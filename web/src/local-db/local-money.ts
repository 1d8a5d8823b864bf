import type { LedgerEntry } from '#shared/contract/credits.ts';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import type { EntityName, EntityRow } from '#shared/sync/entities.ts';
import type { LocalDatabase } from './local-database.ts';
import { listRowsOf, readLocal } from './local-rows.ts';
import { isComplete } from './read-rows.ts';

/** The payments, newest first; undefined when they were never read. */
export const listLocalTransactions = (
  db: LocalDatabase,
): Promise<CreditsTransaction[] | undefined> => listWhole(db, 'transaction');

/** Every change of the credits, newest first; undefined when they were never read. */
export const listLocalLedger = (db: LocalDatabase): Promise<LedgerEntry[] | undefined> =>
  listWhole(db, 'ledger');

function listWhole<Entity extends EntityName>(
  db: LocalDatabase,
  entity: Entity,
): Promise<EntityRow<Entity>[] | undefined> {
  return readLocal(db, async (store) => {
    const rows = await listRowsOf(store, entity);
    return rows.length > 0 || (await isComplete(store, entity)) ? rows : undefined;
  });
}
