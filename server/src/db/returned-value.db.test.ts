import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkReturnedValue } from '../features/invariants/returned-value.ts';
import type { Database } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { createMigrator, migrate } from './migrate.ts';

/** The newest version in which orders didn't keep the plan they were made under. */
const BEFORE = '0020-plan-changes';
const ID = '00000000-0000-7000-8000-000000000001';
const AT = '2026-11-20T12:00:00Z';

let database: Database;
beforeAll(async () => {
  database = await openEmbedded({ image: undefined });
  const { error } = await createMigrator(database).migrateTo(BEFORE);
  if (error !== undefined) throw error;
});
afterAll(() => database.close());

const run = (statement: string) => sql.raw(statement).execute(database.db);
const orderId = (n: number): string => `00000000-0000-7000-8000-00000000010${n}`;

async function plantOrder(n: number, ordered: number, delivered: number): Promise<void> {
  await run(`insert into post (workspace_id, account_id, id, shortcode, media_type, caption, permalink,
      taken_at, list_position, comment_count, missing_looks, automatic_outcome)
    values ('${ID}', '${ID}', '${n}', 'C${n}', 'IMAGE', '', '', '${AT}', 0, 0, 0, 'ordered')`);
  await run(`insert into like_order (workspace_id, id, kind, account_id, post_id, ig_id, shortcode,
      subscription_id, local_day, slot, state, speed, ordered, bonus, views, delivered, remains,
      provider_seq, posted_at, detected_at, start_at, finish_by, finished_at, cancel_requested, fence,
      attempts, views_delivered, credits_settled_at)
    values ('${ID}', '${orderId(n)}', 'automatic', '${ID}', '${n}', '1', 'C${n}', '${ID}',
      '2026-11-20', ${n}, 'Partial', 'Instant', ${ordered}, 0, 0, ${delivered},
      ${ordered - delivered}, 1, '${AT}', '${AT}', '${AT}', '${AT}', '${AT}', false, 1, 1, 0, '${AT}')`);
}

test('orders of before get their plan, days and returned credits, and a requested money back is paid once', async () => {
  await run(`insert into workspace (id, created_at) values ('${ID}', '${AT}')`);
  await run(`insert into account (workspace_id, id, ig_username, ig_id, automatic_likes, speed, created_at)
    values ('${ID}', '${ID}', 'ada', '1', true, 'Instant', '${AT}')`);
  await run(`insert into card (workspace_id, id, payment_method_id, brand, last_digits, holder_name,
    exp_month, exp_year, created_at) values ('${ID}', '${ID}', 'pm', 'visa', '4242', 'Ada', 1, 2034, '${AT}')`);
  await run(`insert into subscription (workspace_id, id, account_id, ig_id, package, state, anchor_at,
    time_zone, period, period_started_at, next_billing_at, ends_at, card_id, baseline_read_at,
    baseline_post_ids, created_at) values ('${ID}', '${ID}', '${ID}', '1', 2, 'Canceled', '${AT}', 'UTC', 0,
    '${AT}', '2026-12-20T12:00:00Z', '${AT}', '${ID}', '${AT}', '{}', '${AT}')`);
  await run(`insert into invoice (workspace_id, id, subscription_id, period, amount_cents, description,
    checkout, created_at, paid_at) values ('${ID}', '${ID}', '${ID}', 0, 1700, 'Plan', '{}', '${AT}', '${AT}')`);
  await run(`insert into charge (workspace_id, id, invoice_id, card_id, gateway_key, amount_cents, state,
    created_at, settled_at) values ('${ID}', '${ID}', '${ID}', '${ID}', 'key', 1700, 'succeeded', '${AT}', '${AT}')`);
  await plantOrder(1, 10_000, 2400);
  await plantOrder(2, 80, 80);
  await run(`insert into money_back (workspace_id, subscription_id, state, amount_cents, requested_at,
    approve_by) values ('${ID}', '${ID}', 'Requested', 1700, '${AT}', '2026-11-23T12:00:00Z')`);
  await run(`insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
    next_attempt_at) values ('${ID}', '${ID}', '${ID}', 'money_back', 'refund', 1700, '${AT}', '${AT}')`);

  await migrate(database);

  const { rows } =
    await sql`select plan_price_cents as price, plan_likes as likes, period_days as days,
    credits_returned as credits from like_order order by id`.execute(database.db);
  expect(rows).toEqual([
    // By its likes of the largest plan; an irregular amount by the plan of the subscription.
    { price: 45_000, likes: 10_000, days: 30, credits: 0 },
    { price: 1700, likes: 100, days: 30, credits: 0 },
  ]);
  // The refund is written down anew, with the amount that is owed by then, when it is approved.
  expect(await database.db.selectFrom('refund').select('id').execute()).toEqual([]);
  const asked = await database.db
    .selectFrom('money_back')
    .select(['state', 'amount_cents', 'most_cents', 'charged_cents'])
    .execute();
  expect(asked).toEqual([
    { state: 'Requested', amount_cents: 1700, most_cents: 1700, charged_cents: 1700 },
  ]);
  expect(await checkReturnedValue(database.db)).toEqual([]);
});
