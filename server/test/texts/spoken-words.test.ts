import { expect, test } from 'vitest';
import { spokenFaults } from './spoken-words.ts';
import { readVisibleTexts } from './visible-texts.ts';

const faultsOf = (text: string): string[] => spokenFaults({ file: 'web/src/a.tsx', line: 1, text });

test('every text that people see keeps to the terms, and to 25 words a sentence', () => {
  const texts = readVisibleTexts();
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.flatMap(spokenFaults)).toEqual([]);
});

test.each([
  ['Your e-mail address is wrong.', 'email'],
  ['The answer comes by mail.', 'email'],
  ['You can not do this.', 'can’t'],
  ['It does not work.', 'the short form'],
  ["It can't be read.", 'an apostrophe'],
  ['Light colours', 'color'],
  ['Your plan goes on.', 'continue'],
  ['Pay now!', 'exclamation'],
  ['$0.00 is charged until then.', 'You won’t be charged'],
  ['{…} % so far', 'without a space'],
  ['350 left afterwards', 'afterward'],
  ['Loading your account …', 'right after'],
  ['Enter your user name', 'username'],
  ['Please login again.', 'log in'],
  ['The app starts anew.', 'again'],
  ['This is another account than yours.', 'different'],
])('a planted "%s" is caught', (text, right) => {
  expect(faultsOf(text).join()).toContain(right);
});

test('the sandbox’s own pages keep to them too, the systems it imitates say what those say', () => {
  const planted = { line: 1, text: 'This can not be read.' };
  const faultsIn = (file: string): number => spokenFaults({ ...planted, file }).length;
  expect(faultsIn('server/sandbox/site/parts.ts')).toBe(1);
  expect(faultsIn('server/sandbox/mail/mail-page.ts')).toBe(1);
  expect(faultsIn('server/sandbox/graph/errors.ts')).toBe(0);
});

test('a sentence of 26 words is caught, one of 25 with a value in it is not', () => {
  const words = (count: number): string => `${'word '.repeat(count - 1)}end.`;
  expect(faultsOf(`Short. ${words(26)}`)).toEqual([
    expect.stringContaining('26 words') as unknown as string,
  ]);
  expect(faultsOf(`{…} ${words(24)} ${words(25)}`)).toEqual([]);
});

test('the specification’s own sentences stay as they are', () => {
  expect(faultsOf('Password changed successfully!')).toEqual([]);
});
