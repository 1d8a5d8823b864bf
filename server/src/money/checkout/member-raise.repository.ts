import { sql } from 'kysely';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';

/**
 * What plans cost more a month since then because somebody said so, as far as these still go on; cents. Whose renewal
 * they pay themselves counts as that.
 */
export async function sumRaises(
  db: Db,
  { workspaceId, userId }: InWorkspace,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(greatest(r.cents, 0)), 0) as cents from member_raise r
      join subscription s on s.workspace_id = r.workspace_id and s.id = r.subscription_id
      where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.at >= ${since}
        and s.ends_at is null and s.state = any(${UNENDED_STATES}::text[])
        and not exists (select from member_charge m
          join charge c on c.workspace_id = m.workspace_id and c.id = m.charge_id
          join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
          where m.workspace_id = r.workspace_id and m.user_id = r.user_id and m.at >= r.at
            and i.subscription_id = r.subscription_id and i.checkout->>'kind' = 'renewal'
            and c.state <> 'declined' and not c.is_returned)`.execute(db);
  return Number(rows[0]?.cents ?? 0);
}

const ofPlan = (tx: Tx, { workspaceId, subscriptionId }: SubscriptionKey) =>
  tx
    .deleteFrom('member_raise')
    .where('workspace_id', '=', workspaceId)
    .where('subscription_id', '=', subscriptionId);

/** Takes what somebody has a plan cost more, or less; more counts since then only. @returns cents */
export async function takeRaise(
  tx: Tx,
  { userId, ...plan }: SubscriptionKey & { userId: string },
  since: Date,
): Promise<number> {
  const own = await ofPlan(tx, plan)
    .where('user_id', '=', userId)
    .returning(['cents', 'at'])
    .executeTakeFirst();
  if (!own) return 0;
  return own.at >= since ? own.cents : Math.min(own.cents, 0);
}

export async function putRaise(
  tx: Tx,
  { workspaceId, subscriptionId, userId }: SubscriptionKey & { userId: string },
  { cents, now }: { cents: number; now: Date },
): Promise<void> {
  if (cents === 0) return;
  const key = { workspace_id: workspaceId, subscription_id: subscriptionId, user_id: userId };
  await tx
    .insertInto('member_raise')
    .values({ ...key, cents, at: now })
    .execute();
}

/** Nothing that was said of a plan holds any more. */
export async function deleteRaises(tx: Tx, plan: SubscriptionKey): Promise<void> {
  await ofPlan(tx, plan).execute();
}

/** It is nobody's any more to take back that they had the plan cost less. */
export async function deleteLowerings(tx: Tx, plan: SubscriptionKey): Promise<void> {
  await ofPlan(tx, plan).where('cents', '<', 0).execute();
}

/** A plan is to cost so much less again: whoever had it cost more last has that back first. @returns what they have back */
export async function lowerRaises(
  tx: Tx,
  plan: SubscriptionKey,
  { cents, since }: { cents: number; since: Date },
): Promise<number> {
  const raises = await ofPlan(tx, plan)
    .where('cents', '>', 0)
    .where('at', '>=', since)
    .returning(['user_id', 'cents', 'at'])
    .execute();
  let left = cents;
  for (const raise of raises.toSorted((a, b) => b.at.getTime() - a.at.getTime())) {
    const back = Math.min(left, raise.cents);
    left -= back;
    const kept = { cents: raise.cents - back, now: raise.at };
    await putRaise(tx, { ...plan, userId: raise.user_id }, kept);
  }
  return cents - left;
}
