import { expect, test } from 'vitest';
import { readNames } from './add-many.tsx';

test('names are read however they were pasted, each once', () => {
  const text = '@Ada.Paints\r\nbob, cy;\tBOB https://www.instagram.com/di_prima/?hl=en no-name';
  expect(readNames(text)).toEqual({
    names: ['ada.paints', 'bob', 'cy', 'di_prima'],
    faults: ['no-name'],
  });
  expect(readNames(' \n')).toEqual({ names: [], faults: [] });
});
