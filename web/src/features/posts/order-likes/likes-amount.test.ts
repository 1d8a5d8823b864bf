import { expect, test } from 'vitest';
import { amountSentence, likesToSend } from './extra-likes-dialog.tsx';

// Shows fact 5.10.
test.each([
  ['19', 500, undefined],
  ['20', 500, 20],
  ['500', 500, 500],
  ['501', 500, undefined],
  ['20', 19, undefined],
  ['', 500, undefined],
  ['1e3', 5000, undefined],
  ['100.5', 5000, undefined],
  ['-50', 5000, undefined],
  ['1,500', 5000, undefined],
])('%j of %i credits may be sent as %j', (typed, credits, likes) => {
  expect(likesToSend(typed, credits)).toBe(likes);
});

test('a disabled button says why', () => {
  expect(amountSentence('19', 500)).toBe('At least 20 likes.');
  expect(amountSentence('100.5', 500)).toBe('Please enter a whole number.');
  expect(amountSentence('-50', 500)).toBe('Please enter a whole number.');
  expect(amountSentence('501', 500)).toBe('You have 500 credits. That’s not enough.');
  expect(amountSentence('20', 19)).toBe('You need at least 20 credits.');
  expect(amountSentence('20', 1500)).toBe('1,480 credits left after this.');
  expect(amountSentence('20', 21)).toBe('1 credit left after this.');
});
