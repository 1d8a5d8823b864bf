import {
  PROVIDER_BATCH_MAX,
  SIGNATURE_MAX_AGE_SECONDS,
  type Capacity,
  type ProviderOrder,
  type ProviderProgress,
  type RefusalReason,
} from '#shared/contract/provider-protocol.ts';
import { isFinal } from '#shared/domain/delivery/order-state.ts';
import type { DeliveryProvider, Placement, ProviderOutcome } from './delivery-provider.ts';

export type ProviderCall =
  | { call: 'placeOrders'; orders: ProviderOrder[] }
  | { call: 'readProgress' | 'cancelOrders'; refs: string[] }
  | { call: 'readCapacity' };

/** A delivery provider in memory. Orders stand still until a test moves them. */
export interface FakeDeliveryProvider extends DeliveryProvider {
  readonly calls: readonly ProviderCall[];
  /** Accepted orders by ref: the provider's own book. */
  readonly orders: ReadonlyMap<string, ProviderOrder>;
  /** Changes the progress of an order; `seq` rises by itself. Answers what an event would carry. */
  advance(ref: string, change: Partial<Omit<ProviderProgress, 'ref' | 'seq'>>): ProviderProgress;
  /** Delivers an order in full. */
  complete(ref: string): ProviderProgress;
  /** Orders for this post are refused from now on. */
  refuseMedia(mediaId: string, reason: RefusalReason): void;
  setCapacity(capacity: Capacity): void;
  /** The next calls fail with these, one each, and have no effect. */
  queueFailure(...failures: ProviderFailure[]): void;
  /** The next `count` calls take effect, but their answer is lost. */
  loseAnswers(count: number): void;
}

export type ProviderFailure = Exclude<ProviderOutcome<never>, { kind: 'answered' }>;

interface Entry {
  order: ProviderOrder;
  progress: ProviderProgress;
}

interface FakeState {
  calls: ProviderCall[];
  orders: Map<string, ProviderOrder>;
  entries: Map<string, Entry>;
  refused: Map<string, RefusalReason>;
  failures: ProviderFailure[];
  capacity: Capacity;
  lostAnswers: number;
}

export function createFakeDeliveryProvider(): FakeDeliveryProvider {
  const state: FakeState = {
    calls: [],
    orders: new Map(),
    entries: new Map(),
    refused: new Map(),
    failures: [],
    capacity: { members: 20_000, perHour: 600_000, backlogMinutes: 0 },
    lostAnswers: 0,
  };
  return {
    calls: state.calls,
    orders: state.orders,
    lastArrivalMs: SIGNATURE_MAX_AGE_SECONDS * 1000,
    placeOrders: (orders) =>
      answer(state, { call: 'placeOrders', orders }, orders.length, () =>
        orders.map((order) => place(state, order)),
      ),
    readProgress: (refs) =>
      answer(state, { call: 'readProgress', refs }, refs.length, () => progressOf(state, refs)),
    cancelOrders: (refs) =>
      answer(state, { call: 'cancelOrders', refs }, refs.length, () => cancel(state, refs)),
    readCapacity: () => answer(state, { call: 'readCapacity' }, 1, () => ({ ...state.capacity })),
    advance: (ref, change) => advance(state, ref, change),
    complete(ref) {
      const { order } = entryOf(state, ref);
      const { likes: delivered, views } = order;
      return advance(state, ref, { status: 'Completed', delivered, views, remains: 0 });
    },
    refuseMedia: (mediaId, reason) => void state.refused.set(mediaId, reason),
    setCapacity(capacity) {
      state.capacity = capacity;
    },
    queueFailure: (...failures) => void state.failures.push(...failures),
    loseAnswers(count) {
      state.lostAnswers += count;
    },
  };
}

function answer<Answer>(
  state: FakeState,
  call: ProviderCall,
  size: number,
  effect: () => Answer,
): Promise<ProviderOutcome<Answer>> {
  state.calls.push(call);
  const failure = state.failures.shift();
  if (failure) return Promise.resolve(failure);
  if (size > PROVIDER_BATCH_MAX) return Promise.resolve({ kind: 'rejected', status: 413 });
  const result = effect();
  if (state.lostAnswers === 0) return Promise.resolve({ kind: 'answered', answer: result });
  state.lostAnswers -= 1;
  return Promise.resolve({ kind: 'unavailable', reason: 'answer lost' });
}

function place(state: FakeState, order: ProviderOrder): Placement {
  const { ref } = order;
  const known = state.orders.get(ref);
  if (known) {
    return JSON.stringify(known) === JSON.stringify(order)
      ? { ref, result: 'accepted' }
      : { ref, result: 'refused', reason: 'conflict' };
  }
  const reason = state.refused.get(order.mediaId);
  if (reason) return { ref, result: 'refused', reason };
  state.orders.set(ref, { ...order });
  state.entries.set(ref, {
    order,
    progress: {
      ref,
      seq: 1,
      status: 'Pending',
      startCount: null,
      delivered: 0,
      views: 0,
      remains: order.likes,
    },
  });
  return { ref, result: 'accepted' };
}

function progressOf(state: FakeState, refs: string[]): ProviderProgress[] {
  return refs.flatMap((ref) => {
    const entry = state.entries.get(ref);
    return entry ? [{ ...entry.progress }] : [];
  });
}

function cancel(state: FakeState, refs: string[]): ProviderProgress[] {
  for (const ref of refs) {
    const progress = state.entries.get(ref)?.progress;
    if (!progress || isFinal(progress.status)) continue;
    advance(state, ref, { status: progress.delivered > 0 ? 'Partial' : 'Canceled' });
  }
  return progressOf(state, refs);
}

function advance(
  state: FakeState,
  ref: string,
  change: Partial<Omit<ProviderProgress, 'ref' | 'seq'>>,
): ProviderProgress {
  const entry = entryOf(state, ref);
  const delivered = change.delivered ?? entry.progress.delivered;
  entry.progress = {
    ...entry.progress,
    remains: entry.order.likes - delivered,
    ...change,
    seq: entry.progress.seq + 1,
  };
  return { ...entry.progress };
}

function entryOf(state: FakeState, ref: string): Entry {
  const entry = state.entries.get(ref);
  if (!entry) throw new Error(`The fake provider has no order "${ref}"`);
  return entry;
}
