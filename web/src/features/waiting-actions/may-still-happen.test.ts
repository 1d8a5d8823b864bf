import { expect, test } from 'vitest';
import type { OutboxItem } from '#web/local-db/outbox-item.ts';
import { mayStillHappen } from './may-still-happen.ts';

const queued: OutboxItem = {
  id: '1',
  name: 'orderLikes',
  v: 1,
  args: { postId: '9', likes: 1250 },
  title: '1,250 extra likes',
  madeAt: 0,
  state: { kind: 'queued' },
};
const sending: OutboxItem = { ...queued, state: { kind: 'sending', mid: 1 } };
const refused: OutboxItem = {
  ...queued,
  state: { kind: 'failed', code: 'credits_too_low', message: 'Too few credits.' },
};

test('a change that is given up may still happen once it was sent, and while it could be sent any moment', () => {
  expect(mayStillHappen([refused, sending], false)).toBe(true);
  expect(mayStillHappen([queued], true)).toBe(true);
  expect(mayStillHappen([queued, refused], false)).toBe(false);
  expect(mayStillHappen([refused], true)).toBe(false);
});
