import { expect, test } from 'vitest';
import { staleSentence } from './stale-notice.tsx';

test('what is live, or about to be, is not called old', () => {
  expect(staleSentence({ kind: 'live' }, true, false)).toBeUndefined();
  expect(staleSentence({ kind: 'syncing', asOf: 1 }, true, false)).toBeUndefined();
  expect(staleSentence({ kind: 'starting' }, true, false)).toBeUndefined();
});

test('each way of being old says why and what helps', () => {
  expect(staleSentence({ kind: 'live' }, false, true)).toMatch(/offline/);
  expect(staleSentence({ kind: 'offline', asOf: 1 }, true, true)).toMatch(/can’t reach the server/);
  expect(staleSentence({ kind: 'log_in_again', asOf: 1 }, true, false)).toMatch(/Log in again/);
  expect(staleSentence({ kind: 'upgrade', asOf: 1 }, true, false)).toMatch(/new version/);
});

test('what is old is called so while the new is on its way', () => {
  expect(staleSentence({ kind: 'syncing', asOf: 1 }, true, true)).toMatch(/Loading the latest/);
  expect(staleSentence({ kind: 'starting' }, true, true)).toMatch(/Loading the latest/);
  expect(staleSentence({ kind: 'live' }, true, true)).toBeUndefined();
});
