import { expect, test } from 'vitest';
import { Checksum } from './checksum.ts';

function fnv1a(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}

const ROWS = Array.from({ length: 500 }, (_, at) => ({
  entity: at % 2 === 0 ? 'post' : 'order',
  id: `0198c000-0000-7000-8000-${String(at).padStart(12, '0')}/${at * 7919}`,
  version: at * 31,
}));

test('the checksum is the sum of the rows’ FNV-1a, whatever their order', () => {
  const sum = ROWS.reduce(
    (total, { entity, id, version }) => total + fnv1a(`${entity}|${id}|${version}`),
    0n,
  );
  const expected = BigInt.asUintN(64, sum).toString(16).padStart(16, '0');
  for (const rows of [ROWS, ROWS.toReversed()]) {
    const checksum = new Checksum();
    for (const { entity, id, version } of rows) checksum.add(entity, id, version);
    expect(checksum.toString()).toBe(expected);
  }
});

test('another version of one row is another checksum', () => {
  const sums = [1, 2].map((version) => {
    const checksum = new Checksum();
    checksum.add('post', 'a', version);
    return checksum.toString();
  });
  expect(new Set(sums).size).toBe(2);
});
