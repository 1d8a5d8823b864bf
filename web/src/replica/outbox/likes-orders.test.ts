import { expect, test } from 'vitest';
import { accept, likes, NOW, openChanges, unreachable } from '#web/testing/open-changes.ts';
import { UNDO_MS } from './likes-orders.ts';

const two = [likes, { ...likes, postId: '10', likes: 40 }];

test('orders for many posts show at once, and nothing is sent before their time is over', async () => {
  const { changes, state, sent, push, shown, outbox } = await openChanges(accept);
  const ordered = await changes.orderManyLikes(two);
  expect(ordered).toMatchObject({ kind: 'undoable', untilMs: NOW + UNDO_MS });
  expect(await shown('wallet')).toMatchObject({ credits: 435 });
  expect(await shown('post')).toMatchObject({ totalLikesPurchased: 25 });
  state.nowMs = NOW + UNDO_MS - 1;
  await push();
  expect(sent).toEqual([]);
  state.nowMs = NOW + UNDO_MS;
  await push();
  expect(sent.map(({ args }) => (args as { likes: number }).likes)).toEqual([25, 40]);
  expect(await outbox()).toEqual([]);
});

test('undone within its time nothing of it is left', async () => {
  const { changes, state, sent, push, shown, outbox } = await openChanges(accept);
  const ordered = await changes.orderManyLikes(two);
  expect(await changes.undo(ordered.kind === 'undoable' ? ordered.itemIds : [])).toBe(true);
  state.nowMs = NOW + UNDO_MS;
  await push();
  expect(sent).toEqual([]);
  expect(await outbox()).toEqual([]);
  expect(await shown('wallet')).toMatchObject({ credits: 500 });
});

test('each order keeps its id however often it is sent', async () => {
  const { changes, state, setStatus, sent, push } = await openChanges(unreachable);
  await changes.orderManyLikes(two);
  state.nowMs = NOW + UNDO_MS;
  await push();
  setStatus({ kind: 'live' });
  state.answer = accept;
  await push();
  const ids = sent.map(({ args }) => (args as { orderId: string }).orderId);
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(2);
});

test('what is on its way can’t be undone, and then all of it stays', async () => {
  const { changes, state, push, outbox } = await openChanges(unreachable);
  const ordered = await changes.orderManyLikes(two);
  state.nowMs = NOW + UNDO_MS;
  await push();
  expect(await changes.undo(ordered.kind === 'undoable' ? ordered.itemIds : [])).toBe(false);
  expect(await outbox()).toHaveLength(2);
});

test('credits that don’t reach for all order nothing', async () => {
  const { changes, outbox } = await openChanges(accept);
  const refused = await changes.orderManyLikes([likes, { ...likes, likes: 476 }]);
  expect(refused).toMatchObject({ kind: 'refused', code: 'credits_too_low' });
  expect(await outbox()).toEqual([]);
});

test('whoever sends all before leaving gives up undoing', async () => {
  const { changes, sent, outbox } = await openChanges(accept);
  await changes.orderManyLikes(two);
  expect(await changes.sendAll()).toBe(true);
  expect(sent).toHaveLength(2);
  expect(await outbox()).toEqual([]);
});

test('a clock that was set back does not hold an order for longer', async () => {
  const { changes, state, sent, push } = await openChanges(accept);
  await changes.orderManyLikes(two);
  state.nowMs = NOW - 3_600_000;
  await push();
  expect(sent).toHaveLength(2);
});
