import { expect, test } from 'vitest';
import { readNames } from './paste-names.tsx';

test('names are read however they were pasted, each once; what was there again or is none is told apart', () => {
  const text =
    '@Ada.Paints\r\nbob, cy;\tBOB https://www.instagram.com/di_prima/?hl=en no-name @bob';
  expect(readNames(text)).toEqual({
    names: ['ada.paints', 'bob', 'cy', 'di_prima'],
    repeated: ['bob'],
    unread: ['no-name'],
  });
  expect(readNames(' \n')).toEqual({ names: [], repeated: [], unread: [] });
});
