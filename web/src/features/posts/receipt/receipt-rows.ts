import type { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import { isFinal } from '#shared/domain/delivery/order-state.ts';
import { counted, figure } from '#web/ui/words/figures.ts';
import { fullTime } from '#web/ui/words/dates.ts';
import { receiptNumber } from '#shared/domain/money/receipt-number.ts';

/** One line of a receipt. */
export interface ReceiptRow {
  label: string;
  value: string;
}

/** A date and time in full, to the second, in a zone. */
export function timeInFull(instant: string, timeZone: string): string {
  return fullTime(Date.parse(instant), timeZone);
}

/** A time between two instants as `timeInFull` shows them: "12 s", "3 min 5 s", "2 h 10 min". */
export function durationInWords(fromInstant: string, toInstant: string): string {
  const shownSecond = (instant: string): number => Math.floor(Date.parse(instant) / 1000);
  const seconds = Math.max(0, shownSecond(toInstant) - shownSecond(fromInstant));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  if (minutes === 0) return `${seconds} s`;
  if (hours === 0) return `${minutes} min ${seconds % 60} s`;
  return `${hours} h ${minutes % 60} min`;
}

/** When things happened. */
export function timeRows(order: LikeOrder, timeZone: string): ReceiptRow[] {
  const time = (instant: string): string => timeInFull(instant, timeZone);
  const end: ReceiptRow = order.finishedAt
    ? { label: 'Finished', value: time(order.finishedAt) }
    : { label: 'Due to finish by', value: time(order.finishBy) };
  return [
    { label: 'Posted', value: time(order.postedAt) },
    orderedOrDetected(order, time),
    { label: 'Started', value: order.startedAt ? time(order.startedAt) : 'Not yet' },
    end,
  ];
}

/** Detection made an automatic order; likes for credits were ordered by the customer, however old the post. */
function orderedOrDetected(order: LikeOrder, time: (instant: string) => string): ReceiptRow {
  if (order.kind === 'credit') return { label: 'Ordered', value: time(order.detectedAt) };
  const after = durationInWords(order.postedAt, order.detectedAt);
  return { label: 'Detected', value: `${time(order.detectedAt)} (${after} after posting)` };
}

/** What was ordered and what arrived. */
export function countRows(order: LikeOrder): ReceiptRow[] {
  const views: ReceiptRow[] =
    order.views > 0
      ? [{ label: 'Views', value: `${figure(order.viewsDelivered)} of ${figure(order.views)}` }]
      : [];
  return [
    { label: 'Start count', value: startCount(order) },
    { label: 'Likes ordered', value: figure(order.ordered) },
    { label: 'Bonus', value: figure(order.bonus) },
    { label: 'Delivered', value: figure(order.delivered) },
    { label: 'Remains', value: figure(order.remains) },
    ...views,
  ];
}

/** How it was delivered and how it ended. */
export function stateRows(order: LikeOrder, seesMoney: boolean): ReceiptRow[] {
  const reason: ReceiptRow[] = order.reason ? [{ label: 'Reason', value: order.reason }] : [];
  const returned: ReceiptRow[] =
    seesMoney && order.reason !== null && order.creditsReturned !== null
      ? [{ label: 'Returned', value: creditsInWords(order.creditsReturned) }]
      : [];
  return [
    { label: 'Status', value: order.state },
    ...reason,
    ...returned,
    { label: 'Speed', value: order.speed },
    {
      label: 'Kind',
      value: order.kind === 'automatic' ? 'Automatic, from the plan' : 'Sent with credits',
    },
    { label: 'Receipt number', value: receiptNumber(order.id) },
  ];
}

const creditsInWords = (credits: number): string => counted(credits, 'credit');

/** Likes the post had before; unknown until delivery starts, and hidden when the owner hides them. */
function startCount(order: LikeOrder): string {
  if (order.startCount !== null) return figure(order.startCount);
  const hasBegun = order.startedAt !== null || isFinal(order.state);
  return hasBegun ? 'Hidden' : 'Not yet';
}
