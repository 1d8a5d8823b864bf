import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';

/** Keyed hashes of the cards a subscription was charged to; a card without fingerprint has none. */
async function hashChargedCards(
  db: Db,
  { settings }: Pick<Deps, 'settings'>,
  { workspaceId, subscriptionId }: SubscriptionKey,
): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`
    select distinct k.fingerprint from invoice i
    join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id and c.state = 'succeeded'
    join card k on k.workspace_id = c.workspace_id and k.id = c.card_id
    where i.workspace_id = ${workspaceId} and i.subscription_id = ${subscriptionId}
      and k.fingerprint is not null`.execute(db);
  return rows
    .map(({ fingerprint }) =>
      createHmac('sha256', settings.appSecret)
        .update(`money-back-card:${fingerprint}`)
        .digest('base64url'),
    )
    .toSorted();
}

/** Whether none of its cards has had the free likes of a money back. */
export async function hasFreeLikes(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  key: SubscriptionKey,
): Promise<boolean> {
  const hashes = await hashChargedCards(db, deps, key);
  if (hashes.length === 0) return true;
  const taken = await db
    .selectFrom('money_back_card')
    .select('card_hash')
    .where('card_hash', 'in', hashes)
    .limit(1)
    .executeTakeFirst();
  return taken === undefined;
}

/** Takes the free likes of the cards a subscription was charged to. @returns whether they were all free */
export async function claimFreeLikes(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  key: SubscriptionKey,
): Promise<boolean> {
  const hashes = await hashChargedCards(tx, deps, key);
  if (hashes.length === 0) return true;
  const { workspaceId: workspace_id, subscriptionId: subscription_id } = key;
  const claimed = await tx
    .insertInto('money_back_card')
    .values(hashes.map((card_hash) => ({ card_hash, workspace_id, subscription_id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('card_hash')
    .execute();
  return claimed.length === hashes.length;
}
