import { isFinal, parseOrderState } from '#shared/domain/order-state.ts';
import type { Db } from '../../db/database.ts';
import type { LikeOrderRow } from '../orders/like-order.repository.ts';
import type { OrderEventKind } from '../orders/like-order.table.ts';
import type { Violation } from './violation.ts';

/** What the provider's own book says of one of our refs. */
export interface ProviderBookEntry {
  ref: string;
  result: 'accepted' | 'refused';
  status: string;
  /** Likes it was asked for, bonus included. */
  ordered: number;
  delivered: number;
  /** Different members those likes came from. */
  distinctMembers: number;
  orderedViews: number;
  views: number;
}

type Counts = Partial<Record<OrderEventKind, number>>;

/**
 * I4: delivered in the provider's own book = ordered with its recorded bonus, each like by another member,
 * views likewise, and every effect on an order was recorded exactly once. Orders still running may lag
 * behind the book, never run ahead of it. Orders detected at or after `since` are compared.
 */
export async function checkDelivery(
  db: Db,
  book: readonly ProviderBookEntry[],
  since: Date = new Date(0),
): Promise<Violation[]> {
  const orders = await db
    .selectFrom('like_order')
    .selectAll()
    .where('detected_at', '>=', since)
    .execute();
  const effects = await countEffects(db);
  const entries = new Map(book.map((entry) => [entry.ref, entry]));
  const known = new Set(orders.map(({ id }) => id));
  const problems = orders.flatMap((order) =>
    [
      ...receiptProblems(order),
      ...effectProblems(order, effects.get(order.id) ?? {}),
      ...bookProblems(order, entries.get(order.id)),
    ].map((problem) => ({ subject: `order ${order.id}`, problem })),
  );
  const strange = book
    .filter(({ ref }) => !known.has(ref))
    .map(({ ref }) => ({ subject: `ref ${ref}`, problem: 'is in the book and not an order' }));
  const twice = book.length - entries.size;
  if (twice > 0) strange.push({ subject: 'book', problem: `holds ${twice} refs twice` });
  return [...problems, ...strange].map((found) => ({ invariant: 'I4', ...found }));
}

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

function bookProblems(order: LikeOrderRow, entry: ProviderBookEntry | undefined): string[] {
  const mayBeAbsent = order.state === 'Pending' || order.state === 'Canceled';
  if (!entry) return mayBeAbsent ? [] : [`is ${order.state} and not in the book`];
  if (entry.result === 'refused') {
    return mayBeAbsent ? [] : [`is ${order.state} and was refused`];
  }
  const problems: string[] = [];
  const differ = (
    what: string,
    ours: number,
    theirs: number,
    isAllowed = ours === theirs,
  ): void => {
    if (!isAllowed) problems.push(`${what}: ${ours} here, ${theirs} in the book`);
  };
  const isOver = isFinal(order.state);
  const { delivered, views_delivered: views } = order;
  differ('ordered', order.ordered + order.bonus, entry.ordered);
  differ('ordered views', order.views, entry.orderedViews);
  differ(
    'delivered',
    delivered,
    entry.delivered,
    isOver ? undefined : delivered <= entry.delivered,
  );
  differ('views', views, entry.views, isOver ? undefined : views <= entry.views);
  differ('members', entry.delivered, entry.distinctMembers);
  if (isOver && !isFinal(parseOrderState(entry.status) ?? 'Pending')) {
    problems.push(`is ${order.state} here, ${entry.status} in the book`);
  }
  return problems;
}
