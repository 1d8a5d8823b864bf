import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import { sendMail } from './send-mail.ts';

/** A locked subscription has let go of its network account: who was displaced from it can have it back. */
export async function tellDisplaced(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { id, ig_id: igId }: Pick<SubscriptionRow, 'id' | 'ig_id'>,
  now: Date,
): Promise<void> {
  const waiting = await tx
    .selectFrom('subscription')
    .select(['workspace_id', 'id', 'resumes_at'])
    .where('ig_id', '=', igId)
    .where('id', '<>', id)
    .where('state', '=', 'Paused')
    .where('displaced_at', 'is not', null)
    .execute();
  for (const { workspace_id: workspaceId, id: subscriptionId, resumes_at: until } of waiting) {
    if (!until) continue;
    const mail = { kind: 'account_free', subscriptionId, until: until.toISOString() } as const;
    await sendMail(tx, deps, workspaceId, mail, now);
  }
}
