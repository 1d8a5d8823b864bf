import { expect, test } from 'vitest';
import { FAQ } from '#web/ui/words/faq.ts';
import { findHelp, HELP } from './help-topics.ts';

const TOPICS = [
  { question: 'How do I pause?', answer: 'Under Subscriptions.' },
  { question: 'Where are subscriptions?', answer: 'In the menu.' },
  { question: 'How can I pay?', answer: 'With a card.' },
];
const asked = (typed: string): string[] => findHelp(TOPICS, typed).map(({ question }) => question);

test('nothing typed finds everything', () => {
  expect(asked('  ')).toEqual(TOPICS.map(({ question }) => question));
});

test('every word has to be there, in any case and in question or answer', () => {
  expect(asked('PAUSE under')).toEqual(['How do I pause?']);
  expect(asked('pause card')).toEqual([]);
});

test('what has a word in its question comes before what only answers with it', () => {
  expect(asked('subscriptions')).toEqual(['Where are subscriptions?', 'How do I pause?']);
});

test('every answer of the landing page is there, and no question twice', () => {
  const questions = HELP.map(({ question }) => question);
  for (const [question] of FAQ) expect(questions).toContain(question);
  expect(new Set(questions).size).toBe(questions.length);
});
