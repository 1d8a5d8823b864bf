import { type Kysely, sql } from 'kysely';

const AFTER_LAST_DAY = `
  select s.workspace_id, s.id, s.pauses_at,
    (max(d.local_day) + 1)::timestamp at time zone s.time_zone as resumes_at
  from subscription s join subscription_day d on d.workspace_id = s.workspace_id
    and d.subscription_id = s.id and d.state = 'given' and d.cause = 'paused'
    and d.local_day > (s.pauses_at at time zone s.time_zone)::date
  where s.state = 'Paused' and (s.resumes_at at time zone s.time_zone)::time <> '00:00'
  group by s.workspace_id, s.id`;

const STATEMENTS = [
  // Cut off in the middle of its last day, a pause would take that day back, which was promised.
  `update subscription_pause p set resumes_at = e.resumes_at from (${AFTER_LAST_DAY}) e
    where p.workspace_id = e.workspace_id and p.subscription_id = e.id and p.pauses_at = e.pauses_at`,
  `update subscription s set resumes_at = e.resumes_at, next_action_at = e.resumes_at
    from (${AFTER_LAST_DAY}) e where s.workspace_id = e.workspace_id and s.id = e.id`,
];

/** A pause that began under the earlier rules ends after the last of its days, as all pauses do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
