import type { LikeOrder } from '#shared/contract/like-order.ts';
import type { Post } from '#shared/contract/post.ts';
import type { ExportFile } from '#web/ui/data-table/export-file.ts';
import { receiptNumber } from '#web/payments/receipt-number.ts';

type Column = [title: string, of: (order: LikeOrder) => string | number];

const WHICH: readonly Column[] = [
  ['Order', (order) => order.id],
  ['Account', (order) => order.igUsername],
  ['Post', (order) => order.shortcode],
];
const COLUMNS: readonly Column[] = [
  ['Kind', (order) => order.kind],
  ['Status', (order) => order.state],
  ['Reason', (order) => order.reason ?? ''],
  ['Speed', (order) => order.speed],
  ['Start count', (order) => order.startCount ?? ''],
  ['Ordered', (order) => order.ordered],
  ['Bonus', (order) => order.bonus],
  ['Delivered', (order) => order.delivered],
  ['Remains', (order) => order.remains],
  ['Credits returned', (order) => order.creditsReturned ?? ''],
  ['Views ordered', (order) => order.views],
  ['Views delivered', (order) => order.viewsDelivered],
  ['Posted', (order) => order.postedAt],
  ['Ordered at', (order) => order.detectedAt],
  ['Detected', (order) => (order.kind === 'automatic' ? order.detectedAt : '')],
  ['Started', (order) => order.startedAt ?? ''],
  ['Finished', (order) => order.finishedAt ?? ''],
  ['Receipt number', (order) => receiptNumber(order.id)],
];

const SUMS = [
  'Ordered',
  'Bonus',
  'Delivered',
  'Remains',
  'Credits returned',
  'Views ordered',
  'Views delivered',
];

/**
 * Receipts as a table, one order a line; times are UTC.
 * @param captions of the posts, by their ids
 */
export function receiptsTable(
  orders: readonly LikeOrder[],
  captions: ReadonlyMap<string, string>,
): Pick<ExportFile, 'heads' | 'rows' | 'sums'> {
  const columns: readonly Column[] = [
    ...WHICH,
    ['Caption', ({ postId }) => captions.get(postId) ?? ''],
    ...COLUMNS,
  ];
  return {
    heads: columns.map(([title]) => title),
    rows: orders.map((order) => columns.map(([, of]) => of(order))),
    sums: SUMS,
  };
}

/** Everything known about a post and its orders; times are UTC. */
export function receiptJson(post: Post, orders: readonly LikeOrder[]): string {
  return JSON.stringify({ post, orders }, null, 2);
}
