import { type Kysely, sql } from 'kysely';

/** A downgrade waits for the due date; a plan that changes at once waits for nothing (D5). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table subscription add column next_package smallint,
        add constraint subscription_next_package_differs check (next_package <> package)`,
    )
    .execute(db);
}
