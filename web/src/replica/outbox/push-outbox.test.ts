import { expect, test } from 'vitest';
import type { Mutation, PushRequest } from '#shared/sync/push.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { queueChange } from './outbox.ts';
import { createHttpNetwork } from '../network/http-network.ts';
import { pushOutbox } from './push-outbox.ts';

const never = new AbortController().signal;

/** What answers a request that holds a change named `poison`. */
type Refusal = () => Response;

const ours = (status: number, code: string): Refusal => {
  return () => Response.json({ status: 'error', code, message: 'Not in this form.' }, { status });
};
const foreign = (status: number): Refusal => {
  return () => new Response('<html>Please sign in to the network</html>', { status });
};

async function pushedTo(refuse: Refusal, names: readonly string[]) {
  const store = createMemoryStore();
  for (const [nr, name] of names.entries()) {
    const item = { id: String(nr), name, v: 1, args: {}, title: '', madeAt: 0 };
    await store.write((tx) =>
      queueChange(tx, item, [
        { entity: 'post', id: String(nr), change: { kind: 'add', fields: { likes: 1 } } },
      ]),
    );
  }
  const done: Mutation[] = [];
  const lastMid = new Map<string, number>();
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const { clientId, mutations } = JSON.parse(init?.body as string) as PushRequest;
    if (mutations.some(({ name }) => name === 'poison')) return refuse();
    const results = [];
    for (const mutation of mutations) {
      if (mutation.mid !== (lastMid.get(clientId) ?? 0) + 1)
        return new Response('', { status: 409 });
      lastMid.set(clientId, mutation.mid);
      done.push(mutation);
      results.push({ mid: mutation.mid, status: 'ok', versions: {} });
    }
    return Response.json({ results, lastMid: 0 });
  };
  let ids = 0;
  const newId = (): string => `0192d3c0-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;
  const network = createHttpNetwork({ baseUrl: '', fetch });
  const work = { store, network, now: () => 0, newId, report: () => undefined };
  const ended = await pushOutbox(work, never);
  const left = await store.read(async (tx) => ({
    items: await tx.listOutbox(),
    patched: (await tx.listPatches('post')).map(({ id }) => id),
  }));
  return { ended, left, done: done.map(({ name }) => name) };
}

test.each([
  ['malformed_body', ours(400, 'malformed_body')],
  ['not_yours', ours(403, 'not_yours')],
  ['body_too_large', ours(413, 'body_too_large')],
  ['body_too_large', foreign(413)],
])(
  'a change for which the whole request is refused (%s) fails with a reason; the others go on',
  async (code, refuse) => {
    const { ended, left, done } = await pushedTo(refuse, ['a', 'poison', 'b', 'poison', 'c']);
    expect(ended).toEqual({ kind: 'done' });
    expect(done).toEqual(['a', 'b', 'c']);
    const state = {
      kind: 'failed',
      code,
      message: 'The server couldn’t accept this change.',
    };
    expect(left.items).toMatchObject([
      { id: '1', state },
      { id: '3', state },
    ]);
    expect(left.patched.filter((id) => id === '1' || id === '3')).toEqual([]);
  },
);

test.each([
  ['a server in trouble', foreign(503)],
  ['something between that asks who is there', foreign(403)],
])('%s is tried again later, and everything waits', async (_, refuse) => {
  const { ended, left, done } = await pushedTo(refuse, ['a', 'poison']);
  expect(ended).toEqual({ kind: 'unreachable' });
  expect(done).toEqual([]);
  expect(left.items.map(({ state }) => state.kind)).toEqual(['sending', 'sending']);
});
