import { expect, test } from 'vitest';
import type { OutboxItem } from '#web/replica/store/outbox-item.ts';
import { newlyRefused, refusalToast } from './refused-later.tsx';

const item = (id: string, state: OutboxItem['state']): OutboxItem => ({
  id,
  name: 'orderLikes',
  v: 1,
  args: {},
  title: '25 extra likes',
  madeAt: 0,
  state,
});
const failed = { kind: 'failed', code: 'not_found', message: 'This post was deleted.' } as const;

test('only what was on its way and is refused now is told', () => {
  const before = [item('a', { kind: 'queued' }), item('b', { kind: 'sending', mid: 1 })];
  const now = [item('a', failed), item('b', { kind: 'sending', mid: 1 }), item('c', failed)];
  expect(newlyRefused(before, now).map(({ id }) => id)).toEqual(['a']);
  expect(newlyRefused(now, now)).toEqual([]);
});

test('refused later, extra likes say "Unable to buy likes" and the reason', () => {
  expect(refusalToast(item('a', failed))).toBe('Unable to buy likes: This post was deleted.');
  const settings = { ...item('a', failed), name: 'saveDeliverySettings', title: 'Settings of @a' };
  expect(refusalToast(settings)).toBe('Settings of @a: This post was deleted.');
});
