import { type Kysely, sql } from 'kysely';

/** Finds the orders of the last minutes or days without reading all of them: metrics and checks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index like_order_by_detection on like_order (detected_at)`.execute(db);
  await sql`create index charge_by_creation on charge (created_at)`.execute(db);
}
