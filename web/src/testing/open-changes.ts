import type { Mutation, MutationResult } from '#shared/sync/push.ts';
import { applyRows } from '#web/replica/store/apply-rows.ts';
import { createMemoryStore } from '#web/replica/store/memory-store.fake.ts';
import { listRows } from '#web/replica/store/read-rows.ts';
import { putCursor, putScope } from '#web/replica/store/scope-state.ts';
import type { SyncStore } from '#web/replica/store/sync-store.ts';
import { createChanges } from '#web/replica/outbox/make-changes.ts';
import { pushOutbox } from '#web/replica/outbox/push-outbox.ts';
import type { Fetched, SyncNetwork } from '#web/replica/network/sync-network.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';

const ID = '0192d3c0-0000-7000-8000-000000000001';
export const ACCOUNT = '0192d3c0-0000-7000-8000-0000000000a1';
export const NOW = Date.parse('2026-11-21T12:00:00Z');
export const likes = {
  igId: '7',
  igUsername: 'ada.paints',
  postId: '9',
  shortCode: 'Cabc',
  caption: 'A morning at the harbour, long before the boats are out',
  likes: 25,
  postedAtInWords: 'Nov 21, 2026, 11:00 AM',
};
export const ada = { igId: '7', igUsername: 'ada.paints' };
export const settings = { automaticLikes: false, speed: '1 Hour', range: null } as const;

/** What the server answers to changes. */
export type Answer = (mutations: readonly Mutation[]) => Fetched<{ results: MutationResult[] }>;
export const accept: Answer = (mutations) => ({
  kind: 'ok',
  value: { results: mutations.map(({ mid }) => ({ mid, status: 'ok', versions: {} })) },
});
export const refuse: Answer = (mutations) => ({
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
/** What needs another network is deferred; a number that is only burned is refused. */
export const deferred: Answer = (mutations) => ({
  kind: 'ok',
  value: {
    results: mutations.map(({ mid, v }) =>
      v === 0
        ? { mid, status: 'rejected', code: 'invalid_input', message: 'This change is not known.' }
        : {
            mid,
            status: 'later',
            code: 'network_unreachable',
            message: 'Please try again shortly.',
            retryAfterMs: 5000,
          },
    ),
  },
});
export const unreachable: Answer = () => ({ kind: 'unreachable' });

/** A replica with a post and 500 credits, and a leader that pushes at every wake while it is live. */
export async function openChanges(answer: Answer, status: SyncStatus = { kind: 'live' }) {
  const memory = createMemoryStore();
  const listeners = new Set<() => void>();
  const sent: Mutation[] = [];
  const state = { answer, status, serial: 0, isTimeOver: false, nowMs: NOW };
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
    const network = pushOnly((mutations) => {
      sent.push(...mutations);
      return state.answer(mutations);
    });
    const work = { store, network, newId, now: () => state.nowMs, report: () => undefined };
    const pushed = await pushOutbox(work, new AbortController().signal);
    if (pushed.kind === 'unreachable') setStatus({ kind: 'offline', asOf: NOW });
  };
  const changes = createChanges({
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
    now: () => state.nowMs,
    newId,
  });
  await plantRows(store);
  const shown = async (entity: string) => (await store.read((tx) => listRows(tx, entity)))[0];
  const outbox = () => store.read((tx) => tx.listOutbox());
  return { changes, state, sent, setStatus, push, shown, outbox };
}

async function plantRows(store: SyncStore): Promise<void> {
  await store.write(async (tx) => {
    for (const kind of ['w', 'b', 'u']) {
      await putScope(tx, { scope: `${kind}:${ID}`, generation: 1, complete: [], loading: null });
      await putCursor(tx, `${kind}:${ID}`, 1);
    }
    const put = (scope: string, entity: string, id: string, row: Record<string, unknown>) =>
      applyRows(tx, { scope: `${scope}:${ID}`, entity, generation: 1 }, [{ id, v: 1, row }]);
    await put('w', 'account', ACCOUNT, {
      accountId: ACCOUNT,
      igId: '7',
      igUsername: 'ada',
      delivery: {},
      tags: ['old'],
    });
    await put('w', 'post', `${ACCOUNT}/9`, { accountId: ACCOUNT, totalLikesPurchased: 0 });
    await put('b', 'wallet', ID, { credits: 500 });
    await put('u', 'user', ID, { preferences: { density: 'compact', activeAccountId: null } });
  });
}

/** A network that only takes pushes. */
export function pushOnly(answer: Answer): SyncNetwork {
  const unused = (): never => {
    throw new Error('Only pushes are made here');
  };
  return {
    pull: unused,
    verify: unused,
    snapshot: unused,
    stream: unused,
    push: async ({ mutations }) => {
      const answered = answer(mutations);
      if (answered.kind !== 'ok') return answered;
      return { kind: 'ok', value: { ...answered.value, lastMid: 0 } };
    },
  };
}
