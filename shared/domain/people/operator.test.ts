import { expect, test } from 'vitest';
import { operatorSentence, UNNAMED_OPERATOR } from './operator.ts';

test('who runs it is named with address and tax id, as far as they are known', () => {
  const acme = { name: 'Acme Inc.', address: undefined, taxId: undefined };
  expect(operatorSentence(acme)).toBe('Ovation is run by Acme Inc.');
  expect(
    operatorSentence({ ...acme, address: '1 Main Street, Springfield', taxId: '12-3456789' }),
  ).toBe('Ovation is run by Acme Inc., 1 Main Street, Springfield. Tax ID 12-3456789.');
});

test('without a name there is a neutral line, and nothing addressed to operators', () => {
  expect(operatorSentence(undefined)).toBe(UNNAMED_OPERATOR);
  expect(UNNAMED_OPERATOR).not.toMatch(/operator|configure|set /i);
});
