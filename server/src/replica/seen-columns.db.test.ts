import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/databases/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/**
 * Columns of synced tables that one of the two triggers on updates doesn't compare, neither by name
 * nor with the whole row; those of the primary key never change.
 */
async function unseenColumns(): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; columns: string }>`
    select t.relname as name, string_agg(a.attname, ' ' order by a.attname) as columns
    from pg_proc p join pg_class t on 'sync_' || t.relname = p.proname and t.relkind = 'r'
    join pg_trigger late on late.tgrelid = t.oid and late.tgname = 'sync_late_update'
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where (p.prosrc !~ ('[^a-z_]n[.]' || a.attname || '[^a-z_]') and p.prosrc not like '%to_jsonb(n)%')
      or (pg_get_triggerdef(late.oid) !~ ('[^a-z_]new[.]' || a.attname || '[^a-z_]')
        and pg_get_triggerdef(late.oid) !~ 'to_jsonb[(]new[.*]*[)]'
        and p.prosrc not like '%o.' || a.attname || ' = n.' || a.attname || '%')
    group by t.relname`.execute(database.db);
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

/** None of these alone changes what a replica shows, or it changes with one that is seen. Rows of the ledger never change. */
const UNSEEN = {
  account: 'imported_at last_read_at unreadable_since username_changed_at',
  app_user: 'created_at password_hash',
  card: 'billing_address created_at fingerprint payment_method_id refresh_at',
  credit_balance: 'entries',
  credits_transaction: 'charge_id',
  ledger_transaction: 'at balance charge_id description key kind number order_id',
  like_order:
    'account_id attempted_at attempts cancel_requested credits_settled_at fence in_advance known_at local_day next_attempt_at period_days plan_likes plan_price_cents post_id provider_seq settle_after slot start_at subscription_id',
  post: 'image_url missing_polls open_reading_at',
  refund_request:
    'amount_cents approve_by approved_at bonus_credits charged_cents credits_cents has_free_likes likes likes_cents most_cents order_credits paid_at paid_likes requested_at taken_credits',
  membership: 'created_at id',
  session:
    'acting_workspace_id created_at end_reason keep_signed_in last_seen_at token_hash user_id',
};

test('a column of a synced table is seen by its trigger, or is said to be no part of a replica', async () => {
  expect(await unseenColumns()).toEqual(UNSEEN);
});

test('a column that nobody thought of is found', async () => {
  await sql`alter table account add column zz_planted text`.execute(database.db);
  expect(await unseenColumns()).toEqual({ ...UNSEEN, account: `${UNSEEN.account} zz_planted` });
});

test('a column that the trigger of late changes overlooks is found', async () => {
  await sql`drop trigger sync_late_update on app_user`.execute(database.db);
  await sql`create constraint trigger sync_late_update after update on app_user
    deferrable initially deferred for each row
    when (old.email is distinct from new.email and sync_mark())
    execute function sync_flush_late()`.execute(database.db);
  expect(await unseenColumns()).toMatchObject({
    app_user: 'created_at default_account_id name package password_hash phone time_zone',
  });
});
