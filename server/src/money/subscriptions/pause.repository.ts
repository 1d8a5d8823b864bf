import type { Tx } from '#server/kit/db/database.ts';
import type { SubscriptionRow } from './subscription.repository.ts';

type OfSubscription = Pick<SubscriptionRow, 'workspace_id' | 'id' | 'ig_id' | 'pauses_at'>;

/** Pauses since then of this subscription, and of any of the workspace's that served its network account. */
export async function countPauses(tx: Tx, row: OfSubscription, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('subscription_pause')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', row.workspace_id)
    .where('pauses_at', '>', since)
    .where((eb) => eb.or([eb('ig_id', '=', row.ig_id), eb('subscription_id', '=', row.id)]))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertPause(
  tx: Tx,
  row: OfSubscription,
  { pausesAt, resumesAt }: { pausesAt: Date; resumesAt: Date },
): Promise<void> {
  await tx
    .insertInto('subscription_pause')
    .values({
      workspace_id: row.workspace_id,
      subscription_id: row.id,
      ig_id: row.ig_id,
      pauses_at: pausesAt,
      resumes_at: resumesAt,
    })
    .execute();
}

/** A planned pause that was taken back counts as none. */
export async function deletePause(tx: Tx, row: OfSubscription): Promise<void> {
  await tx
    .deleteFrom('subscription_pause')
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('pauses_at', '=', row.pauses_at)
    .execute();
}

export async function endPauseAt(tx: Tx, row: OfSubscription, endedAt: Date): Promise<void> {
  await tx
    .updateTable('subscription_pause')
    .set({ resumes_at: endedAt })
    .where('workspace_id', '=', row.workspace_id)
    .where('subscription_id', '=', row.id)
    .where('pauses_at', '=', row.pauses_at)
    .execute();
}
