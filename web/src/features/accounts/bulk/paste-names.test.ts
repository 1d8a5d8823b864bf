import { expect, test } from 'vitest';
import { readNames } from './paste-names.tsx';

test('names are read however they were pasted, each once; what was there again or is none is told apart', () => {
  const text =
    '@Ada.Paints\r\nbob, cy;\tBOB\nhttps://www.instagram.com/di_prima/?hl=en  @bob\n no-name ';
  expect(readNames(text)).toEqual({
    names: ['ada.paints', 'bob', 'cy', 'di_prima'],
    repeated: ['bob'],
    unread: ['no-name'],
  });
  expect(readNames(' \n')).toEqual({ names: [], repeated: [], unread: [] });
});

test('a line of words is none of names, unless each of them says that it is one', () => {
  expect(readNames('no such name!\nada\n @bob @cy')).toEqual({
    names: ['ada', 'bob', 'cy'],
    repeated: [],
    unread: ['no such name!'],
  });
  expect(readNames('Ada bob @cy').unread).toEqual(['Ada bob @cy']);
});
