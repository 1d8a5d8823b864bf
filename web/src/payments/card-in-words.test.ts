import { expect, test } from 'vitest';
import { accountExample, unpaidAccount } from '#web/testing/examples.ts';
import { cardInWords, ownerInWords, paysForInWords } from './card-in-words.ts';

const paid = (...names: string[]) =>
  names.map((igUsername) => accountExample({ igUsername, igId: igUsername }));

test('a card is called by what its mask shows, wherever a sentence names it', () => {
  const card = { ccName: 'Ada', ccMonth: '12', ccYear: '2030' };
  expect(cardInWords({ ...card, ccNum: '•••••••••••••242' })).toBe('card ending in 242');
});

test('a card without a name says its expiry, and no comma before it', () => {
  const card = { ccNum: '•••••••••••••242', ccMonth: '12', ccYear: '2030' };
  expect(ownerInWords({ ...card, ccName: 'Ada' })).toBe('Ada, expires 12/2030');
  expect(ownerInWords({ ...card, ccName: '' })).toBe('Expires 12/2030');
});

test('the plans that a saved card pays are named; beyond three they are counted', () => {
  expect(paysForInWords([unpaidAccount()])).toBeUndefined();
  expect(paysForInWords([...paid('a'), unpaidAccount()])).toBe('Pays for @a.');
  expect(paysForInWords(paid('a', 'b'))).toBe('Pays for @a and @b.');
  expect(paysForInWords(paid('a', 'b', 'c', 'd', 'e'))).toBe('Pays for @a, @b, @c, and 2 more.');
});
