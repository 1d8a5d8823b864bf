import { expect, test } from 'vitest';
import { isTaxId, normalizeTaxId } from './tax-id.ts';

test.each([
  ['de 123 456 789', 'DE123456789'],
  ['NL123456789B01', 'NL123456789B01'],
  ['ESX1234567X', 'ESX1234567X'],
  ['CHE-123.456.789 MWST', 'CHE123456789MWST'],
  ['12-3456789', '123456789'],
  ['22AAAAA0000A1Z5', '22AAAAA0000A1Z5'],
  ['12.345.678/0001-95', '12345678000195'],
  ['DEF010203XX1', 'DEF010203XX1'],
])('%s is kept as %s', (typed, kept) => {
  expect(normalizeTaxId(typed)).toBe(kept);
  expect(isTaxId(kept)).toBe(true);
});

test.each([
  '',
  '1234',
  'DE12345678',
  'DE1234567890',
  'ABCDEFGH',
  '123456789012345678901',
  'ÄB12345',
])('%s is no tax id', (typed) => {
  expect(isTaxId(normalizeTaxId(typed))).toBe(false);
});
