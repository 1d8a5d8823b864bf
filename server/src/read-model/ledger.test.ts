import { expect, test } from 'vitest';
import { ledgerCsvRows } from './ledger.service.ts';

const entry = (description: string) => ({
  id: '019a0000-0000-7000-8000-000000000001',
  at: '2026-11-20T12:00:00.000Z',
  kind: 'correction' as const,
  description,
  credits: -5,
  balance: 15,
});

const cellOf = (description: string) =>
  ledgerCsvRows([entry(description)]).slice(
    '2026-11-20T12:00:00.000Z,correction,'.length,
    -',-5,15,019a0000-0000-7000-8000-000000000001\r\n'.length,
  );

test('quotes what would break a cell', () => {
  expect(cellOf('plain')).toBe('plain');
  expect(cellOf('1,000 likes')).toBe('"1,000 likes"');
  expect(cellOf('a "word"')).toBe('"a ""word"""');
  expect(cellOf('two\r\nlines')).toBe('"two\r\nlines"');
});

test('lets no text act as a formula; amounts stay numbers', () => {
  expect(['=1+1', '+1', '-1', '@SUM(A1)'].map(cellOf)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
  ]);
});
