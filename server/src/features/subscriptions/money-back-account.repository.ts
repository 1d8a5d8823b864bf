import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';

/** Kept for ever, also after its customer has left, so it may not tell which account it is. */
function hashAccount({ settings }: Pick<Deps, 'settings'>, igId: string): string {
  return createHmac('sha256', settings.appSecret).update(`money-back:${igId}`).digest('base64url');
}

/** Takes the one money-back of a network account; false when it was taken before, by anybody. */
export async function claimMoneyBackAccount(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  row: SubscriptionRow,
): Promise<boolean> {
  const claimed = await tx
    .insertInto('money_back_account')
    .values({
      account_hash: hashAccount(deps, row.ig_id),
      workspace_id: row.workspace_id,
      subscription_id: row.id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_hash')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Which of these network ids have had their one money-back, from anybody. */
export async function listMoneyReturned(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  networkIds: readonly string[],
): Promise<Set<string>> {
  if (networkIds.length === 0) return new Set();
  const igIds = new Map(networkIds.map((igId) => [hashAccount(deps, igId), igId]));
  const taken = await db
    .selectFrom('money_back_account')
    .select('account_hash')
    .where('account_hash', '=', sql<string>`any(${Array.from(igIds.keys())}::text[])`)
    .execute();
  return new Set(taken.map(({ account_hash: hash }) => igIds.get(hash) ?? ''));
}
