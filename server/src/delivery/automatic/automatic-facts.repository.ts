import { sql } from 'kysely';
import { UNDECIDED } from '#shared/domain/delivery/automatic-likes.ts';
import type { DeliverySpeed } from '#shared/domain/delivery/delivery-speed.ts';
import { RUNNING_STATES } from '#shared/domain/money/subscription-state.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { AccountKey } from '#server/network/accounts/account.repository.ts';
import type { LikesTerms, PostFacts } from './automatic-decision.ts';
import type { PaidTime } from './unpaid-posts.ts';

/** A subscription that delivers now, with what its account says. */
export interface Deliverable extends AccountKey, PaidTime, Omit<LikesTerms, 'unpaidFrom'> {
  speed: DeliverySpeed;
  createdAt: Date;
  baselineReadAt: Date;
  baselinePostIds: string[];
  pausesAt: Date | null;
  postsWaitSince: Date | null;
}

/** A post that hasn't been decided. */
export interface Undecided extends AccountKey, Omit<PostFacts, 'isInAdvance'> {
  shortcode: string;
  detectedAt: Date | null;
}

/** In the order in which they count: as they appeared on the network. */
export async function listUndecided(tx: Tx, accounts: readonly AccountKey[]): Promise<Undecided[]> {
  const { rows } = await sql<Undecided>`
    select p.workspace_id as "workspaceId", p.account_id as "accountId", p.id, p.shortcode,
      p.media_type as "mediaType", p.taken_at as "takenAt", p.detected_at as "detectedAt"
    from ${keysOf(accounts)} k
    join post p on p.workspace_id = k."workspaceId" and p.account_id = k."accountId"
    where p.automatic_outcome = ${sql.lit(UNDECIDED)} and p.deleted_at is null
    order by p.taken_at, p.detected_at nulls first, p.list_position desc, p.id
  `.execute(tx);
  return rows;
}

function keysOf(accounts: readonly AccountKey[]) {
  const keys = accounts.map(({ workspaceId, accountId }) => ({ workspaceId, accountId }));
  return sql`(select * from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
    as key("workspaceId" uuid, "accountId" uuid))`;
}

/** Subscriptions that deliver now, with what their accounts say. */
export async function listDeliverables(
  tx: Tx,
  accounts: readonly AccountKey[],
  now: Date,
): Promise<Deliverable[]> {
  const { rows } = await sql<
    Omit<Deliverable, 'range'> & { rangeMin: number | null; rangeMax: number | null }
  >`
    select s.workspace_id as "workspaceId", s.account_id as "accountId",
      s.id as "subscriptionId",
      s.package, s.next_billing_at as "nextBillingAt", s.ends_at as "endsAt",
      s.shift_days as "shiftDays",
      case when s.state = 'Active' then s.next_package end as "nextPackage",
      coalesce((select jsonb_agg(jsonb_build_object('package', p.package,
          'periodDays', p.period_days, 'untilMs', extract(epoch from p.until_at) * 1000)
          order by p.until_at)
        from past_plan p where p.workspace_id = s.workspace_id and p.subscription_id = s.id
          and p.superseded_at is null),
        '[]') as "pastPlans",
      s.time_zone as "timeZone", s.ig_id as "igId", s.anchor_at as "anchorAt", s.period,
      s.created_at as "createdAt", s.baseline_read_at as "baselineReadAt", s.baseline_post_ids as "baselinePostIds",
      s.pauses_at as "pausesAt", s.posts_wait_since as "postsWaitSince",
      a.speed, a.automatic_likes as "automaticLikes",
      a.range_min as "rangeMin", a.range_max as "rangeMax"
    from ${keysOf(accounts)} k
    join subscription s on s.workspace_id = k."workspaceId" and s.account_id = k."accountId"
    join account a on a.workspace_id = s.workspace_id and a.id = s.account_id
    where s.state in (${sql.join(RUNNING_STATES)}) and (s.ends_at is null or s.ends_at > ${now})
      and a.ig_id = s.ig_id
  `.execute(tx);
  return rows.map(({ rangeMin, rangeMax, ...row }) => ({
    ...row,
    range: rangeMin === null || rangeMax === null ? undefined : { min: rangeMin, max: rangeMax },
  }));
}
