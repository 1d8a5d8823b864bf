import { type Kysely, sql } from 'kysely';

const DELETED = `workspace_id not in (select workspace_id from app_user)`;

const STATEMENTS = [
  `insert into card_detachment (workspace_id, gateway_customer_id, asked_at, next_attempt_at)
    select workspace_id, gateway_customer_id, now(), now() from gateway_customer where ${DELETED}
    on conflict do nothing`,
  `delete from gateway_customer where ${DELETED}`,
  `delete from network_subscription where ${DELETED}`,
  `update card set holder_name = '', last_digits = '', payment_method_id = '' where ${DELETED}`,
  `update invoice set checkout = checkout - 'igId' - 'baselinePostIds' where ${DELETED}`,
];

/** What calls beside the deletion of their customer have left behind goes, as if they had come before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
