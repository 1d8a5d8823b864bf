import { randomUUID } from 'node:crypto';
import type { Database } from '#server/kit/db/database.ts';
import { seededRandom } from './seeded.ts';

/** How large a workspace becomes. */
export interface PlantedSize {
  /** Connected accounts with a running plan, besides those it has. */
  accounts: number;
  /** Posts over all accounts, the newest as of now and one every so many minutes before it. */
  posts: number;
  minutesApart: number;
  /** One post in so many has an ended order. */
  postsPerOrder: number;
}

interface PlantedAccount {
  id: string;
  igId: string;
}

const BATCH = 1000;
const MINUTE_MS = 60_000;
const WORDS = 'light morning coffee studio 🌿 harbour new drop friday wearing slow weekend'.split(
  ' ',
);

/**
 * Makes a customer's workspace large, through the write rule like every other change, so that sync
 * finds what it would find after years of use. Pictures are those of the posts it has.
 */
export async function plantLargeWorkspace(
  database: Database,
  workspaceId: string,
  size: PlantedSize,
  nowMs: number,
): Promise<void> {
  const accounts = await listAccounts(database, workspaceId);
  for (let from = 0; from < size.accounts; from += BATCH) {
    const count = Math.min(BATCH, size.accounts - from);
    accounts.push(...(await plantAccounts(database, workspaceId, { from, count, nowMs })));
  }
  const pictures = await listPictures(database, workspaceId);
  const random = seededRandom(7);
  for (let from = 0; from < size.posts; from += BATCH) {
    const count = Math.min(BATCH, size.posts - from);
    const posts = Array.from({ length: count }, (_, at) => {
      const nr = from + at;
      const takenAt = new Date(nowMs - (nr + 1) * size.minutesApart * MINUTE_MS);
      const account = accounts[nr % accounts.length];
      if (!account) throw new Error('A workspace has at least one account');
      return { ...postRow(random, nr, takenAt), account, picture: pictures[nr % pictures.length] };
    });
    await database.transaction(async (tx) => {
      const rows = posts.map(({ account, picture, ...post }) => ({
        ...post,
        workspace_id: workspaceId,
        account_id: account.id,
        image_url: picture ?? null,
      }));
      await tx.insertInto('post').values(rows).execute();
      const orders = posts
        .filter((_, at) => (from + at) % size.postsPerOrder === 0)
        .map(({ account, ...post }) => orderRow(workspaceId, account, post));
      if (orders.length > 0) await tx.insertInto('like_order').values(orders).execute();
    });
  }
}

function listAccounts(database: Database, workspaceId: string): Promise<PlantedAccount[]> {
  return database.db
    .selectFrom('account')
    .select(['id', (eb) => eb.fn.coalesce('ig_id', eb.val('')).as('igId')])
    .where('workspace_id', '=', workspaceId)
    .execute();
}

async function listPictures(database: Database, workspaceId: string): Promise<string[]> {
  const posts = await database.db
    .selectFrom('post')
    .select('image_url')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return posts.flatMap(({ image_url: url }) => (url === null ? [] : [url]));
}

/** Accounts like the one that was paid for first, with the same card. */
async function plantAccounts(
  database: Database,
  workspaceId: string,
  { from, count, nowMs }: { from: number; count: number; nowMs: number },
): Promise<PlantedAccount[]> {
  const model = await database.db
    .selectFrom('subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const { profile_picture_url: picture } = await database.db
    .selectFrom('account')
    .select('profile_picture_url')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', model.account_id)
    .executeTakeFirstOrThrow();
  const accounts = Array.from({ length: count }, (_, at) => ({
    id: randomUUID(),
    igId: String(900_000_000_000 + from + at),
    name: `planted.account.${String(from + at).padStart(4, '0')}`,
  }));
  const now = new Date(nowMs);
  await database.transaction(async (tx) => {
    const rows = accounts.map(({ id, igId, name }, at) => ({
      workspace_id: workspaceId,
      id,
      ig_username: name,
      ig_id: igId,
      profile_picture_url: picture,
      followers: 1000 + at,
      last_read_at: now,
      imported_at: now,
      created_at: new Date(nowMs + from + at),
    }));
    await tx.insertInto('account').values(rows).execute();
    const plans = accounts.map(({ id, igId }) => ({
      ...model,
      baseline_post_ids: [],
      id: randomUUID(),
      account_id: id,
      ig_id: igId,
    }));
    await tx.insertInto('subscription').values(plans).execute();
  });
  return accounts;
}

interface PlantedPost {
  id: string;
  shortcode: string;
  taken_at: Date;
  like_count: number;
}

/** Captions of 0 to 600 characters, as people write them. */
function postRow(random: () => number, nr: number, takenAt: Date) {
  const length = Math.floor(random() ** 2 * 90);
  const words = Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '');
  const shortcode = `P${nr.toString(36)}`;
  return {
    id: `3${String(nr).padStart(17, '0')}`,
    shortcode,
    media_type: nr % 9 === 0 ? ('VIDEO' as const) : ('IMAGE' as const),
    caption: words.join(' '),
    permalink: `https://network.example/p/${shortcode}/`,
    taken_at: takenAt,
    like_count: 200 + Math.floor(random() * 5000),
    comment_count: Math.floor(random() * 200),
    detected_at: takenAt,
    automatic_outcome: 'no_subscription' as const,
  };
}

function orderRow(workspaceId: string, account: PlantedAccount, post: PlantedPost) {
  const { taken_at: at } = post;
  const ended = new Date(at.getTime() + 6 * 60 * MINUTE_MS);
  return {
    workspace_id: workspaceId,
    id: randomUUID(),
    kind: 'credit' as const,
    account_id: account.id,
    post_id: post.id,
    ig_id: account.igId,
    shortcode: post.shortcode,
    state: 'Completed' as const,
    speed: 'Instant' as const,
    ordered: 100,
    bonus: 10,
    views: 0,
    start_count: 12,
    delivered: 110,
    remains: 0,
    posted_at: at,
    detected_at: at,
    start_at: at,
    finish_by: ended,
    started_at: at,
    finished_at: ended,
    credits_settled_at: ended,
    credits_returned: 0,
  };
}
