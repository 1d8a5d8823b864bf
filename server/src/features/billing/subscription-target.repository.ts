import type { Tx } from '../../db/database.ts';
import { type SubscriptionRow, UNENDED_STATES } from './subscription.repository.ts';
import { showOrganic } from '../posts/organic-right.repository.ts';

/** What new posts are told apart by (D7): the ids a reading showed, and when it was made. */
export interface BaselineReading {
  readAt: Date;
  posts: ReadonlyArray<{ id: string }>;
}

/** Holds an account's unended subscription until the end of the transaction. */
export function lockUnendedSubscription(
  tx: Tx,
  workspaceId: string,
  accountId: string,
): Promise<SubscriptionRow | undefined> {
  return tx
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('state', 'in', UNENDED_STATES)
    .forUpdate()
    .executeTakeFirst();
}

/** From now on new posts are those this reading hasn't shown. The account's watch must be locked. */
export async function retakeBaseline(
  tx: Tx,
  subscription: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
  reading: BaselineReading,
): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({
      baseline_read_at: reading.readAt,
      baseline_post_ids: reading.posts.map(({ id }) => id),
    })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .execute();
}

/** Has the subscription deliver to another account; its dates, price and payments stay. */
export async function moveSubscription(
  tx: Tx,
  subscription: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
  target: { accountId: string; igId: string; pastAccountHashes: string[]; now: Date },
): Promise<void> {
  await showOrganic(tx, { workspaceId: subscription.workspace_id, igId: target.igId });
  await tx
    .updateTable('subscription')
    .set({
      account_id: target.accountId,
      ig_id: target.igId,
      past_account_hashes: target.pastAccountHashes,
      moved_at: target.now,
      displaced_at: null,
    })
    .where('workspace_id', '=', subscription.workspace_id)
    .where('id', '=', subscription.id)
    .execute();
}
