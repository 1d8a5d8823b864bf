import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import type { Post } from '#shared/contract/accounts/post.ts';
import type { ExportFile } from '#web/ui/data-table/export-file.ts';
import { receiptNumber } from '#shared/domain/money/receipt-number.ts';

type Column = [title: string, of: (order: LikeOrder) => string | number];

const CREDITS = 'Credits returned';
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
  [CREDITS, (order) => order.creditsReturned ?? ''],
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
  CREDITS,
  'Views ordered',
  'Views delivered',
];

/**
 * Receipts as a table, one order a line; times are UTC.
 * @param captions of the posts, by their ids
 * @param seesMoney whoever doesn’t has nothing of credits (docs/decisions/0057)
 */
export function receiptsTable(
  orders: readonly LikeOrder[],
  captions: ReadonlyMap<string, string>,
  seesMoney: boolean,
): Pick<ExportFile, 'heads' | 'rows' | 'sums'> {
  const isShown = (title: string): boolean => seesMoney || title !== CREDITS;
  const columns: readonly Column[] = [
    ...WHICH,
    ['Caption', ({ postId }) => captions.get(postId) ?? ''],
    ...COLUMNS.filter(([title]) => isShown(title)),
  ];
  return {
    heads: columns.map(([title]) => title),
    rows: orders.map((order) => columns.map(([, of]) => of(order))),
    sums: SUMS.filter(isShown),
  };
}

/** Everything known about a post and its orders, to whoever sees money; times are UTC. */
export function receiptJson(post: Post, orders: readonly LikeOrder[], seesMoney: boolean): string {
  const told = seesMoney
    ? orders
    : orders.map((order) => ({ ...order, creditsReturned: undefined }));
  return JSON.stringify({ post, orders: told }, null, 2);
}
