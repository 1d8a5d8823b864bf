import { expect, test } from 'vitest';
import { staleSentence } from './stale-notice.tsx';

test('what is live, or about to be, is not called old', () => {
  expect(staleSentence({ kind: 'live' }, true)).toBeUndefined();
  expect(staleSentence({ kind: 'syncing', asOf: 1 }, true)).toBeUndefined();
  expect(staleSentence({ kind: 'starting' }, true)).toBeUndefined();
});

test('each way of being old says why and what helps', () => {
  expect(staleSentence({ kind: 'live' }, false)).toMatch(/offline/);
  expect(staleSentence({ kind: 'offline', asOf: 1 }, true)).toMatch(/server can not be reached/);
  expect(staleSentence({ kind: 'log_in_again', asOf: 1 }, true)).toMatch(/log in again/);
  expect(staleSentence({ kind: 'upgrade', asOf: 1 }, true)).toMatch(/new one/);
});
