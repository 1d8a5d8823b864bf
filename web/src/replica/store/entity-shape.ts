/** How the rows of an entity are spread over chunks and found again. */
export interface EntityShape {
  rowsPerChunk: number;
  /** The instant the rows are ordered by, newest first; undefined: they have no order. */
  timeOf: (row: Readonly<Record<string, unknown>>) => unknown;
  /** What the rows can be found by besides their id. */
  keysOf: (row: Readonly<Record<string, unknown>>) => string[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const accountKey = (entity: string, igId: string): string => `${entity}@${igId}`;
/** Finds the accounts whose renewal was declined, among however many. */
export const PAST_DUE = 'account!past-due';
/** Finds the accounts that can't be read. */
export const UNREADABLE = 'account!unreadable';
/** Finds the orders that ended early though nobody asked them to, among however many. */
export const ENDED_EARLY = 'order!ended-early';
export const orderOfPostKey = (postId: string): string => `order#${postId}`;

/** What was stopped on request is no surprise. */
const isCutShort = ({ state, reasonCode }: Readonly<Record<string, unknown>>): boolean =>
  (state === 'Partial' || state === 'Canceled') && reasonCode !== 'stopped';

const SHAPES: Record<string, EntityShape> = {
  account: {
    rowsPerChunk: 32,
    timeOf: () => undefined,
    keysOf: (row) => [
      accountKey('account', text(row['igId'])),
      ...(row['subscriptionState'] === 'Past due' ? [PAST_DUE] : []),
      ...(row['problem'] === 'unreadable' ? [UNREADABLE] : []),
    ],
  },
  post: {
    rowsPerChunk: 128,
    timeOf: (row) => row['takenAt'],
    keysOf: (row) => [accountKey('post', text(row['igId']))],
  },
  order: {
    rowsPerChunk: 32,
    timeOf: (row) => row['detectedAt'],
    keysOf: (row) => [
      accountKey('order', text(row['igId'])),
      orderOfPostKey(text(row['postId'])),
      ...(isCutShort(row) ? [ENDED_EARLY] : []),
    ],
  },
  transaction: { rowsPerChunk: 128, timeOf: (row) => row['createdAt'], keysOf: () => [] },
  ledger: { rowsPerChunk: 128, timeOf: (row) => row['at'], keysOf: () => [] },
};

/** Users and what a later server may add: few rows, in no order. */
const PLAIN: EntityShape = { rowsPerChunk: 32, timeOf: () => undefined, keysOf: () => [] };

export const shapeOf = (entity: string): EntityShape => SHAPES[entity] ?? PLAIN;

/** Milliseconds since the epoch; 0 for a row without an instant. */
export function instantOf(shape: EntityShape, row: Readonly<Record<string, unknown>>): number {
  const at = shape.timeOf(row);
  const atMs = typeof at === 'string' ? Date.parse(at) : 0;
  return Number.isFinite(atMs) ? atMs : 0;
}

/** A row with the instant it is ordered by. */
export interface TimedRow {
  id: string;
  atMs: number;
  row: Readonly<Record<string, unknown>>;
}

/** Posts of one second stand in the network's own order (`listPosition`, the smaller the newer). */
export function newestFirst(a: TimedRow, b: TimedRow): number {
  const byTime = b.atMs - a.atMs;
  if (byTime !== 0) return byTime;
  const byList = listPosition(a) - listPosition(b);
  if (byList !== 0) return byList;
  return a.id < b.id ? 1 : -1;
}

function listPosition({ row }: TimedRow): number {
  const position = row['listPosition'];
  return typeof position === 'number' ? position : 0;
}
