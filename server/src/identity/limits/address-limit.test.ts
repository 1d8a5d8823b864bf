import { expect, test } from 'vitest';
import { usesByAddress } from './address-limit.ts';

const TEN = { name: 'ten', uses: 10, perMs: 60_000 };
const counted = (address: string, subject?: string) =>
  usesByAddress(TEN, address, subject).map(({ key, uses }) => [key, uses]);

test('an IPv4 address counts by itself', () => {
  expect(counted('203.0.113.9')).toEqual([['203.0.113.9', 10]]);
});

test('an IPv6 address counts as its /64, and with more room as its /56 and /48', () => {
  expect(counted('2001:db8:1:2345::9')).toEqual([
    ['2001:db8:1:2345', 10],
    ['2001:db8:1:23/56', 40],
    ['2001:db8:1:0/48', 160],
  ]);
});

test('neighbours in a /56 share it, and others don’t', () => {
  const widths = (address: string) => counted(address).map(([key]) => key);
  const [here, near, far] = ['2001:db8:1:2300::1', '2001:db8:1:23ff::1', '2001:db8:1:2400::1'].map(
    widths,
  );
  expect(here?.[0]).not.toBe(near?.[0]);
  expect(here?.[1]).toBe(near?.[1]);
  expect(here?.[1]).not.toBe(far?.[1]);
  expect(here?.[2]).toBe(far?.[2]);
});

test('what is done to different subjects counts apart', () => {
  expect(counted('203.0.113.9', 'ada@example.test')).toEqual([
    ['["203.0.113.9","ada@example.test"]', 10],
  ]);
});

test('an unknown address counts as one', () => {
  expect(counted('')).toEqual([['', 10]]);
});
