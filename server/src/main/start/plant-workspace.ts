import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Database, Db, Tx } from '#server/kit/db/database.ts';
import type { SubscriptionTable } from '#server/kit/db/tables/subscription.table.ts';
import { deliveryOf, bookedOrder, deliveryRows, listOwners } from './planted-delivery.ts';
import {
  agedPlan,
  followersOf,
  igIdOf,
  orderRow,
  type Owner,
  type PlantedAccount,
  type PlantedNetwork,
  postRow,
  published,
  takenAt,
} from './planted-rows.ts';

/** How large a workspace becomes. */
export interface PlantedSize {
  /** Connected accounts with a running plan, besides those it has. */
  accounts: number;
  /** Posts over all accounts, the newest as of now and one every so many minutes before it. */
  posts: number;
  minutesApart: number;
  /** One post in so many has an ended order; 0: none. */
  postsPerOrder: number;
}

const BATCH = 1000;
const PLANTED_IG_IDS = '90000000%';
const PLANTED_POST_IDS = '30000000%';

/**
 * Makes a customer's workspace large, through the write rule like every other change: sync finds what it would find
 * after years of use. Accounts are like the one that was paid for first, with the same card. Stopped half way it goes on
 * where it was. Without a network, pictures are those of the posts it has, and nobody polls.
 */
export async function plantLargeWorkspace(
  database: Database,
  workspaceId: string,
  size: PlantedSize,
  nowMs: number,
  network?: PlantedNetwork,
): Promise<void> {
  const { accounts: hasAccounts, posts: hasPosts } = await countPlanted(database.db, workspaceId);
  // Before: while rows are written, a connection that waits would be closed.
  if (network) await publishAll(network, { ...size, hasPosts }, nowMs);
  if (hasAccounts < size.accounts) {
    const model = await findModel(database.db, workspaceId);
    for (const numbers of batches(hasAccounts, size.accounts)) {
      network?.stopping.throwIfAborted();
      await database.transaction((tx) => plantAccounts(tx, model, { numbers, nowMs, network }));
    }
  }
  const owners = await listOwners(database.db, workspaceId, network && PLANTED_IG_IDS);
  const pictures = network ? [] : await listPictures(database.db, workspaceId);
  for (const numbers of batches(hasPosts, size.posts)) {
    network?.stopping.throwIfAborted();
    const posts = numbers.map((nr) => {
      const owner = owners[nr % owners.length];
      if (!owner) throw new Error('A workspace has at least one account');
      const at = takenAt(nr, size, nowMs);
      const delivery = owner.plan ? deliveryOf(nr, at, owner.plan.package, nowMs) : undefined;
      return { nr, owner, post: postRow(nr, at, network, delivery), delivery };
    });
    const rows = posts.map(({ nr, owner, post }) => ({
      image_url: pictures[nr % pictures.length] ?? null,
      ...post,
      workspace_id: workspaceId,
      account_id: owner.id,
    }));
    const orders = posts
      .filter(({ nr }) => nr % size.postsPerOrder === 0)
      .map(({ owner, post }) => orderRow(workspaceId, owner, post));
    const delivered = posts.flatMap(({ owner, post, delivery }) =>
      owner.plan && delivery
        ? [deliveryRows({ workspaceId, owner, plan: owner.plan, post, delivery })]
        : [],
    );
    await database.transaction(async (tx) => {
      await insertRows(tx, 'post', rows);
      await insertRows(tx, 'like_order', orders);
      await insertDelivered(tx, delivered);
    });
  }
}

async function insertDelivered(
  tx: Tx,
  all: ReadonlyArray<ReturnType<typeof deliveryRows>>,
): Promise<void> {
  await insertRows(
    tx,
    'like_order',
    all.map(({ order }) => order),
  );
  await insertRows(
    tx,
    'order_event',
    all.flatMap(({ events }) => events),
  );
  await insertRows(
    tx,
    'subscription_day',
    all.map(({ usedDay }) => usedDay),
  );
  await insertRows(
    tx,
    'automatic_slot',
    all.map(({ slot }) => slot),
  );
}

/** Numbers from one on, in parts. */
function batches(from: number, end: number): number[][] {
  const count = Math.max(0, Math.ceil((end - from) / BATCH));
  return Array.from({ length: count }, (_, part) => {
    const first = from + part * BATCH;
    return Array.from({ length: Math.min(BATCH, end - first) }, (_each, at) => first + at);
  });
}

/** As one value: thousands of single ones take several times as long. */
async function insertRows(
  tx: Tx,
  table:
    | 'account'
    | 'automatic_slot'
    | 'like_order'
    | 'network_subscription'
    | 'order_event'
    | 'poll_schedule'
    | 'post'
    | 'subscription'
    | 'subscription_day',
  rows: readonly object[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::text::jsonb)`.execute(
    tx,
  );
}

/** Puts all of it on the network, but for posts that were written: they stay as they were told it then. */
async function publishAll(
  network: PlantedNetwork,
  size: PlantedSize & { hasPosts: number },
  nowMs: number,
): Promise<void> {
  for (const numbers of batches(0, size.accounts)) {
    const accounts = numbers.map((nr) => ({
      igId: igIdOf(nr),
      username: network.accountOf(nr).igUsername,
      followers: followersOf(nr),
    }));
    await network.publish({ accounts });
  }
  for (const numbers of batches(size.hasPosts, size.posts)) {
    network.stopping.throwIfAborted();
    const posts = numbers.map((nr) => {
      const owner = nr % size.accounts;
      const at = takenAt(nr, size, nowMs);
      const delivery = deliveryOf(nr, at, network.accountOf(owner).package, nowMs);
      return { igId: igIdOf(owner), post: postRow(nr, at, network, delivery), delivery };
    });
    await network.publish({
      posts: posts.map(({ igId, post, delivery }) => published(igId, post, delivery?.likes ?? 0)),
    });
    await network.book(
      posts.flatMap(({ post, delivery }) => (delivery ? [bookedOrder(post.id, delivery)] : [])),
    );
  }
}

async function countPlanted(
  db: Db,
  workspaceId: string,
): Promise<{ accounts: number; posts: number }> {
  const { rows } = await sql<{ accounts: number; posts: number }>`
    select (select count(*)::integer from account
        where workspace_id = ${workspaceId} and ig_id like ${PLANTED_IG_IDS}) as accounts,
      (select count(*)::integer from post
        where workspace_id = ${workspaceId} and id like ${PLANTED_POST_IDS}) as posts`.execute(db);
  return rows[0] ?? { accounts: 0, posts: 0 };
}

async function listPictures(db: Db, workspaceId: string): Promise<string[]> {
  const posts = await db
    .selectFrom('post')
    .select('image_url')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return posts.flatMap(({ image_url: url }) => (url === null ? [] : [url]));
}

interface Model {
  plan: Selectable<SubscriptionTable>;
  picture: string | null;
}

/** The plan that was paid for first. */
async function findModel(db: Db, workspaceId: string): Promise<Model> {
  const plan = await db
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { profile_picture_url: picture } = await db
    .selectFrom('account')
    .select('profile_picture_url')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', plan.account_id)
    .executeTakeFirstOrThrow();
  return { plan, picture };
}

interface Part {
  numbers: readonly number[];
  nowMs: number;
  network: PlantedNetwork | undefined;
}

async function plantAccounts(
  tx: Tx,
  { plan: model, picture }: Model,
  { numbers, nowMs, network }: Part,
): Promise<void> {
  const { workspace_id: workspaceId } = model;
  const accounts = numbers.map((nr) => {
    const known = network?.accountOf(nr) ?? usual(nr);
    return { nr, id: randomUUID(), igId: igIdOf(nr), followers: followersOf(nr), ...known };
  });
  const now = new Date(nowMs);
  const rows = accounts.map(({ nr, id, igId, igUsername, followers, clientId, tags }) => ({
    workspace_id: workspaceId,
    id,
    ig_username: igUsername,
    ig_id: igId,
    // Has ended: the present address is asked for when somebody looks.
    profile_picture_url: network ? `${network.url}/cdn/p/${igId}.jpg?oe=0&oh=0` : picture,
    followers,
    client_id: clientId,
    tags,
    last_read_at: now,
    imported_at: now,
    created_at: new Date(nowMs + nr),
  }));
  await insertRows(tx, 'account', rows);
  const paid = accounts.flatMap(({ package: plan, ...account }) =>
    plan === null ? [] : [{ ...account, plan, subscriptionId: randomUUID() }],
  );
  const plans = paid.map(({ nr, id, igId, plan, subscriptionId }) => ({
    ...model,
    ...(network && { ...agedPlan(model, nr, nowMs), package: plan }),
    baseline_post_ids: [],
    id: subscriptionId,
    account_id: id,
    ig_id: igId,
  }));
  await insertRows(tx, 'subscription', plans);
  if (network) await startPolls(tx, workspaceId, paid, nowMs);
}

function usual(nr: number): PlantedAccount {
  const igUsername = `planted.account.${String(nr).padStart(4, '0')}`;
  return { igUsername, clientId: null, tags: [], package: 1 };
}

/** The accounts are theirs on the network, and are polled within the first interval, not all at once. */
async function startPolls(
  tx: Tx,
  workspaceId: string,
  paid: ReadonlyArray<Owner & { igUsername: string; subscriptionId: string }>,
  nowMs: number,
): Promise<void> {
  const taken = paid.map(({ igId, subscriptionId }) => ({
    ig_id: igId,
    workspace_id: workspaceId,
    subscription_id: subscriptionId,
  }));
  await insertRows(tx, 'network_subscription', taken);
  const polls = paid.map(({ id, igUsername }, at) => ({
    workspace_id: workspaceId,
    account_id: id,
    ig_username: igUsername,
    is_active: true,
    next_poll_at: new Date(nowMs + at * 20),
    fingerprint: null,
    next_import_at: null,
  }));
  await insertRows(tx, 'poll_schedule', polls);
}
