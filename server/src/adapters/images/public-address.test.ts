import { expect, test } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** First and last address of each network that isn't the public internet. */
const SPECIAL = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['::7f00:1', '::ffff:127.0.0.1'],
  ['::ffff:0:127.0.0.1', '::ffff:8.8.8.8'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', '5fff:ffff::1'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test.each(SPECIAL)('%s to %s are not public', (first, last) => {
  expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
});

test.each(
  [
    ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
    ['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ['2000::1', '2001:200::1', '2001:db7:ffff::1', '2003::1', '2606:4700::1111', '3ffe::1'],
  ].flat(),
)('%s, beside one of them, is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '',
  'x',
  '1.2.3',
  '1.2.3.4.5',
  '08.8.8.8',
  '0x8.8.8.8',
  '8.8.8.8 ',
  '2606::1%eth0',
  '::g',
])('what is no plain address (%j) is not public', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

test('this machine is 127.0.0.0/8 and ::1, in no other spelling', () => {
  expect(['127.0.0.1', '127.255.255.255', '::1'].every(isLoopbackAddress)).toBe(true);
  const others = ['128.0.0.1', '::', '::ffff:127.0.0.1', '127.x', 'localhost', '0.0.0.0'];
  expect(others.some(isLoopbackAddress)).toBe(false);
});
