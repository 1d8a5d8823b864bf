import { sql } from 'kysely';
import type { InWorkspace } from '#server/identity/members/membership.repository.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { UNENDED_STATES } from '#shared/domain/subscription-state.ts';
import type { SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';

/** What plans cost more a month since then because somebody said so, as far as these still go on; cents. */
export async function sumRaises(
  db: Db,
  { workspaceId, userId }: InWorkspace,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(sum(r.cents), 0) as cents from member_raise r
      join subscription s on s.workspace_id = r.workspace_id and s.id = r.subscription_id
      where r.workspace_id = ${workspaceId} and r.user_id = ${userId} and r.at >= ${since}
        and s.ends_at is null and s.state = any(${UNENDED_STATES}::text[])`.execute(db);
  return Number(rows[0]?.cents ?? 0);
}

/** One more of a plan; of an earlier month it counts no more. */
export async function addRaise(
  tx: Tx,
  { workspaceId, subscriptionId, userId }: SubscriptionKey & { userId: string },
  { cents, since, now }: { cents: number; since: Date; now: Date },
): Promise<void> {
  await sql`
    insert into member_raise as r (workspace_id, subscription_id, user_id, cents, at)
    values (${workspaceId}, ${subscriptionId}, ${userId}, ${cents}, ${now})
    on conflict (workspace_id, subscription_id, user_id) do update set at = excluded.at,
      cents = excluded.cents + case when r.at >= ${since} then r.cents else 0 end`.execute(tx);
}

/** A plan is to cost so much less again, whoever says so; undefined: nothing that was said of it holds. */
export async function lowerRaises(
  tx: Tx,
  { workspaceId, subscriptionId }: SubscriptionKey,
  cents?: number,
): Promise<void> {
  const ofPlan = sql`workspace_id = ${workspaceId} and subscription_id = ${subscriptionId}`;
  await sql`delete from member_raise where ${ofPlan} and cents <= ${cents ?? null}::int is not false`.execute(
    tx,
  );
  if (cents === undefined) return;
  await sql`update member_raise set cents = cents - ${cents} where ${ofPlan}`.execute(tx);
}

/** Whoever pays a renewal themselves has it counted as that. */
export async function endRaiseOfRenewal(
  tx: Tx,
  { workspaceId, userId }: InWorkspace,
  chargeId: string,
): Promise<void> {
  await sql`
    delete from member_raise r using charge c, invoice i
    where c.workspace_id = ${workspaceId} and c.id = ${chargeId}
      and i.workspace_id = c.workspace_id and i.id = c.invoice_id
      and i.checkout->>'kind' = 'renewal' and r.workspace_id = c.workspace_id
      and r.subscription_id = i.subscription_id and r.user_id = ${userId}`.execute(tx);
}
