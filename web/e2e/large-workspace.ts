import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { CALLS } from '#shared/contract/calls.ts';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { type PlantedSize, plantLargeWorkspace } from '#server/main/start/plant-workspace.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, newCustomer } from './customer.ts';
import { middayZone } from './midday-zone.ts';
import { type ProductOnPostgres, startOnPostgres } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { CARD } from './subscriber.ts';

/** Posts that the outside world has of the account, with a picture each; fewer in a short form of a benchmark. */
const REAL_POSTS = 60;
const REAL_POSTS_SHORT = 6;
const SHORT_POSTS = 1000;

/** In the environment of a process that may use a workspace of its starter's: what `tellWorkspace` returned. */
export const SHARED_WORKSPACE = 'SHARED_WORKSPACE';

export interface LargeWorkspace {
  product: Pick<ProductOnPostgres, 'url' | 'databaseUrl' | 'stop'>;
  /** Who owns it, signed in nowhere. */
  customer: Customer;
  /** Rows of each table, as the database counts them. */
  counts: Record<'account' | 'post' | 'like_order', number>;
  /** An address of a post with a receipt: its id. */
  receiptPostId: string;
}

/**
 * The product on real Postgres with one paying customer whose workspace is that large. Nobody looks for
 * new posts meanwhile: the planted accounts don't exist outside.
 * @param postgresUrl a server that others have too; without it the product gets one of its own
 */
export async function startLargeWorkspace(
  igUsername: string,
  size: PlantedSize,
  postgresUrl?: string,
): Promise<LargeWorkspace> {
  const product = await startOnPostgres(postgresUrl);
  const realPosts = size.posts > SHORT_POSTS ? REAL_POSTS : REAL_POSTS_SHORT;
  await sandboxControl(product.sandboxUrl).createAccount({
    username: igUsername,
    posts: realPosts,
  });
  await subscribe(product.url, igUsername);
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 1 });
  const database = openPostgres(product.databaseUrl, { onError: () => undefined });
  const count = async (table: string): Promise<number> =>
    Number((await pool.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n);
  try {
    while ((await count('post')) < realPosts) await sleep(100);
    await product.processes['work']?.stop();
    const { rows } = await pool.query<{ id: string }>('select id from workspace');
    const id = rows[0]?.id ?? '';
    await plantLargeWorkspace(database, id, size, Date.now());
    await pool.query('vacuum analyze');
    const counts = {
      account: await count('account'),
      post: await count('post'),
      like_order: await count('like_order'),
    };
    const newest = 'select post_id from like_order order by detected_at desc limit 1';
    const receipts = await pool.query<{ post_id: string }>(newest);
    const receiptPostId = receipts.rows[0]?.post_id ?? '';
    return { product, customer: newCustomer(igUsername), counts, receiptPostId };
  } finally {
    await database.close();
    await pool.end();
  }
}

/** The starter's, of the size that it has; where it has none, one of that name and size. */
export async function useLargeWorkspace(
  igUsername: string,
  size: PlantedSize,
): Promise<LargeWorkspace> {
  const told = process.env[SHARED_WORKSPACE];
  if (told === undefined) return startLargeWorkspace(igUsername, size);
  const shared = JSON.parse(told) as LargeWorkspace;
  return { ...shared, product: { ...shared.product, stop: async () => undefined } };
}

/** For the environment of another process. */
export function tellWorkspace({ product, ...rest }: LargeWorkspace): string {
  const { url, databaseUrl } = product;
  return JSON.stringify({ ...rest, product: { url, databaseUrl } });
}

/** A new customer pays plan 1, by calls alone: what a browser has drawn before would only take time. */
async function subscribe(url: string, igUsername: string): Promise<void> {
  const client = new ApiClient({
    request: (path, { headers, ...init }) => fetch(url + path, { ...init, headers }),
  });
  const origin = { origin: url };
  const timeZone = middayZone();
  const registration = { ...newCustomer(igUsername), package: '1', timeZone };
  const { body } = await client.call(CALLS.register, registration, origin);
  const userId = body.data?.id ?? '';
  const plan = { ...CARD, userId, igUsername, packageIndex: 1, timeZone };
  const paid = await client.call(CALLS.addSubscription, plan, origin);
  if (paid.httpStatus !== 200) throw new Error(`The plan could not be paid: ${paid.body.code}`);
}
