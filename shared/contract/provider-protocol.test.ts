import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parseSignature, ProviderProgress, signaturePayload } from './provider-protocol.ts';

const progress = {
  ref: 'r',
  seq: 1,
  status: 'in_progress',
  startCount: null,
  delivered: 1,
  views: 0,
  remains: 2,
};

test('progress in a provider’s own spelling is read as one of our states', () => {
  expect(v.parse(ProviderProgress, progress).status).toBe('In progress');
});

test.each([
  { ...progress, status: 'shipped' },
  { ...progress, delivered: -1 },
  { ...progress, delivered: 1.5 },
  { ...progress, seq: '1' },
])('nonsense progress is refused', (nonsense) => {
  expect(v.safeParse(ProviderProgress, nonsense).success).toBe(false);
});

test('a signature covers time, method, path with query, and body', () => {
  expect(signaturePayload(1_700_000_000, 'get', '/v1/orders?refs=a,b', '')).toBe(
    '1700000000.GET./v1/orders?refs=a,b.',
  );
});

test('a signature header is read strictly', () => {
  const hex = 'ab'.repeat(32);
  expect(parseSignature(`t=1700000000,v1=${hex}`)).toEqual({ unixSeconds: 1_700_000_000, hex });
  for (const header of [
    '',
    `v1=${hex}`,
    `t=1,v1=${hex}0`,
    `t=-1,v1=${hex}`,
    `t=1,v1=${hex.toUpperCase()}`,
  ]) {
    expect(parseSignature(header)).toBeUndefined();
  }
});
