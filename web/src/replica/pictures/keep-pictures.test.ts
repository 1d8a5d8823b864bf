import { DAY_MS } from '#shared/domain/durations.ts';
import { applyWireRows } from '../engine/pull-scopes.ts';
import { expect, test } from 'vitest';
import { applyRows } from '../store/apply-rows.ts';
import { KEEP_PICTURE } from '#shared/pictures/picture-cache.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { listRows } from '../store/read-rows.ts';
import { putCursor, putScope } from '../store/scope-state.ts';
import { keepPictures } from './keep-pictures.ts';
import { Listeners } from '#web/platform/async.ts';
import type { SnapshotLine } from '../network/sync-network.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ID = '0192d3c0-0000-7000-8000-000000000001';
const WORKSPACE = { scope: `w:${ID}`, generation: 1 };
const accountIdOf = (igId: string): string => `0192d3c0-0000-7000-8000-00000000000${igId}`;
const probe = 'released /proxy/none?w=160';

const post = (igId: string, id: string, ageDays: number) => ({
  id: `${accountIdOf(igId)}/${id}`,
  v: 1,
  row: {
    id,
    igId,
    accountId: accountIdOf(igId),
    display_url: id === 'none' ? '' : `/proxy/${id}`,
    takenAt: new Date(NOW - ageDays * DAY_MS).toISOString(),
  },
});

/** A replica of two accounts with posts, and somebody who answers what is asked about pictures. */
async function opened(pinned: readonly string[], more?: Record<string, string>) {
  const store = createMemoryStore();
  const state = {
    isMetered: false,
    mayBeKept: true,
    answer: (_path: string): number => 204,
    older: [] as unknown[],
  };
  await store.write(async (tx) => {
    await putScope(tx, {
      ...WORKSPACE,
      complete: ['account'],
      loading: null,
      ...(more && { more }),
    });
    await putScope(tx, { scope: `u:${ID}`, generation: 1, complete: ['user'], loading: null });
    await putCursor(tx, WORKSPACE.scope, 1);
    await applyRows(
      tx,
      { ...WORKSPACE, entity: 'account' },
      ['1', '2'].map((igId) => ({
        id: accountIdOf(igId),
        v: 1,
        row: { accountId: accountIdOf(igId), igId, profilePic: `/proxy/face${igId}` },
      })),
    );
    await applyRows(tx, { ...WORKSPACE, entity: 'post' }, [
      post('1', 'a-new', 1),
      post('1', 'a-old', 90),
      post('1', 'none', 2),
      post('2', 'b-new', 3),
      post('2', 'b-old', 60),
    ]);
  });
  const pin = (igIds: readonly string[], v: number) =>
    store.write((tx) => {
      const preferences = { pinnedAccountIds: igIds.map(accountIdOf) };
      const row = { id: ID, preferences };
      return applyRows(tx, { scope: `u:${ID}`, entity: 'user', generation: 1 }, [
        { id: ID, v, row },
      ]);
    });
  await pin(pinned, 1);
  const asked: string[] = [];
  const rests: number[] = [];
  const changes = new Listeners<void>();
  let onIdle = (): void => undefined;
  const stopping = new AbortController();
  const ended = keepPictures(
    {
      store,
      network: {
        snapshot: async (parameters) => {
          state.older.push(parameters);
          const lines: SnapshotLine[] = [
            {
              kind: 'chunk',
              entity: 'post',
              after: '',
              rows: [post('1', 'a-first', 900)].map(({ id, v, row }) => [id, v, row]),
            },
            { kind: 'end', end: true, count: 1, more: {} },
          ];
          return {
            kind: 'ok',
            value: (async function* () {
              yield lines;
            })(),
          };
        },
      },
      fetch: async (input, init) => {
        const intent = new Headers(init?.headers).get(KEEP_PICTURE);
        const path = input as string;
        asked.push(`${intent} ${path}`);
        return new Response(null, { status: state.answer(path) });
      },
      apiOrigin: '',
      sleep: async (delayMs, signal) => {
        rests.push(delayMs);
        if (delayMs < 5000 || signal.aborted) return;
        onIdle();
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
      },
      now: () => NOW,
      mayBeKept: async () => state.mayBeKept,
      isMetered: () => state.isMetered,
      onChange: (listener) => changes.add(listener),
      report: (_event, detail) => {
        throw detail;
      },
    },
    stopping.signal,
  );
  /** What was asked in one round. */
  const round = async (): Promise<string[]> => {
    asked.length = 0;
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
    });
    changes.tell();
    await idle;
    return [...asked];
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  return { store, state, pin, round, rests, stop };
}

test('thumbnails of pinned accounts come first, then those of the last 30 days, then the large ones', async () => {
  const { round, stop } = await opened(['1']);
  expect(await round()).toEqual([
    probe,
    'pinned /proxy/face1?w=160',
    'pinned /proxy/a-new?w=320',
    'pinned /proxy/a-old?w=320',
    'usual /proxy/b-new?w=320',
    'pinned /proxy/a-new?w=640',
    'pinned /proxy/a-old?w=640',
  ]);
  expect(await round()).toEqual([probe]);
  await stop();
});

test('what is no longer pinned is let go of before anything else is kept', async () => {
  const { round, pin, stop } = await opened(['1']);
  await round();
  await pin(['2'], 2);
  const asked = await round();
  expect(asked.slice(0, 6)).toEqual([
    probe,
    'released /proxy/a-new?w=320',
    'released /proxy/a-old?w=320',
    'released /proxy/a-new?w=640',
    'released /proxy/a-old?w=640',
    'released /proxy/face1?w=160',
  ]);
  expect(asked[6]).toBe('pinned /proxy/face2?w=160');
  await pin(['1', '2'], 3);
  expect(await round()).toContain('pinned /proxy/a-old?w=320');
  await stop();
});

test('when accounts are gone all pictures are let go of first, once, and those still seen are fetched again', async () => {
  const { round, state, store, stop } = await opened(['1']);
  await round();
  const lose = () =>
    store.write((tx) =>
      applyWireRows(tx, { ...WORKSPACE, complete: ['account'], loading: null }, [
        ['account', accountIdOf('2'), 2, null],
        ['post', `${accountIdOf('2')}/b-new`, 2, null],
      ]),
    );
  await lose();
  state.answer = () => 502;
  expect((await round())[0]).toBe('none /proxy/none?w=160');
  state.answer = () => 204;
  const asked = await round();
  expect(asked.slice(0, 3)).toEqual(['none /proxy/none?w=160', probe, 'pinned /proxy/face1?w=160']);
  expect(asked.filter((each) => each.includes('b-new'))).toEqual([]);
  expect(await round()).toEqual([probe]);
  await stop();
});

test('nothing is fetched ahead where nobody keeps pictures, and none on a metered link', async () => {
  const { round, state, stop } = await opened(['1']);
  state.answer = () => 404;
  expect(await round()).toEqual([probe]);
  state.answer = () => 200;
  expect(await round()).toEqual([probe]);
  state.isMetered = true;
  expect(await round()).toEqual([]);
  state.isMetered = false;
  state.mayBeKept = false;
  expect(await round()).toEqual([]);
  await stop();
});

test.each([429, 502, 507])(
  'after a %s it rests, and goes on there in the next round',
  async (status) => {
    const { round, rests, state, stop } = await opened(['1']);
    state.answer = (path) => (path.includes('b-new') ? status : 204);
    expect(await round()).toHaveLength(5);
    expect(rests.at(-1)).toBe(5000);
    expect(await round()).toEqual([
      probe,
      'usual /proxy/b-new?w=320',
      'pinned /proxy/a-new?w=640',
      'pinned /proxy/a-old?w=640',
    ]);
    expect(rests.at(-1)).toBe(10_000);
    state.answer = () => 204;
    expect(await round()).toEqual([probe, 'usual /proxy/b-new?w=320']);
    expect(rests.at(-1)).toBe(60_000);
    await stop();
  },
);

test('a picture that the network doesn’t give now holds up none of the others, and is asked for again soon', async () => {
  const { round, rests, state, stop } = await opened(['1']);
  state.answer = (path) => (path.includes('a-new') ? 503 : 204);
  expect(await round()).toHaveLength(7);
  expect(rests.at(-1)).toBe(5000);
  state.answer = (path) => (path.includes('none') ? 204 : 503);
  expect(await round()).toEqual([probe, 'pinned /proxy/a-new?w=320', 'pinned /proxy/a-new?w=640']);
  await stop();
});

test('a picture that the server hasn’t got holds up none of the others', async () => {
  const { round, state, stop } = await opened(['1']);
  state.answer = (path) => (path.includes('a-new') ? 404 : 204);
  expect(await round()).toHaveLength(7);
  await stop();
});

test('of a pinned account the posts are held to the very first', async () => {
  const { round, state, store, stop } = await opened(['1'], { post: '2026-01-01T00:00:00Z||' });
  expect(await round()).toContain('pinned /proxy/a-first?w=320');
  expect(state.older).toMatchObject([{ account: accountIdOf('1'), entities: ['post'] }]);
  expect((await store.read((tx) => listRows(tx, 'post'))).map(({ id }) => id)).toContain('a-first');
  await round();
  expect(state.older).toHaveLength(1);
  await stop();
});

test('when nobody can be asked who keeps pictures, it is tried again soon; where nobody keeps them, it is not', async () => {
  const { state, round, rests, stop } = await opened(['1']);
  state.answer = () => 502;
  expect(await round()).toEqual([probe]);
  expect(rests.at(-1)).toBe(5000);
  state.answer = () => 404;
  expect(await round()).toEqual([probe]);
  expect(rests.at(-1)).toBe(60_000);
  await stop();
});
