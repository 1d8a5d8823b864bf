import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { POST_JOINS } from '../posts.repository.ts';

interface Asked {
  workspaceId: WorkspaceId;
  /** null: all accounts. */
  clientId: string | null;
  from: Date;
  until: Date;
  timeZone: string;
}

/** What posts come to: of an account, of a day, or of all. */
export interface SummedPosts {
  accountId: string | null;
  day: string | null;
  posts: number;
  /** Of those whose organic likes are known. */
  organic: number;
  unknown: number;
  delivered: number;
  /** Of posts whose likes are known: delivered, and gone since. */
  countedDelivered: number;
  lost: number;
}

const sum = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::double precision`;

/** Sums of the month's posts, for each account and day, and one for all; what isn't there has none. */
export async function sumPosts(db: Db, asked: Asked): Promise<SummedPosts[]> {
  const { rows } = await sql<SummedPosts>`
    with post_of_month as materialized (
      select p.account_id, to_char(p.taken_at at time zone ${asked.timeZone}, 'YYYY-MM-DD') as day,
        case when likes.shown then likes.organic end as organic,
        coalesce(o.delivered, 0) as delivered,
        case when likes.shown and likes.organic is not null then coalesce(o.delivered, 0) end as counted,
        -- As likeCounts says it of the total that is shown: organic + everybody's delivered - lost.
        case when likes.shown and likes.organic is not null then least(coalesce(o.delivered, 0),
          greatest(0, p.lost_likes - (coalesce(o.everybodys, 0) - coalesce(o.delivered, 0)))) end as lost
      from post p ${POST_JOINS}
      where p.workspace_id = ${asked.workspaceId} and p.taken_at >= ${asked.from}
        and p.taken_at < ${asked.until} and p.deleted_at is null
        ${ofClient(asked)}
    )
    select account_id as "accountId", day, count(*)::integer as posts, ${sum('organic')} as organic,
      (count(*) filter (where organic is null))::integer as unknown, ${sum('delivered')} as delivered,
      ${sum('counted')} as "countedDelivered", ${sum('lost')} as lost
    from post_of_month group by grouping sets ((account_id), (day), ())`.execute(db);
  return rows;
}

/** How long orders took that were delivered in full, from when we knew of them. */
export interface ReportTimes {
  /** null: of all accounts. */
  accountId: string | null;
  halfSeconds: number;
  mostSeconds: number;
}

/** For the same posts, of each account and of all. */
export async function readDeliveryTimes(db: Db, asked: Asked): Promise<ReportTimes[]> {
  const { rows } = await sql<{ accountId: string | null; seconds: [number, number] }>`
    select l.account_id as "accountId", percentile_disc(array[0.5, 0.95]) within group (
      order by ceil(extract(epoch from l.finished_at - l.detected_at))::integer) as seconds
    from like_order l
      join post p on p.workspace_id = l.workspace_id and p.account_id = l.account_id and p.id = l.post_id
      join account a on a.workspace_id = p.workspace_id and a.id = p.account_id and a.removed_at is null
    where l.workspace_id = ${asked.workspaceId} and l.state = 'Completed' and l.finished_at is not null
      and p.taken_at >= ${asked.from} and p.taken_at < ${asked.until} and p.deleted_at is null
      ${ofClient(asked)}
    group by grouping sets ((l.account_id), ())
    having count(*) > 0`.execute(db);
  return rows.map(({ accountId, seconds: [halfSeconds, mostSeconds] }) => ({
    accountId,
    halfSeconds,
    mostSeconds,
  }));
}

const ofClient = ({ clientId }: Asked) =>
  clientId === null ? sql`` : sql`and a.client_id = ${clientId}`;

/** The accounts of a report, by name, also those without a post. */
export function listReportAccounts(
  db: Db,
  { workspaceId, clientId }: Pick<Asked, 'workspaceId' | 'clientId'>,
): Promise<Array<{ id: string; ig_username: string }>> {
  let accounts = db
    .selectFrom('account')
    .select(['id', 'ig_username'])
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null);
  if (clientId !== null) accounts = accounts.where('client_id', '=', clientId);
  return accounts.orderBy(sql`ig_username collate "C"`).execute();
}
