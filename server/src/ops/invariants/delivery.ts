import type { MediaType } from '#shared/contract/accounts/post.ts';
import { BONUS_MAX, BONUS_MIN } from '#shared/domain/delivery/automatic-likes.ts';
import { isFinal, parseOrderState } from '#shared/domain/delivery/order-state.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { LikeOrderRow } from '#server/delivery/orders/like-order.repository.ts';
import type { OrderEventKind } from '#server/kit/db/tables/like-order.table.ts';
import type { Violation } from './violation.ts';

/** What the provider's own book says of one of our refs; what is left out was not told. */
export interface ProviderBookEntry {
  ref: string;
  result: 'accepted' | 'refused';
  status: string;
  /** Likes it was asked for, bonus included. */
  ordered: number;
  delivered: number;
  /** Different members those likes came from. */
  distinctMembers?: number;
  orderedViews?: number;
  views: number;
  /** Number of the newest change, and likes the post had at the start: null before it, or when hidden. */
  seq?: number;
  startCount?: number | null;
}

type CheckedOrder = LikeOrderRow & { media_type: MediaType };

type Counts = Partial<Record<OrderEventKind, number>>;

/**
 * I4: delivered in the provider's own book = ordered with its recorded bonus, each like by another member,
 * views likewise, and every effect on an order was recorded exactly once. Orders still running may lag
 * behind the book, never run ahead of it. What an order asks for is what its post and kind allow: views on
 * videos only, as many as likes, and a bonus of 5-10 % on automatic orders only. Orders detected at or
 * after `since` are compared. The book is read after the orders: what a running order is told meanwhile only puts it
 * behind.
 * @param readBook what the book says of these refs, or all it holds; undefined: it couldn't be asked
 */
export async function checkDelivery(
  db: Db,
  readBook: (refs: readonly string[]) => Promise<readonly ProviderBookEntry[] | undefined>,
  since: Date = new Date(0),
): Promise<Violation[]> {
  const orders = await db
    .selectFrom('like_order')
    .innerJoin('post', (join) =>
      join
        .onRef('post.workspace_id', '=', 'like_order.workspace_id')
        .onRef('post.account_id', '=', 'like_order.account_id')
        .onRef('post.id', '=', 'like_order.post_id'),
    )
    .selectAll('like_order')
    .select('post.media_type')
    .where('like_order.detected_at', '>=', since)
    .execute();
  const effects = await countEffects(db);
  const book = await readBook(orders.map(({ id }) => id));
  if (!book) return [BOOK_UNREAD];
  const entries = new Map(book.map((entry) => [entry.ref, entry]));
  const known = new Set(orders.map(({ id }) => id));
  const problems = orders.flatMap((order) =>
    [
      ...amountProblems(order),
      ...receiptProblems(order),
      ...effectProblems(order, effects.get(order.id) ?? {}),
      ...bookProblems(order, entries.get(order.id), effects.get(order.id) ?? {}),
    ].map((problem) => ({ subject: `order ${order.id}`, problem })),
  );
  const strange = book
    .filter(({ ref }) => !known.has(ref))
    .map(({ ref }) => ({ subject: `ref ${ref}`, problem: 'is in the book and not an order' }));
  const twice = book.length - entries.size;
  if (twice > 0) strange.push({ subject: 'book', problem: `holds ${twice} refs twice` });
  return [...problems, ...strange].map((found) => ({ invariant: 'I4', ...found }));
}

const BOOK_UNREAD: Violation = {
  invariant: 'I4',
  subject: 'book',
  problem: 'the provider could not be asked',
};

async function countEffects(db: Db): Promise<Map<string, Counts>> {
  const rows = await db
    .selectFrom('order_event')
    .select(({ fn }) => ['order_id', 'kind', fn.countAll<number>().as('times')])
    .groupBy(['workspace_id', 'order_id', 'kind'])
    .execute();
  const effects = new Map<string, Counts>();
  for (const { order_id: id, kind, times } of rows) {
    effects.set(id, { ...effects.get(id), [kind]: times });
  }
  return effects;
}

function amountProblems({
  kind,
  ordered,
  bonus,
  views,
  media_type: media,
}: CheckedOrder): string[] {
  const problems: string[] = [];
  const wanted = media === 'VIDEO' ? ordered + bonus : 0;
  if (views !== wanted) problems.push(`asks for ${views} views, not ${wanted}`);
  const isFair = bonus >= ordered * BONUS_MIN && bonus <= ordered * BONUS_MAX;
  if (bonus !== 0 && (kind === 'credit' || !isFair)) {
    problems.push(`has a bonus of ${bonus} on ${ordered}`);
  }
  return problems;
}

function receiptProblems(order: LikeOrderRow): string[] {
  const { state, delivered, remains, ordered, bonus } = order;
  const total = ordered + bonus;
  const problems: string[] = [];
  if (delivered + remains !== total) problems.push(`delivered ${delivered} + remains ${remains}`);
  if (state === 'Completed' && delivered !== total) problems.push(`is Completed at ${delivered}`);
  if (state === 'Partial' && (delivered === 0 || delivered === total)) {
    problems.push(`is Partial at ${delivered} of ${total}`);
  }
  if (state === 'Canceled' && delivered !== 0) problems.push(`is Canceled at ${delivered}`);
  const { views, views_delivered: viewed } = order;
  if (isFinal(state) && views > 0 && viewed !== delivered) {
    problems.push(`ended at ${viewed} views with ${delivered} likes`);
  }
  if (isFinal(state) !== (order.finished_at !== null)) problems.push('has a wrong finish');
  if (isFinal(state) !== (order.next_attempt_at === null))
    problems.push('has a wrong next attempt');
  return problems;
}

function effectProblems(order: LikeOrderRow, counts: Counts): string[] {
  const { placed = 0, refused = 0, started = 0, finished = 0 } = counts;
  const problems: string[] = [];
  const isPending = order.state === 'Pending';
  // Only an order that was stopped before it was placed has neither.
  const leastTaken = isPending || order.state === 'Canceled' ? 0 : 1;
  if (placed + refused > (isPending ? 0 : 1) || placed + refused < leastTaken) {
    problems.push(`was placed ${placed} and refused ${refused} times as ${order.state}`);
  }
  if (started !== (order.started_at === null ? 0 : 1)) problems.push(`started ${started} times`);
  if (finished !== (isFinal(order.state) ? 1 : 0)) problems.push(`finished ${finished} times`);
  return problems;
}

function bookProblems(
  order: LikeOrderRow,
  entry: ProviderBookEntry | undefined,
  { refused = 0 }: Counts,
): string[] {
  const mayBeAbsent = order.state === 'Pending' || order.state === 'Canceled';
  if (!entry) return mayBeAbsent ? [] : [`is ${order.state} and not in the book`];
  if (entry.result === 'refused') {
    return mayBeAbsent ? [] : [`is ${order.state} and was refused`];
  }
  const problems = [...askedProblems(order, entry), ...deliveredProblems(order, entry)];
  if (refused > 0) problems.push('was refused here and is in the book');
  if (isFinal(order.state) && !isFinal(parseOrderState(entry.status) ?? 'Pending')) {
    problems.push(`is ${order.state} here, ${entry.status} in the book`);
  }
  return problems;
}

/** What the provider was asked for, by its own word. */
function askedProblems(order: LikeOrderRow, entry: ProviderBookEntry): string[] {
  const total = order.ordered + order.bonus;
  return [
    ...differ('ordered', total, entry.ordered),
    ...differ('ordered views', order.views, entry.orderedViews ?? order.views),
  ];
}

/** What it delivered: the same once the order is over, never less than is known here. */
function deliveredProblems(order: LikeOrderRow, entry: ProviderBookEntry): string[] {
  const isOver = isFinal(order.state);
  const lag = (what: string, ours: number, theirs: number): string[] =>
    !isOver && ours <= theirs ? [] : differ(what, ours, theirs);
  const { start_count: startCount, provider_seq: seq } = order;
  const start =
    startCount === null ? [] : differ('start', startCount, entry.startCount ?? startCount);
  return [
    ...lag('delivered', order.delivered, entry.delivered),
    ...lag('views', order.views_delivered, entry.views),
    ...differ('members', entry.delivered, entry.distinctMembers ?? entry.delivered),
    ...start,
    ...(entry.seq !== undefined && seq > entry.seq ? differ('change', seq, entry.seq) : []),
  ];
}

function differ(what: string, ours: number, theirs: number): string[] {
  return ours === theirs ? [] : [`${what}: ${ours} here, ${theirs} in the book`];
}
