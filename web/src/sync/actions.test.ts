import { expect, test } from 'vitest';
import type { Mutation, MutationResult } from '#shared/sync/push.ts';
import { applyRows } from '../local-db/apply-rows.ts';
import { createMemoryStore } from '../local-db/memory-store.fake.ts';
import { listRows } from '../local-db/read-rows.ts';
import { putCursor, putScope } from '../local-db/scope-state.ts';
import type { SyncStore } from '../local-db/sync-store.ts';
import { createActions } from './actions.ts';
import { pushOutbox } from './push-outbox.ts';
import type { Fetched } from './sync-network.ts';
import type { SyncStatus } from './sync-status.ts';

const ID = '0192d3c0-0000-7000-8000-000000000001';
const ACCOUNT = '0192d3c0-0000-7000-8000-0000000000a1';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const likes = {
  igId: '7',
  igUsername: 'ada.paints',
  postId: '9',
  shortCode: 'Cabc',
  caption: 'A morning at the harbour, long before the boats are out',
  likes: 25,
};
const ada = { igId: '7', igUsername: 'ada.paints' };
const settings = { automaticLikes: false, speed: '1 Hour', range: null } as const;

type Answer = (mutations: readonly Mutation[]) => Fetched<{ results: MutationResult[] }>;
const accept: Answer = (mutations) => ({
  kind: 'ok',
  value: { results: mutations.map(({ mid }) => ({ mid, status: 'ok', versions: {} })) },
});
const refuse: Answer = (mutations) => ({
  kind: 'ok',
  value: {
    results: mutations.map(({ mid }) => ({
      mid,
      status: 'rejected',
      code: 'credits_too_low',
      message: 'Too few credits.',
    })),
  },
});
const unreachable: Answer = () => ({ kind: 'unreachable' });

/** A copy with a post and 500 credits, and a leader that pushes at every wake while it is live. */
async function opened(answer: Answer, status: SyncStatus = { kind: 'live' }) {
  const memory = createMemoryStore();
  const listeners = new Set<() => void>();
  const sent: Mutation[] = [];
  const state = { answer, status, serial: 0, isTimeOver: false };
  const store: SyncStore = {
    read: (work) => memory.read(work),
    write: async (work) => {
      const result = await memory.write(work);
      for (const listener of listeners) listener();
      return result;
    },
  };
  const statusListeners = new Set<() => void>();
  const newId = (): string => {
    state.serial += 1;
    return `f81d4fae-7dec-41d0-a765-${String(state.serial).padStart(12, '0')}`;
  };
  const setStatus = (next: SyncStatus): void => {
    state.status = next;
    for (const listener of statusListeners) listener();
  };
  const push = async (): Promise<void> => {
    const unused = (): never => {
      throw new Error('Only pushes are made here');
    };
    const network = {
      pull: unused,
      verify: unused,
      snapshot: unused,
      stream: unused,
      push: async ({ mutations }: { mutations: Mutation[] }) => {
        sent.push(...mutations);
        const answered = state.answer(mutations);
        if (answered.kind !== 'ok') return answered;
        return { kind: 'ok' as const, value: { ...answered.value, lastMid: 0 } };
      },
    };
    const work = { store, network, newId, now: () => NOW, report: () => undefined };
    const pushed = await pushOutbox(work, new AbortController().signal);
    if (pushed.kind === 'unreachable') setStatus({ kind: 'offline', asOf: NOW });
  };
  const actions = createActions({
    store,
    watchItem: (id, listener) => {
      const tell = (): void => void memory.read((tx) => tx.getOutboxItem(id)).then(listener);
      tell();
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    sync: {
      wake: () => void (state.status.kind === 'live' && push()),
      status: () => state.status,
      subscribe: (listener) => {
        statusListeners.add(listener);
        return () => statusListeners.delete(listener);
      },
    },
    sleep: (_delayMs, signal) =>
      new Promise((resolve) => {
        if (state.isTimeOver) resolve();
        signal.addEventListener('abort', () => resolve());
      }),
    now: () => NOW,
    newId,
  });
  await store.write(async (tx) => {
    for (const kind of ['w', 'b', 'u']) {
      await putScope(tx, { scope: `${kind}:${ID}`, generation: 1, complete: [], loading: null });
      await putCursor(tx, `${kind}:${ID}`, 1);
    }
    const put = (scope: string, entity: string, id: string, row: Record<string, unknown>) =>
      applyRows(tx, { scope: `${scope}:${ID}`, entity, generation: 1 }, [{ id, v: 1, row }]);
    await put('w', 'account', ACCOUNT, { accountId: ACCOUNT, igId: '7', delivery: {} });
    await put('w', 'post', `${ACCOUNT}/9`, { accountId: ACCOUNT, totalLikesPurchased: 0 });
    await put('b', 'wallet', ID, { credits: 500 });
    await put('u', 'user', ID, { preferences: { density: 'compact', activeAccountId: null } });
  });
  const shown = async (entity: string) => (await store.read((tx) => listRows(tx, entity)))[0];
  const outbox = () => store.read((tx) => tx.listOutbox());
  return { actions, state, sent, setStatus, push, shown, outbox };
}

test('while live an order of extra likes is done within its call', async () => {
  const { actions, sent, outbox } = await opened(accept);
  expect(await actions.orderLikes(likes)).toEqual({ kind: 'done' });
  expect(sent).toHaveLength(1);
  expect(await outbox()).toEqual([]);
});

test('offline an order waits, and shows at once on the post and in the credits', async () => {
  const { actions, sent, shown, outbox } = await opened(accept, { kind: 'offline', asOf: NOW });
  expect(await actions.orderLikes(likes)).toEqual({ kind: 'queued' });
  expect(await shown('post')).toMatchObject({ totalLikesPurchased: 25 });
  expect(await shown('wallet')).toMatchObject({ credits: 475 });
  expect(await outbox()).toMatchObject([
    {
      state: { kind: 'queued' },
      title: '25 extra likes for “A morning at the harbour, long before th…” of @ada.paints',
    },
  ]);
  expect(sent).toEqual([]);
});

test('an order keeps its id however often it is sent', async () => {
  const { actions, state, sent, push, outbox } = await opened(unreachable);
  expect(await actions.orderLikes(likes)).toEqual({ kind: 'queued' });
  state.answer = accept;
  await push();
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
  expect(sent[0]?.args).toMatchObject({ orderId: expect.stringMatching(/-7[0-9a-f]{3}-/) });
  expect(await outbox()).toEqual([]);
});

test('refused within its call, an order leaves nothing behind but the reason', async () => {
  const { actions, shown, outbox } = await opened(refuse);
  expect(await actions.orderLikes(likes)).toEqual({
    kind: 'refused',
    code: 'credits_too_low',
    message: 'Too few credits.',
  });
  expect(await outbox()).toEqual([]);
  expect(await shown('wallet')).toMatchObject({ credits: 500 });
});

test('refused later, an order stays with its reason until it is sent again or discarded', async () => {
  const { actions, state, setStatus, push, shown, outbox } = await opened(refuse, {
    kind: 'offline',
    asOf: NOW,
  });
  await actions.orderLikes(likes);
  await actions.orderLikes({ ...likes, likes: 30 });
  setStatus({ kind: 'live' });
  await push();
  const [first, second] = await outbox();
  expect(first?.state).toMatchObject({ kind: 'failed', message: 'Too few credits.' });
  expect(await shown('wallet')).toMatchObject({ credits: 500 });
  expect(await actions.retry(first?.id ?? '')).toMatchObject({ kind: 'refused' });
  expect(await outbox()).toHaveLength(2);
  state.answer = accept;
  expect(await actions.retry(first?.id ?? '')).toEqual({ kind: 'done' });
  expect(await actions.discard(second?.id ?? '')).toBe(true);
  expect(await outbox()).toEqual([]);
});

test('sent again, an order is the same order under a new number', async () => {
  const { actions, state, sent, push, outbox } = await opened(refuse, { kind: 'offline', asOf: 0 });
  await actions.orderLikes(likes);
  await push();
  state.answer = accept;
  state.status = { kind: 'live' };
  await actions.retry((await outbox())[0]?.id ?? '');
  expect(sent.map(({ mid }) => mid)).toEqual([1, 2]);
  expect(sent[1]?.args).toEqual(sent[0]?.args);
});

test('settings saved twice offline are sent once, as they were saved last', async () => {
  const { actions, sent, push, shown } = await opened(accept, { kind: 'offline', asOf: NOW });
  await actions.saveDelivery(ada, { ...settings, speed: 'Instant' });
  expect(await actions.saveDelivery(ada, settings)).toEqual({ kind: 'queued' });
  expect(await shown('account')).toMatchObject({ delivery: settings });
  await push();
  expect(sent.map(({ args }) => args)).toEqual([{ igId: '7', settings }]);
});

test('switching accounts keeps the other preferences, and only the last switch is sent', async () => {
  const { actions, sent, push, shown } = await opened(accept, { kind: 'offline', asOf: NOW });
  await actions.switchAccount(ada);
  expect(await actions.switchAccount(ada)).toEqual({ kind: 'queued' });
  expect(await shown('user')).toEqual({
    preferences: { density: 'compact', activeAccountId: ACCOUNT },
  });
  await push();
  expect(sent).toMatchObject([{ name: 'switchAccount', args: { accountId: ACCOUNT } }]);
});

test('an account that is not in the copy yet is switched to here only', async () => {
  const { actions, outbox } = await opened(accept, { kind: 'offline', asOf: NOW });
  expect(await actions.switchAccount({ igId: '8', igUsername: 'new' })).toEqual({ kind: 'done' });
  expect(await outbox()).toEqual([]);
});

test('a call that waits for its answer is told as soon as the network is gone', async () => {
  const { actions, state, setStatus } = await opened(accept, { kind: 'syncing', asOf: NOW });
  const waiting = actions.orderLikes(likes);
  await expect.poll(() => state.serial).toBeGreaterThan(0);
  setStatus({ kind: 'offline', asOf: NOW });
  expect(await waiting).toEqual({ kind: 'queued' });
});

test('everything that waits is sent at once, unless the server is away', async () => {
  const { actions, state, setStatus, outbox } = await opened(accept, {
    kind: 'offline',
    asOf: NOW,
  });
  await actions.orderLikes(likes);
  await actions.saveDelivery(ada, settings);
  state.isTimeOver = true;
  expect(await actions.sendAll()).toBe(false);
  expect(await outbox()).toHaveLength(2);
  state.isTimeOver = false;
  setStatus({ kind: 'live' });
  expect(await actions.sendAll()).toBe(true);
  expect(await outbox()).toEqual([]);
});

test('whoever asks to send after a failed attempt gets a new one', async () => {
  const { actions, setStatus, outbox } = await opened(accept, { kind: 'offline', asOf: NOW });
  await actions.orderLikes(likes);
  const sending = actions.sendAll();
  setStatus({ kind: 'live' });
  expect(await sending).toBe(true);
  expect(await outbox()).toEqual([]);
});

test('accounts kept for offline are one list: of several changes that wait only the last is sent', async () => {
  const { actions, shown, outbox, push, sent } = await opened(accept, {
    kind: 'offline',
    asOf: NOW,
  });
  expect(await actions.pinAccount(ada, true)).toEqual({ kind: 'queued' });
  expect(await shown('user')).toMatchObject({
    preferences: { density: 'compact', pinnedAccountIds: [ACCOUNT] },
  });
  await actions.pinAccount(ada, true);
  expect(await shown('user')).toMatchObject({ preferences: { pinnedAccountIds: [ACCOUNT] } });
  await actions.pinAccount(ada, false);
  expect(await outbox()).toMatchObject([{ title: 'Accounts kept for offline' }]);
  await push();
  expect(sent).toMatchObject([{ name: 'setPreferences', args: { pinnedAccountIds: [] } }]);
});

test('an account that isn’t here can’t be kept for offline, and the switch shown beside it stays', async () => {
  const { actions, shown, outbox } = await opened(accept, { kind: 'offline', asOf: NOW });
  expect(await actions.pinAccount({ igId: '8' }, true)).toEqual({ kind: 'done' });
  expect(await outbox()).toEqual([]);
  await actions.switchAccount(ada);
  await actions.pinAccount(ada, true);
  expect(await outbox()).toHaveLength(2);
  expect(await shown('user')).toMatchObject({
    preferences: { activeAccountId: ACCOUNT, pinnedAccountIds: [ACCOUNT] },
  });
});
