import { expect, test } from 'vitest';
import { isEmail } from '../people/email.ts';
import { isPlainLine } from './plain-line.ts';

const UNSEEN = ['\u0001', '\u0085', '\u200b', '\u202e', '\u2066', '\u2028', '\u2029', '\ufeff'];

test.each(UNSEEN)('%j stands in no name and no e-mail address', (character) => {
  expect(isPlainLine(`Ada${character}Lovelace`)).toBe(false);
  expect(isEmail(`ada${character}@example.com`)).toBe(false);
});

test.each(['Ada Lovelace', 'Zoë Åström', '山田 太郎', 'Ada 🎉', "O'Brien-Smith, Jr."])(
  '%s is a name',
  (name) => {
    expect(isPlainLine(name)).toBe(true);
  },
);
