import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Ended pauses of before moved the due date and left no row for each of their days.
  `alter table subscription add column unlisted_shift_days integer not null default 0`,
  `update subscription s set unlisted_shift_days = s.shift_days - (
    select count(*) from subscription_day d
    where d.workspace_id = s.workspace_id and d.subscription_id = s.id
      and d.state = 'given' and d.era = s.era)`,
];

/** How much of a due date's shift the days given back don't tell, so that the rest can be checked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
