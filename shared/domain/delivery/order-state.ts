/**
 * The six states of an order, spelt as the wire, the database and the screens spell them (D7).
 *
 *   Pending ──> Processing ──> In progress ──> Completed
 *      │            │               └────────> Partial     (rest returned)
 *      └────────────┴─────────────────────────> Canceled   (nothing delivered)
 */
export const ORDER_STATES = [
  'Pending',
  'Processing',
  'In progress',
  'Completed',
  'Partial',
  'Canceled',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

const FINAL: ReadonlySet<OrderState> = new Set(['Completed', 'Partial', 'Canceled']);

/** A final state never changes again. */
export function isFinal(state: OrderState): boolean {
  return FINAL.has(state);
}

const RANK: Record<OrderState, number> = {
  Pending: 0,
  Processing: 1,
  'In progress': 2,
  Completed: 3,
  Partial: 3,
  Canceled: 3,
};

/** Whether an order may go from one state to another: forward only, and never out of a final state. */
export function canFollow(from: OrderState, to: OrderState): boolean {
  return from === to || (!isFinal(from) && RANK[to] > RANK[from]);
}

/** Reads the spellings providers use ("in_progress", "cancelled", "COMPLETE") as one of the six. */
export function parseOrderState(text: string): OrderState | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
  return SPELLINGS.get(word);
}

const SPELLINGS = new Map<string, OrderState>([
  ...ORDER_STATES.map((state): [string, OrderState] => [state.toLowerCase(), state]),
  ['inprogress', 'In progress'],
  ['complete', 'Completed'],
  ['cancelled', 'Canceled'],
  ['partially completed', 'Partial'],
]);
