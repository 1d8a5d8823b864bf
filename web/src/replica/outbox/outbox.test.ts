import { expect, test } from 'vitest';
import { moveCursor } from '../engine/pull-scopes.ts';
import { createMemoryStore } from '../store/memory-store.fake.ts';
import { beginSending } from './push-outbox.ts';
import { keepResults } from './keep-results.ts';
import { queueChange } from './outbox.ts';
import { deleteScope, putCursor, putScope } from '../store/scope-state.ts';
import type { SyncStore } from '../store/sync-store.ts';

const WORKSPACE = 'w:0192d3c0-0000-7000-8000-000000000001';
const MONEY = 'b:0192d3c0-0000-7000-8000-000000000001';
const CLIENT = '0192d3c0-0000-7000-8000-0000000000c1';

/** A change that the server has accepted, and that shows once both scopes have come so far. */
async function accepted() {
  const store = createMemoryStore();
  await store.write(async (tx) => {
    for (const scope of [WORKSPACE, MONEY]) {
      await putScope(tx, { scope, generation: 1, complete: [], loading: null });
      await putCursor(tx, scope, 3);
    }
    const item = { id: '1', name: 'orderLikes', v: 1, args: {}, title: '', madeAt: 0 };
    await queueChange(tx, item, [
      { entity: 'post', id: 'a', change: { kind: 'add', fields: { likes: 10 } } },
    ]);
    await beginSending(tx, { newId: () => CLIENT, nowMs: 0 });
    const versions = { [WORKSPACE]: 5, [MONEY]: 4 };
    await keepResults(tx, [{ mid: 1, status: 'ok', versions }], {
      nowMs: 0,
      replaces: () => false,
    });
  });
  return store;
}

const leftOf = (store: SyncStore): Promise<{ items: string[]; patches: number }> =>
  store.read(async (tx) => ({
    items: (await tx.listOutbox()).map(({ state }) => state.kind),
    patches: (await tx.listPatches('post')).length,
  }));

const WAITS = { items: ['accepted'], patches: 1 };
const GONE = { items: [], patches: 0 };

test('the patch of an accepted change stays until every cursor has reached its version', async () => {
  const store = await accepted();
  expect(await leftOf(store)).toEqual(WAITS);
  await store.write((tx) => moveCursor(tx, WORKSPACE, 4));
  await store.write((tx) => moveCursor(tx, MONEY, 4));
  expect(await leftOf(store), 'one version is missing').toEqual(WAITS);
  await store.write((tx) => moveCursor(tx, WORKSPACE, 5));
  expect(await leftOf(store)).toEqual(GONE);
});

test('a scope that is no longer held is not waited for', async () => {
  const store = await accepted();
  await store.write(async (tx) => {
    await moveCursor(tx, WORKSPACE, 9);
    await deleteScope(tx, MONEY);
    await moveCursor(tx, WORKSPACE, 10);
  });
  expect(await leftOf(store)).toEqual(GONE);
});
