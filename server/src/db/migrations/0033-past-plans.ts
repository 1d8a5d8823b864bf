import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table past_plan (
    workspace_id uuid not null,
    subscription_id uuid not null,
    until_at timestamptz not null,
    package smallint not null,
    period_days smallint not null,
    primary key (workspace_id, subscription_id, until_at),
    foreign key (workspace_id, subscription_id) references subscription (workspace_id, id)
      on delete cascade
  )`,
  // The plans before each upgrade, as their checkouts tell; cheaper ones taken in between are not known.
  `insert into past_plan (workspace_id, subscription_id, until_at, package, period_days)
    select workspace_id, subscription_id, until_at, package,
      (until_at + interval '1 month')::date - until_at::date
    from (
      select i.workspace_id, s.id as subscription_id, (i.checkout ->> 'package')::smallint as package,
        lead(i.created_at) over (partition by s.workspace_id, s.id order by i.era) as until_at
      from invoice i join subscription s
        on s.workspace_id = i.workspace_id and s.id = (i.checkout ->> 'subscriptionId')::uuid
      where i.paid_at is not null and i.era <= s.era
        and i.checkout ->> 'kind' in ('subscription', 'plan_change')
    ) plan
    where until_at is not null
    on conflict do nothing`,
];

/** The plans that a subscription had before its present one, because a post gets the plan of its time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
