import { DAY_MS } from '#shared/domain/durations.ts';
import type { Insertable } from 'kysely';
import type { Deps } from '#server/kit/deps.ts';
import { useDay } from '#server/delivery/automatic/automatic-slot.repository.ts';
import type { Db } from '#server/kit/db/database.ts';
import {
  insertLikeOrder,
  type LikeOrderRow,
  type NewLikeOrder,
} from '#server/delivery/orders/like-order.repository.ts';
import type { AccountTable } from '#server/kit/db/tables/account.table.ts';
import type { CardTable } from '#server/kit/db/tables/charge.table.ts';
import type { PostTable } from '#server/kit/db/tables/post.table.ts';
import type { SubscriptionTable } from '#server/kit/db/tables/subscription.table.ts';

import type { TestDeps } from '../test-deps.ts';

type FixtureDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** A workspace whose one account has an active subscription in UTC, read at the clock's time. */
export interface Customer {
  workspaceId: string;
  accountId: string;
  igId: string;
  igUsername: string;
  subscriptionId: string;
}

export async function plantCustomer(
  deps: FixtureDeps,
  account: { igId: string; igUsername: string },
  subscription: Partial<Insertable<SubscriptionTable>> = {},
): Promise<Customer> {
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const [workspaceId, accountId, cardId, subscriptionId] = [
    deps.ids.uuid(),
    deps.ids.uuid(),
    deps.ids.uuid(),
    deps.ids.uuid(),
  ];
  const { igId, igUsername } = account;
  const planted = { workspaceId, accountId, igId, igUsername };
  // In one statement, for there are tests that plant hundreds.
  await db
    .with('planted_workspace', (into) =>
      into.insertInto('workspace').values({ id: workspaceId, created_at: now }),
    )
    .with('planted_person', (into) =>
      into.insertInto('app_user').values(personRow(workspaceId, deps.ids.uuid(), now)),
    )
    .with('planted_account', (into) => into.insertInto('account').values(accountRow(planted, now)))
    .with('planted_card', (into) =>
      into.insertInto('card').values(cardRow(workspaceId, cardId, now)),
    )
    .insertInto('subscription')
    .values({
      workspace_id: workspaceId,
      id: subscriptionId,
      account_id: accountId,
      ig_id: igId,
      package: 1,
      state: 'Active',
      anchor_at: now,
      shift_days: 0,
      time_zone: 'UTC',
      period: 0,
      period_started_at: now,
      next_billing_at: new Date(now.getTime() + 30 * DAY_MS),
      ends_at: null,
      card_id: cardId,
      baseline_read_at: now,
      baseline_post_ids: [],
      created_at: now,
      ...subscription,
    })
    .execute();
  return { ...planted, subscriptionId };
}

const personRow = (workspaceId: string, id: string, now: Date) => ({
  workspace_id: workspaceId,
  id,
  name: 'Ada Example',
  email: `${workspaceId}@example.test`,
  phone: '',
  password_hash: 'none',
  package: 1,
  time_zone: 'UTC',
  default_account_id: null,
  created_at: now,
});

type PlantedAccount = Omit<Customer, 'subscriptionId'>;

const accountRow = (
  { workspaceId, accountId, igId, igUsername }: PlantedAccount,
  now: Date,
): Insertable<AccountTable> => ({
  workspace_id: workspaceId,
  id: accountId,
  ig_username: igUsername,
  ig_id: igId,
  automatic_likes: true,
  speed: 'Instant',
  created_at: now,
});

/** An account of a workspace that is there, with likes for each new post. */
export async function plantAccount(
  { clock, database }: FixtureDeps,
  account: PlantedAccount,
): Promise<void> {
  const row = accountRow(account, new Date(clock.now()));
  await database.db.insertInto('account').values(row).execute();
}

const cardRow = (workspaceId: string, id: string, now: Date): Insertable<CardTable> => ({
  workspace_id: workspaceId,
  id,
  payment_method_id: 'pm_test',
  brand: 'visa',
  last_digits: '242',
  holder_name: 'Ada Alba',
  exp_month: 12,
  exp_year: 2034,
  created_at: now,
  in_use_since: now,
});

/** A post detected now, with an outcome that goes with an automatic order unless told. */
export async function plantPost(
  deps: FixtureDeps,
  customer: Customer,
  post: Pick<PostTable, 'id'> & Partial<Insertable<PostTable>>,
): Promise<void> {
  const now = new Date(deps.clock.now());
  await deps.database.db
    .insertInto('post')
    .values({
      workspace_id: customer.workspaceId,
      account_id: customer.accountId,
      shortcode: `C${post.id}`,
      media_type: 'IMAGE',
      caption: '',
      permalink: `https://network.example/p/C${post.id}/`,
      image_url: null,
      taken_at: now,
      like_count: 0,
      comment_count: 0,
      detected_at: now,
      missing_polls: 0,
      deleted_at: null,
      automatic_outcome: 'ordered',
      ...post,
    })
    .execute();
}

/** Puts a customer's account and these posts of it on the fake network. */
export function publish(
  { network }: Pick<TestDeps, 'network'>,
  { igId, igUsername }: Customer,
  ...postIds: string[]
): void {
  network.addAccount(igUsername, { igId });
  for (const id of postIds) network.addPost(igUsername, { id });
}

/** An automatic order of 20 likes over 20 s for a planted post, due now. */
export async function plantOrder(
  deps: FixtureDeps,
  customer: Customer,
  order: Pick<NewLikeOrder, 'post_id' | 'slot'> & Partial<NewLikeOrder>,
): Promise<string> {
  const nowMs = deps.clock.now();
  const now = new Date(nowMs);
  const id = deps.ids.uuid();
  await deps.database.transaction(async (tx) => {
    const row: NewLikeOrder = {
      workspace_id: customer.workspaceId,
      id,
      kind: 'automatic',
      account_id: customer.accountId,
      ig_id: customer.igId,
      shortcode: `C${order.post_id}`,
      subscription_id: customer.subscriptionId,
      local_day: now.toISOString().slice(0, 10),
      speed: 'Instant',
      ordered: 20,
      bonus: 0,
      views: 0,
      posted_at: now,
      detected_at: now,
      start_at: now,
      finish_by: new Date(nowMs + 20_000),
      plan_price_cents: 999,
      plan_likes: 50,
      period_days: 30,
      ...order,
    };
    await insertLikeOrder(tx, row);
    const { workspaceId, subscriptionId } = customer;
    if (row.local_day) await useDay(tx, { workspaceId, subscriptionId }, row.local_day, now);
  });
  return id;
}

export function readOrder(db: Db, id: string): Promise<LikeOrderRow> {
  return db.selectFrom('like_order').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** What was recorded of an order, in the order it was recorded. */
export async function readEffects(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('order_event')
    .select('kind')
    .where('order_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map(({ kind }) => kind);
}
