import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';

type Served = Pick<SubscriptionRow, 'ig_id' | 'past_account_hashes'>;

/**
 * Every network account a subscription has served, those included it was moved away from. Kept for ever,
 * also after its customer has left, so none may tell which account it is.
 */
export function hashServedAccounts(
  { settings }: Pick<Deps, 'settings'>,
  { ig_id: igId, past_account_hashes: past }: Served,
): string[] {
  const current = createHmac('sha256', settings.appSecret)
    .update(`money-back:${igId}`)
    .digest('base64url');
  // In one order for all: two plans that served the same accounts wait for each other, not in a circle.
  return Array.from(new Set([...past, current])).toSorted();
}

/**
 * Takes the one money-back of each network account a subscription has served; false when one of them was
 * taken before, by anybody: then the transaction must not be committed.
 */
export async function claimMoneyBackAccounts(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  row: SubscriptionRow,
): Promise<boolean> {
  const served = hashServedAccounts(deps, row);
  const claimed = await tx
    .insertInto('money_back_account')
    .values(
      served.map((hash) => ({
        account_hash: hash,
        workspace_id: row.workspace_id,
        subscription_id: row.id,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_hash')
    .execute();
  return claimed.length === served.length;
}

/** Ids of those subscriptions that have served an account which has had its one money-back, from anybody. */
export async function listMoneyReturned(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  rows: ReadonlyArray<Served & Pick<SubscriptionRow, 'id'>>,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const served = rows.map((row) => ({ id: row.id, hashes: hashServedAccounts(deps, row) }));
  const asked = Array.from(new Set(served.flatMap(({ hashes }) => hashes)));
  const rowsTaken = await db
    .selectFrom('money_back_account')
    .select('account_hash')
    .where('account_hash', '=', sql<string>`any(${asked}::text[])`)
    .execute();
  const taken = new Set(rowsTaken.map(({ account_hash: hash }) => hash));
  return new Set(
    served.filter(({ hashes }) => hashes.some((hash) => taken.has(hash))).map(({ id }) => id),
  );
}
