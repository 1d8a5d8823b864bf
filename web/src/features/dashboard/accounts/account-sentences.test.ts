import { expect, test } from 'vitest';
import { accountExample } from '#web/testing/examples.ts';
import { planInWords, problemSentence } from './account-sentences.ts';

test('an unreadable account names all the causes', () => {
  const { title, sentence } = problemSentence('unreadable', 'ada.paints');
  expect(title).toBe('@ada.paints can not be read');
  for (const cause of ['not exist', 'changed', 'private', 'personal', 'age-gated']) {
    expect(sentence).toContain(cause);
  }
});

test('the three problems are told apart', () => {
  const titles = (['unreadable', 'throttled', 'unreachable'] as const).map(
    (problem) => problemSentence(problem, 'ada').title,
  );
  expect(new Set(titles).size).toBe(3);
});

test('a plan is said in likes', () => {
  expect(planInWords(accountExample({ accountPackageId: 5 }))).toBe('1,000 likes per post');
  expect(planInWords(accountExample({ accountPackageId: null }))).toBe('No plan');
});
