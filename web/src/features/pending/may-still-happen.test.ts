import { expect, test } from 'vitest';
import {
  queuedItem as queued,
  refusedItem as refused,
  sendingItem as sending,
} from '#web/replica/outbox/outbox.fake.ts';
import { mayStillHappen } from './log-out-dialog.tsx';

test('a change that is given up may still happen once it was sent, and while it could be sent any moment', () => {
  expect(mayStillHappen([refused, sending], false)).toBe(true);
  expect(mayStillHappen([queued], true)).toBe(true);
  expect(mayStillHappen([queued, refused], false)).toBe(false);
  expect(mayStillHappen([refused], true)).toBe(false);
});
