import { sql } from 'kysely';
import type { OrderId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Ids } from '#server/kit/deps.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { insertMail } from './owed-mail.repository.ts';

/** Orders that end within this time of each other are told in one mail. */
const TOGETHER_MS = 10 * MINUTE_MS;

/**
 * Owes whoever wants it a mail about orders that were delivered in full. The preferences are locked, so that
 * two orders that end at once don't owe two mails; always after the orders and by workspace.
 */
export async function oweLikesDelivered(
  tx: Tx,
  ids: Ids,
  orders: ReadonlyArray<{ workspace_id: WorkspaceId; id: string }>,
  now: Date,
): Promise<void> {
  const byWorkspace = Map.groupBy(orders, (order) => order.workspace_id);
  if (byWorkspace.size === 0) return;
  const people = await tx
    .selectFrom('user_preference')
    .select(['workspace_id', 'user_id'])
    .where('workspace_id', 'in', [...byWorkspace.keys()])
    .where('likes_done_mail', '=', true)
    .orderBy('workspace_id')
    .orderBy('user_id')
    .forUpdate()
    .execute();
  for (const { workspace_id: workspaceId, user_id: userId } of people) {
    const orderIds = byWorkspace.get(workspaceId)?.map(({ id }) => id) ?? [];
    if (await addToWaiting(tx, { workspaceId, userId, orderIds, now })) continue;
    await insertMail(tx, {
      workspaceId,
      id: ids.uuid(),
      payload: { kind: 'likes_delivered', userId, orderIds },
      now,
      dueAt: new Date(now.getTime() + TOGETHER_MS),
    });
  }
}

/** Whether a mail was still waiting and tells of these too. One that is due is on its way. */
async function addToWaiting(
  tx: Tx,
  more: { workspaceId: WorkspaceId; userId: string; orderIds: OrderId[]; now: Date },
): Promise<boolean> {
  const waiting = JSON.stringify({ kind: 'likes_delivered', userId: more.userId });
  const { numAffectedRows = 0n } = await sql`
    update owed_mail
      set payload = jsonb_set(payload, '{orderIds}',
        payload -> 'orderIds' || ${JSON.stringify(more.orderIds)}::jsonb)
      where workspace_id = ${more.workspaceId} and next_attempt_at > ${more.now}
        and payload @> ${waiting}::jsonb`.execute(tx);
  return numAffectedRows > 0n;
}
