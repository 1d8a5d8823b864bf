import { expect, test } from 'vitest';
import type { Scope } from '#shared/contract/scope.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { findOlderPosts } from '../queries/older-posts.ts';
import { listRows } from '../store/read-rows.ts';
import { findCursor } from '../store/scope-state.ts';
import { pullScopes } from './pull-scopes.ts';
import type { SnapshotLine, SnapshotParameters, SyncNetwork } from '../network/sync-network.ts';

const OWN = '0192d3c0-0000-7000-8000-000000000001';
const SCOPES: Scope[] = [`w:${OWN}`, `b:${OWN}`, `u:${OWN}`];
const EPOCH = '0192d3c0-0000-7000-8000-0000000000e1';
const SHOWN = '0192d3c0-0000-7000-8000-0000000000a1';
const OTHER = '0192d3c0-0000-7000-8000-0000000000a2';
const never = new AbortController().signal;

const day = (nth: number): string => `2026-11-${String(nth).padStart(2, '0')}T00:00:00.000Z`;
type Line = [id: string, v: number, row: Record<string, unknown>];
const post = (account: string, nth: number, v: number): Line => [
  `${account}/${nth}`,
  v,
  { id: String(nth), igId: account, takenAt: day(nth), listPosition: 0, seenAtV: v },
];
const account = (id: string): Line => [id, 1, { accountId: id, igId: id, connectedAt: day(1) }];

const chunk = (
  entity: 'post' | 'account' | 'user',
  after: string,
  ...rows: Line[]
): SnapshotLine => ({
  kind: 'chunk',
  entity,
  after,
  rows,
});
const USER = chunk('user', OWN, [
  OWN,
  1,
  { id: OWN, defaultAccountId: OTHER, preferences: { activeAccountId: SHOWN } },
]);

interface OfShown {
  head: number;
  after?: string;
  /** The accounts a preview brings: a server of before doesn't leave the others out. */
  accounts?: readonly string[];
}

/**
 * A server whose snapshots bring only the newest two posts of the workspace; of the account that is
 * shown it has three, the newest of which changes between its preview and the snapshot.
 */
function createServer(ofShown: OfShown) {
  const asked: SnapshotParameters[] = [];
  let isRead = false;
  const answers = (parameters: SnapshotParameters): SnapshotLine[] => {
    const end = (more: Record<string, string>): SnapshotLine => ({
      kind: 'end',
      end: true,
      count: 0,
      more,
    });
    const head = (v: number): SnapshotLine => ({
      kind: 'head',
      epoch: EPOCH,
      v,
      schema: 1,
      count: {},
    });
    const { scope } = parameters;
    if (scope.startsWith('u:')) return [head(1), USER, end({})];
    if (scope.startsWith('b:')) return [head(1), end({})];
    if (parameters.account) {
      const rows = [post(SHOWN, 9, 5), post(SHOWN, 3, 4), post(SHOWN, 2, 3)];
      const { after, accounts = [SHOWN] } = ofShown;
      return [
        head(ofShown.head),
        chunk('account', '', ...accounts.map(account)),
        chunk('post', '', ...rows),
        end(after ? { post: after } : {}),
      ];
    }
    isRead = true;
    const bound = `${day(8)}|${OTHER}|8`;
    return [
      head(7),
      chunk('account', OTHER, account(SHOWN), account(OTHER)),
      chunk('post', bound, post(SHOWN, 9, 7), post(OTHER, 8, 6)),
      end({ post: bound }),
    ];
  };
  const network: SyncNetwork = {
    pull: async () => ({
      kind: 'ok',
      value: {
        epoch: EPOCH,
        sessionId: OWN,
        userId: OWN,
        at: day(20),
        drop: [],
        resync: [],
        lastMid: 0,
        scopes: {},
        new: isRead ? [] : SCOPES,
      },
    }),
    snapshot: async (parameters) => {
      asked.push(parameters);
      const lines = answers(parameters);
      const stream = async function* (): AsyncGenerator<SnapshotLine[]> {
        yield lines;
      };
      return { kind: 'ok', value: stream() };
    },
    push: async () => ({ kind: 'unreachable' }),
    verify: async () => ({ kind: 'unreachable' }),
    stream: async () => ({ kind: 'unreachable' }),
  };
  return { network, asked };
}

async function syncedWith(ofShown: OfShown) {
  const store = createMemoryStore();
  const { network, asked } = createServer(ofShown);
  const work = { store, network, now: () => 0, newId: () => OWN, report: () => undefined };
  const before: unknown[] = [];
  const held: unknown[] = [];
  const listening: SyncNetwork = {
    ...network,
    snapshot: async (parameters, signal) => {
      const posts = await store.read((tx) => listRows(tx, 'post'));
      const accounts = await store.read((tx) => listRows(tx, 'account'));
      held.push(...accounts.map(({ accountId }) => accountId));
      before.push([parameters.scope.slice(0, 1), parameters.account, posts.length]);
      return network.snapshot(parameters, signal);
    },
  };
  const ended = await pullScopes({ ...work, network: listening }, never);
  expect(ended.kind).toBe('done');
  const posts = await store.read((tx) => listRows(tx, 'post'));
  const older = await store.read((tx) => findOlderPosts(tx, SHOWN));
  const cursor = await store.read((tx) => findCursor(tx, SCOPES[0] ?? ''));
  const previews = await store.read((tx) => tx.chunkKeys(`${SCOPES[0] ?? ''}|post|0|`));
  return {
    posts: posts.map(({ id, seenAtV }) => [id, seenAtV]),
    older,
    cursor,
    before,
    held,
    asked,
    previews,
  };
}

const ALL = [
  ['9', 7],
  ['8', 6],
  ['3', 4],
  ['2', 3],
];

test('a new device reads who somebody is, then the posts of the account they were last shown', async () => {
  const { before } = await syncedWith({ head: 5 });
  expect(before).toEqual([
    ['u', undefined, 0],
    ['w', SHOWN, 0],
    ['b', undefined, 3],
    ['w', undefined, 3],
  ]);
});

test('of the accounts it reads the one that is shown, also from a server that sends others too', async () => {
  const { held, asked } = await syncedWith({ head: 5, accounts: [OTHER, SHOWN] });
  expect(asked[1]).toMatchObject({ account: SHOWN, entities: ['account', 'post', 'order'] });
  // Before the workspace's money and before the workspace.
  expect(held).toEqual([SHOWN, SHOWN]);
});

test('afterwards what was previewed stays held, each post once and in its newest version', async () => {
  const { posts, previews, cursor } = await syncedWith({ head: 5 });
  expect(posts).toEqual(ALL);
  expect(previews).toEqual([]);
  // What changed between the preview and the snapshot is pulled.
  expect(cursor).toBe(5);
});

test('posts older than the preview are fetched from behind it, and none when it has them all', async () => {
  const after = `${day(2)}|${SHOWN}|2`;
  expect((await syncedWith({ head: 5, after })).older?.after).toBe(after);
  expect((await syncedWith({ head: 5 })).older).toBeUndefined();
});
