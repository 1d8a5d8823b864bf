import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table like_order add column in_advance boolean not null default false`,
  `alter table past_plan add column closed_day date`,
];

/** Which orders were made before the payment for their posts; the first day of a past plan that has had its posts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
