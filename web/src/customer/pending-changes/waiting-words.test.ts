import { expect, test } from 'vitest';
import {
  deferredItem as deferred,
  queuedItem as queued,
  refusedItem as refused,
  sendingItem as sending,
} from '#web/replica/outbox/outbox.fake.ts';
import { waitingCountInWords, waitingLikes, waitingSentence } from './waiting-words.ts';

test('a change waits for the network, is being sent, or tells why it was refused', () => {
  expect(waitingSentence(queued, false)).toBe('Waiting for the network');
  expect(waitingSentence(queued, true)).toBe('Being sent');
  expect(waitingSentence(sending, true)).toBe('Being sent');
  expect(waitingSentence(sending, false)).toContain('won’t happen twice');
  expect(waitingSentence(deferred, true)).toBe(
    'Delayed: Too much is going on. We’ll send it again.',
  );
  expect(waitingSentence(deferred, false)).toBe('Waiting for the network');
  expect(waitingSentence(refused, true)).toBe('Too few credits.');
});

test('what waits and what was refused is counted apart', () => {
  expect(waitingCountInWords([queued, sending, refused])).toBe('2 waiting, 1 refused');
  expect(waitingCountInWords([refused])).toBe('1 refused');
  expect(waitingCountInWords([])).toBe('');
});

test('a post shows its own waiting likes together, and refused ones when none wait', () => {
  const all = [queued, sending, refused, { ...queued, args: { postId: '8', likes: 20 } }];
  expect(waitingLikes(all, '9', false)).toEqual({
    sentence: '2,500 extra likes: waiting for the network.',
    tone: 'wait',
  });
  expect(waitingLikes([refused], '9', true)).toEqual({
    sentence: '1,250 extra likes were refused.',
    tone: 'bad',
  });
  expect(waitingLikes([deferred], '9', true)?.sentence).toBe(
    '1,250 extra likes: delayed by the server.',
  );
  expect(waitingLikes(all, '7', true)).toBeUndefined();
});
