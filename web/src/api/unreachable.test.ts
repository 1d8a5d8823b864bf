import { expect, test } from 'vitest';
import { UNREACHABLE, unansweredSentence } from './unreachable.ts';

const noAnswer = 'No answer came back, so it may or may not be saved.';

test('what was sent and got no answer is not said to have reached nobody', () => {
  const lost = unansweredSentence({ kind: 'network' }, { wasOnline: true, noAnswer });
  expect(lost).toBe(noAnswer);
  expect(lost).not.toContain('could not be reached');
});

test('without network nothing is sent, and the sentence says so', () => {
  const sentence = unansweredSentence({ kind: 'network' }, { wasOnline: false, noAnswer });
  expect(sentence).toBe(UNREACHABLE);
});

test('an answer that is not known is told as one', () => {
  const sentence = unansweredSentence({ kind: 'unknown_status' }, { wasOnline: true, noAnswer });
  expect(sentence).toMatch(/^Something went wrong/);
});
