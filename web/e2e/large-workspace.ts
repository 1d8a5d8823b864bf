import pg from 'pg';
import type { Browser } from 'playwright-core';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { type PlantedSize, plantLargeWorkspace } from '#server/main/start/plant-workspace.ts';
import { type Customer, newCustomer } from './customer.ts';
import { type ProductOnPostgres, startOnPostgres } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { subscribedPage } from './subscriber.ts';

/** Posts that the outside world has of the account, with a picture each. */
const REAL_POSTS = 60;

export interface LargeWorkspace {
  product: ProductOnPostgres;
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
 */
export async function startLargeWorkspace(
  browser: Browser,
  igUsername: string,
  size: PlantedSize,
): Promise<LargeWorkspace> {
  const product = await startOnPostgres();
  const sandbox = sandboxControl(product.sandboxUrl);
  const journeys = { browser, product, sandbox };
  const { page } = await subscribedPage(journeys, igUsername, { posts: REAL_POSTS });
  await page.goto(`${product.url}/dashboard`);
  await page.getByText(`${REAL_POSTS} posts`, { exact: true }).waitFor();
  await page.context().close();
  await Promise.all([product.processes['workA']?.stop(), product.processes['workB']?.stop()]);
  const pool = new pg.Pool({ connectionString: product.databaseUrl, max: 1 });
  const database = openPostgres(product.databaseUrl, { onError: () => undefined });
  try {
    const { rows } = await pool.query<{ id: string }>('select id from workspace');
    const id = rows[0]?.id ?? '';
    await plantLargeWorkspace(database, id, size, Date.now());
    await pool.query('vacuum analyze');
    const count = async (table: string): Promise<number> =>
      Number((await pool.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n);
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
