import { expect } from 'vitest';
import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import { csvOf } from '#shared/domain/accounts/csv.ts';
import type { NetworkPost } from '#server/adapters/graph/social-network.ts';
import { lockClaimedOrders } from '#server/delivery/orders/claimed-orders.repository.ts';
import { placeDueOrders } from '#server/delivery/orders/place-orders.job.ts';
import { pollDueOrders } from '#server/delivery/orders/poll-orders.job.ts';
import { applyNews } from '#server/delivery/orders/provider-news.service.ts';
import { findLikeOrders } from '#server/read-model/orders.service.ts';
import { getPosts } from '#server/read-model/posts.service.ts';
import { projectPosts } from '#server/read-model/posts.repository.ts';
import { projectOrders } from '#server/read-model/orders.service.ts';
import { litSeats, SEATS } from '#web/ui/brand/applause.ts';
import { type LikePoint, likeSeries } from '#web/features/posts/charts/like-series.ts';
import { postedWeeks } from '#web/features/posts/charts/posted-weeks.ts';
import { likeParts, totalInWords } from '#web/features/posts/grid/post-sentence.ts';
import { postsToSample, type LikeSample, withSample } from '#web/replica/queries/samples.ts';
import { receiptsTable } from '#web/features/posts/receipt/receipt-files.ts';
import { countRows } from '#web/features/posts/receipt/receipt-rows.ts';
import type { DetectionBench } from './detection-bench.ts';
import type { Customer } from './order-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** What the provider says of an order. */
export type News = ReturnType<TestDeps['provider']['advance']>;

const ROUNDS = { leaseMs: 30_000, batch: 100 };

/** What a person can read of one upload's likes at a moment, wherever they look. */
export interface Figures {
  total: number;
  organic: number;
  delivered: number;
  remains: number;
  startCount: number;
  /** Seats of the ring. */
  lit: number;
}

/** What the places that show figures get. */
interface Seen {
  api: Post;
  /** From the replica, as the order's own row. */
  card: Post;
  order: LikeOrder;
  copied: LikeOrder;
  points: readonly LikePoint[];
  csv: string;
}

/** An upload that was detected and ordered, looked at by everything that shows figures. */
export class WatchedUpload {
  readonly customer: Customer;
  /** As the network has it. */
  readonly post: NetworkPost;
  /** The order. */
  readonly ref: string;
  readonly #deps: TestDeps;
  #seen: readonly Post[] = [];
  #samples: readonly LikeSample[] = [];

  private constructor(deps: TestDeps, customer: Customer, post: NetworkPost, ref: string) {
    this.#deps = deps;
    this.customer = customer;
    this.post = post;
    this.ref = ref;
  }

  static async open(
    deps: TestDeps,
    bench: DetectionBench,
    details: Partial<NetworkPost> = {},
  ): Promise<WatchedUpload> {
    const name = `watched${deps.ids.uuid().slice(-6)}`;
    const customer = await bench.schedule(deps.network.addAccount(name));
    await bench.poll();
    const post = deps.network.addPost(name, details);
    await bench.pollLater();
    await placeDueOrders(deps, { ...ROUNDS, lockClaimed: lockClaimedOrders });
    const [order] = await bench.orders(customer);
    if (!order) throw new Error('Nothing was ordered');
    return new WatchedUpload(deps, customer, post, order.id);
  }

  /** Likes to deliver, bonus included. */
  get target(): number {
    return this.#deps.provider.orders.get(this.ref)?.likes ?? 0;
  }

  async poll(): Promise<void> {
    await pollDueOrders(this.#deps, ROUNDS);
  }

  /** News of the order come in. */
  async hear(news: News): Promise<void> {
    const order = { workspace_id: this.customer.workspaceId, id: this.ref };
    await applyNews(this.#deps, [order], [news]);
  }

  /** What every place that shows figures gets at this moment. */
  async look(): Promise<Seen> {
    const { api, card } = await this.#posts();
    const { receipts, order, copied } = await this.#receipts();
    for (const changed of postsToSample(this.#seen, [card])) {
      const { organicLikes: organic, deliveredLikes: delivered } = changed;
      const sample = { atMs: this.#deps.clock.now(), organic, delivered };
      this.#samples = withSample(this.#samples, sample) ?? this.#samples;
    }
    this.#seen = [card];
    const points = likeSeries(card, receipts, this.#samples);
    const { heads, rows } = receiptsTable(receipts, new Map(), true);
    return { api, card, order, copied, points, csv: csvOf([heads, ...rows]) };
  }

  async #posts(): Promise<{ api: Post; card: Post }> {
    const { workspaceId, accountId, igId } = this.customer;
    const page = { limit: 10, before: undefined, beforeId: undefined };
    const { items } = await getPosts(this.#deps, { workspaceId, igId, ...page });
    const api = items.find(({ id }) => id === this.post.id);
    if (!api) throw new Error('The post is not listed');
    const scope = { workspaceId, scope: `w:${workspaceId}` } as const;
    const texts = await projectPosts(this.#deps, scope, [`${accountId}/${this.post.id}`]);
    const [text = ''] = texts.values();
    return { api, card: JSON.parse(text) as Post };
  }

  async #receipts(): Promise<{ receipts: LikeOrder[]; order: LikeOrder; copied: LikeOrder }> {
    const { workspaceId } = this.customer;
    const filter = { postId: this.post.id, limit: 10 };
    const receipts = await findLikeOrders(this.#deps, this.customer, filter);
    const scope = { workspaceId, scope: `w:${workspaceId}` } as const;
    const [rows] = await projectOrders(this.#deps, scope, [this.ref]);
    const [order, ...others] = receipts;
    if (!order || !rows || others.length > 0) throw new Error('The post has one order');
    const { accountId: _whose, ...copied } = rows[1];
    return { receipts, order, copied };
  }
}

/** Reads card, ring, receipt, CSV, charts, API and replica: they say the same, and it sums up. */
export async function readFigures(upload: WatchedUpload): Promise<Figures> {
  const { api, card, order, copied, points, csv } = await upload.look();
  // The code of its reason is for the app alone.
  expect(copied).toMatchObject(order);
  const figures = likesOf(card);
  expect(likesOf(api)).toEqual(figures);
  expect(figures.total).toBe(figures.organic + figures.delivered);
  expect([totalInWords(card), ...likeParts(card).map(({ words }) => words)]).toEqual([
    figures.total === 1 ? '1 like' : `${inWords(figures.total)} likes`,
    `${inWords(figures.organic)} organic`,
    `${inWords(figures.delivered)} delivered`,
  ]);
  const { delivered, remains, ordered, bonus, state, startCount } = order;
  expect(card.order).toMatchObject({ delivered, target: ordered + bonus, bonus, state });
  expect(delivered).toBe(figures.delivered);
  expect(delivered + remains).toBe(ordered + bonus);
  expect(figures.organic).toBeGreaterThanOrEqual(startCount ?? 0);
  expectSameOnPaper(order, csv);
  expectSameInCharts(card, points);
  const lit = card.order ? litSeats(card.order, SEATS) : 0;
  return { ...figures, remains, startCount: startCount ?? 0, lit };
}

/** The last point is now, and none is below the one before. */
function expectSameInCharts(card: Post, points: readonly LikePoint[]): void {
  const { organic, delivered } = likesOf(card);
  expect(points.at(-1)).toMatchObject({ organic, delivered });
  for (const [nth, point] of points.slice(1).entries()) {
    expect(point.organic ?? 0).toBeGreaterThanOrEqual(points[nth]?.organic ?? 0);
    expect(point.delivered).toBeGreaterThanOrEqual(points[nth]?.delivered ?? 0);
  }
  expect(postedWeeks([card])).toMatchObject([{ organic, delivered }]);
}

/** Receipt and CSV say what the order says. */
function expectSameOnPaper(order: LikeOrder, csv: string): void {
  const rows = Object.fromEntries(countRows(order).map(({ label, value }) => [label, value]));
  expect(rows).toMatchObject({
    'Likes ordered': inWords(order.ordered),
    Bonus: inWords(order.bonus),
    Delivered: inWords(order.delivered),
    Remains: inWords(order.remains),
  });
  const [heads = [], cells = []] = csv.split('\r\n').map((line) => line.split(','));
  const cell = Object.fromEntries(heads.map((head, nth) => [head, cells[nth]]));
  expect(cell).toMatchObject({
    'Start count': String(order.startCount ?? ''),
    Ordered: String(order.ordered),
    Bonus: String(order.bonus),
    Delivered: String(order.delivered),
    Remains: String(order.remains),
  });
}

function likesOf(post: Post): Pick<Figures, 'total' | 'organic' | 'delivered'> {
  return {
    total: post.edge_media_preview_like.count ?? 0,
    organic: post.organicLikes ?? 0,
    delivered: post.deliveredLikes,
  };
}

const inWords = (count: number): string => count.toLocaleString('en-US');
