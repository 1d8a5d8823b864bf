import { expect, test } from 'vitest';
import { FencedError, takeLead } from './sync-engine.ts';
import { applyRows } from '../store/apply-rows.ts';
import { resumeChanges, queueChange } from '../outbox/outbox.ts';
import { keepOnlyUnsent } from './teardown.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { beginSending } from '../outbox/push-outbox.ts';
import { keepResults } from '../outbox/keep-results.ts';
import { putCursor, putScope } from '../store/scope-state.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const CLIENT_ID = '0192d3c0-0000-7000-8000-0000000000c1';
const newId = (): string => CLIENT_ID;

const answered = { nowMs: 0, replaces: () => false };
const change = (id: string) => ({ id, name: 'orderLikes', v: 1, args: {}, title: id, madeAt: 0 });
const patch = (id: string) => ({
  entity: 'order',
  id,
  change: { kind: 'insert' as const, row: { id, likes: 30 } },
});

/** A replica with rows, one change that the server has done, and one that is on its way. */
async function usedReplica() {
  const store = createMemoryStore();
  await store.write(async (tx) => {
    await putScope(tx, { scope: SCOPE, generation: 1, complete: ['post'], loading: null });
    await putCursor(tx, SCOPE, 7);
    await applyRows(tx, { scope: SCOPE, entity: 'post', generation: 1 }, [
      { id: 'p1', v: 3, row: { caption: 'mine' } },
    ]);
    await tx.putMeta('keep-signed-in', true);
    await tx.putMeta('session-open', true);
    await queueChange(tx, change('done'), [patch('done')]);
    await beginSending(tx, { newId, nowMs: 0 });
    await keepResults(tx, [{ mid: 1, status: 'ok', versions: { [SCOPE]: 9 } }], answered);
  });
  return store;
}

test('of a replica that goes only the unsent changes stay, paused, and go on under their numbers once resumed', async () => {
  const store = await usedReplica();
  await store.write(async (tx) => {
    await queueChange(tx, change('sending'), [patch('sending')]);
    await beginSending(tx, { newId, nowMs: 0 });
    await queueChange(tx, change('waiting'), [patch('waiting')]);
  });
  expect(await store.write(keepOnlyUnsent)).toBe(true);
  await store.read(async (tx) => {
    expect(await tx.chunkKeys('')).toEqual([]);
    expect((await tx.listMeta('')).map(([key]) => key)).toEqual(['changes-held', 'client', 'term']);
    expect((await tx.listOutbox()).map(({ id }) => id)).toEqual(['sending', 'waiting']);
    expect((await tx.listPatches('order')).map(({ id }) => id)).toEqual(['sending', 'waiting']);
  });
  const paused = await store.write((tx) => beginSending(tx, { newId, nowMs: 0 }));
  expect(paused.mutations).toEqual([]);
  await store.write(resumeChanges);
  const sent = await store.write((tx) => beginSending(tx, { newId: () => 'another', nowMs: 0 }));
  expect(sent.clientId).toBe(CLIENT_ID);
  expect(sent.mutations.map(({ mid }) => mid)).toEqual([2, 3]);
});

test('a replica without unsent changes may go whole', async () => {
  const store = await usedReplica();
  expect(await store.write(keepOnlyUnsent)).toBe(false);
  expect(await store.read((tx) => tx.listPatches('order'))).toEqual([]);
});

test('whoever still leads the replica writes nothing into it any more, also after the next log-in', async () => {
  const store = await usedReplica();
  const leader = await takeLead(store);
  await store.write(keepOnlyUnsent);
  const write = () => leader.write((tx) => putCursor(tx, SCOPE, 8));
  await expect(write()).rejects.toThrow(FencedError);
  await takeLead(store);
  await expect(write()).rejects.toThrow(FencedError);
});
