import type { OutboxItem } from '../store/outbox-item.ts';

/** One change as it waits, as it is on its way, deferred, and refused: 1,250 extra likes for post 9. */
export const queuedItem: OutboxItem = {
  id: '1',
  name: 'orderLikes',
  v: 1,
  args: { postId: '9', likes: 1250 },
  title: '1,250 extra likes',
  madeAt: 0,
  state: { kind: 'queued' },
};
export const sendingItem: OutboxItem = { ...queuedItem, state: { kind: 'sending', mid: 1 } };
export const deferredItem: OutboxItem = {
  ...queuedItem,
  state: {
    kind: 'queued',
    deferred: { code: 'overloaded', message: 'Too much is going on.', atMs: 0, dueAtMs: 5000 },
  },
};
export const refusedItem: OutboxItem = {
  ...queuedItem,
  state: { kind: 'failed', code: 'credits_too_low', message: 'Too few credits.' },
};
