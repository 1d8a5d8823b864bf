import { expect, test } from 'vitest';
import { PULL_PATH, type PullAnswer } from '#shared/sync/pull.ts';
import { PUSH_PATH } from '#shared/sync/push.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { queueChange } from '../outbox/outbox.ts';
import { listCursors, listScopes } from '../store/scope-state.ts';
import { createHttpNetwork } from '../network/http-network.ts';
import { lead } from './sync-engine.ts';
import type { SyncStatus } from '../network/sync-status.ts';

const ADA = '0192d3c0-0000-7000-8000-00000000ada1';
const EVE = '0192d3c0-0000-7000-8000-00000000e4e1';
const EPOCH = '0192d3c0-0000-7000-8000-0000000000e1';

/** The session's user is Eve, at a server that doesn't look whose replica asks. */
function serverOfEve(): { fetch: typeof globalThis.fetch; asked: URL[] } {
  const asked: URL[] = [];
  const answer: PullAnswer = {
    epoch: EPOCH,
    sessionId: EPOCH,
    userId: EVE,
    at: '2026-11-21T12:00:00.000Z',
    scopes: {},
    drop: [],
    new: [`u:${EVE}`],
    resync: [],
    lastMid: 0,
  };
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const url = new URL(input as string, 'https://ovation.example');
    asked.push(url);
    if (url.pathname === STREAM_PATH) return new Response(new ReadableStream());
    if (url.pathname === PULL_PATH) return Response.json(answer);
    return new Response('', { status: 500 });
  };
  return { fetch, asked };
}

test('with another user’s session nothing is written and nothing sent: it asks to log in again', async () => {
  const store = createMemoryStore();
  const item = { id: '1', name: 'orderLikes', v: 1, args: {}, title: '', madeAt: 0 };
  await store.write((tx) => queueChange(tx, item, []));
  const { fetch, asked } = serverOfEve();
  const statuses: SyncStatus[] = [];
  const stopping = new AbortController();
  const end = await lead(
    {
      store,
      network: createHttpNetwork({ baseUrl: '', fetch, userId: ADA }),
      freePictures: async () => false,
      now: () => 0,
      newId: () => EPOCH,
      random: () => 0,
      report: () => undefined,
      onStatus: (status) => {
        statuses.push(status);
        if (status.kind === 'live' || status.kind === 'offline') stopping.abort();
      },
      onOutbox: () => () => undefined,
      onWake: () => () => undefined,
      sleep: (_delayMs, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    },
    stopping.signal,
  );
  expect(end).toBe('log_in_again');
  expect(statuses.at(-1)?.kind).toBe('log_in_again');
  expect(asked.map(({ pathname }) => pathname)).not.toContain(PUSH_PATH);
  expect(asked.map(({ searchParams }) => searchParams.get('user'))).toEqual([ADA, ADA]);
  expect(await store.read(listScopes)).toEqual([]);
  expect(await store.read(listCursors)).toEqual({});
  expect(await store.read((tx) => tx.getMeta('epoch'))).toBeUndefined();
  expect(await store.read((tx) => tx.getMeta('session'))).toBeUndefined();
  expect(await store.read((tx) => tx.listOutbox())).toMatchObject([{ state: { kind: 'queued' } }]);
});
