import { expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { Mutation } from '#shared/sync/push.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { discardChange, queueChange } from './outbox.ts';
import type { SyncNetwork } from '../network/sync-network.ts';
import { pushOutbox } from './push-outbox.ts';

const never = new AbortController().signal;
const CLIENT = '0192d3c0-0000-7000-8000-0000000000c1';
const REASON = 'Instagram can’t be reached right now.';

const unused = (): never => {
  throw new Error('Only pushes are made here');
};

/** A server that executes by number, defers what it is told to, and a replica with its clock. */
function opened() {
  const store = createMemoryStore();
  const state = { nowMs: 1_000_000, isAway: false, lastMid: 0 };
  /** Names that can't be decided now. */
  const undecided = new Set<string>();
  const stored = new Map<number, 'ok' | 'rejected'>();
  const executed: unknown[] = [];
  const requests: number[] = [];
  const execute = ({ mid, v, args }: Mutation): 'ok' | 'rejected' => {
    const before = stored.get(mid);
    if (before) return before;
    if (mid !== state.lastMid + 1) throw new Error(`There is a gap before ${mid}`);
    state.lastMid = mid;
    const status = v === 1 ? 'ok' : 'rejected';
    stored.set(mid, status);
    const id = (args as { orderId?: string }).orderId;
    const isKnown = id !== undefined && executed.some((each) => each === id);
    if (status === 'ok' && !isKnown) executed.push(id ?? args);
    return status;
  };
  const push: SyncNetwork['push'] = async ({ mutations }) => {
    requests.push(mutations.length);
    if (state.isAway) return { kind: 'unreachable' };
    const results = [];
    for (const mutation of mutations) {
      const { mid, name, v } = mutation;
      if (v === 1 && undecided.has(name) && !stored.has(mid)) {
        const later = { code: 'network_unreachable', message: REASON, retryAfterMs: 5000 };
        results.push({ mid, status: 'later' as const, ...later });
        break;
      }
      const status = execute(mutation);
      const refused = {
        code: 'invalid_input',
        message: 'The server doesn’t recognize this change. Please reload and try again.',
      };
      if (status === 'ok') results.push({ mid, status, versions: {} });
      else results.push({ mid, status, ...refused });
    }
    return { kind: 'ok', value: { results, lastMid: state.lastMid } };
  };
  const network = { pull: unused, verify: unused, snapshot: unused, stream: unused, push };
  let ids = 0;
  const queue = (name: string, args: Record<string, unknown>): Promise<void> => {
    ids += 1;
    const id = String(ids).padStart(3, '0');
    const item = { id, name, v: 1, args, title: '', madeAt: state.nowMs };
    return store.write((tx) =>
      queueChange(tx, item, [
        { entity: 'post', id, change: { kind: 'add', fields: { likes: 1 } } },
      ]),
    );
  };
  return {
    state,
    undecided,
    executed,
    requests,
    execute,
    store,
    order: (orderId: string) => queue('orderLikes', { orderId }),
    save: (speed: string) => queue('saveDeliverySettings', { igId: '7', settings: { speed } }),
    push: () => {
      const deps = { newId: () => CLIENT, now: () => state.nowMs, report: () => undefined };
      return pushOutbox({ store, network, ...deps }, never);
    },
    outbox: () => store.read((tx) => tx.listOutbox()),
    patched: async () =>
      (await store.read((tx) => tx.listPatches('post'))).map(({ itemId }) => itemId),
    discard: (id: string) => store.write((tx) => discardChange(tx, id)),
  };
}

const settings = (speed: string) => ({ igId: '7', settings: { speed } });

test('a change that the server defers holds nothing behind it, keeps its reason, and can be discarded', async () => {
  const { undecided, save, order, push, outbox, executed, patched, discard } = opened();
  undecided.add('saveDeliverySettings');
  await save('Instant');
  await order('a');
  await order('b');
  expect(await push()).toEqual({ kind: 'later', afterMs: 5000 });
  expect(executed).toEqual(['a', 'b']);
  const deferred = { code: 'network_unreachable', message: REASON };
  expect(await outbox()).toMatchObject([{ id: '001', state: { kind: 'queued', deferred } }]);
  expect(await patched()).toEqual(['001']);
  expect(await discard('001')).toBe(true);
  undecided.clear();
  expect(await push()).toEqual({ kind: 'done' });
  expect(executed).toEqual(['a', 'b']);
  expect(await patched()).toEqual([]);
});

test('what was deferred is sent again when it is due, not before, and is done once', async () => {
  const { state, undecided, save, order, push, outbox, executed, requests } = opened();
  undecided.add('saveDeliverySettings');
  await save('Instant');
  await push();
  undecided.clear();
  state.nowMs += 2000;
  const before = requests.length;
  expect(await push()).toEqual({ kind: 'later', afterMs: 3000 });
  expect(requests).toHaveLength(before);
  await order('a');
  expect(await push()).toEqual({ kind: 'later', afterMs: 3000 });
  expect(executed).toEqual(['a']);
  state.nowMs += 3000;
  expect(await push()).toEqual({ kind: 'done' });
  expect(executed).toEqual(['a', settings('Instant')]);
  expect(await outbox()).toEqual([]);
});

test('a clock that is set back does not lengthen the wait', async () => {
  const { state, undecided, order, push, executed } = opened();
  undecided.add('orderLikes');
  await order('a');
  await push();
  undecided.clear();
  state.nowMs -= 24 * 60 * MINUTE_MS;
  expect(await push()).toEqual({ kind: 'done' });
  expect(executed).toEqual(['a']);
});

test('the number of what was deferred is never another change’s: a late request under it loses no order and doubles none', async () => {
  const { state, undecided, order, push, outbox, executed, execute, discard } = opened();
  undecided.add('orderLikes');
  await order('a');
  // The first request is still on its way when the second one is answered "later".
  const first = { mid: 1, name: 'orderLikes', v: 1, args: { orderId: 'a' } };
  expect(await push()).toEqual({ kind: 'later', afterMs: 5000 });
  undecided.clear();
  expect(execute(first)).toBe('rejected');
  await order('b');
  state.nowMs += MINUTE_MS;
  expect(await push()).toEqual({ kind: 'done' });
  expect(executed).toEqual(['b', 'a']);
  expect(await outbox()).toEqual([]);
  expect(await discard('001')).toBe(false);
});

test('carried out by such a request before its number was burned, it is sent again at once for its answer', async () => {
  const { state, store, undecided, order, push, outbox, executed, execute } = opened();
  undecided.add('orderLikes');
  await order('a');
  // The answer "later" is kept; the leader is gone before the number is burned.
  const write = store.write.bind(store);
  let writes = 0;
  store.write = async (work) => {
    if ((writes += 1) > 2) throw new Error('The tab is closed');
    return write(work);
  };
  await expect(push()).rejects.toThrow('closed');
  store.write = write;
  expect(await outbox()).toMatchObject([{ state: { kind: 'sending', mid: 1, deferred: {} } }]);
  execute({ mid: 1, name: 'orderLikes', v: 1, args: { orderId: 'a' } });
  undecided.clear();
  expect(await push()).toEqual({ kind: 'done' });
  expect(executed).toEqual(['a']);
  expect(state.lastMid).toBe(2);
  expect(await outbox()).toEqual([]);
});

test('what is on its way can’t be discarded, and neither can what was deferred before its number is burned', async () => {
  const { state, undecided, order, push, outbox, patched, discard, store } = opened();
  state.isAway = true;
  await order('a');
  expect(await push()).toEqual({ kind: 'unreachable' });
  expect(await discard('001')).toBe(false);
  expect(await outbox()).toMatchObject([{ state: { kind: 'sending', mid: 1 } }]);
  expect(await patched()).toEqual(['001']);
  state.isAway = false;
  undecided.add('orderLikes');
  const write = store.write.bind(store);
  let writes = 0;
  store.write = async (work) => {
    if ((writes += 1) > 2) throw new Error('The tab is closed');
    return write(work);
  };
  await expect(push()).rejects.toThrow('closed');
  store.write = write;
  expect(await outbox()).toMatchObject([{ state: { kind: 'sending', mid: 1, deferred: {} } }]);
  expect(await discard('001')).toBe(false);
  expect(await outbox()).toHaveLength(1);
});

test('deferred, a change that a later one replaces is not sent after it', async () => {
  const { state, undecided, save, push, outbox, executed } = opened();
  state.isAway = true;
  await save('Instant');
  await push();
  await save('1 Hour');
  state.isAway = false;
  undecided.add('saveDeliverySettings');
  expect(await push()).toEqual({ kind: 'later', afterMs: 5000 });
  expect((await outbox()).map(({ id }) => id)).toEqual(['002']);
  undecided.clear();
  state.nowMs += MINUTE_MS;
  expect(await push()).toEqual({ kind: 'done' });
  expect(executed).toEqual([settings('1 Hour')]);
});

test('a server that defers everything is asked about five changes, not about all that wait', async () => {
  const { undecided, order, push, requests, outbox } = opened();
  undecided.add('orderLikes');
  for (let nr = 0; nr < 20; nr += 1) await order(String(nr));
  expect(await push()).toEqual({ kind: 'later', afterMs: 5000 });
  expect(requests).toHaveLength(5);
  expect(await outbox()).toHaveLength(20);
});
