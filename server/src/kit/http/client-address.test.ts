import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { clientAddress, networkOf, parseNetwork } from './client-address.ts';

async function addressOf(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: string[] = [],
): Promise<string> {
  const app = new Hono();
  app.use(clientAddress({ settings: { ...TEST_SETTINGS, trustedProxies } }));
  app.get('/', (c) => c.text(c.get('address')));
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const response = await app.request(
    '/',
    { headers },
    peer === undefined
      ? undefined
      : {
          incoming: { socket: { remoteAddress: peer } },
        },
  );
  return response.text();
}

test('without a trusted proxy a forwarded address counts for nothing', async () => {
  expect(await addressOf('198.51.100.7', '203.0.113.9')).toBe('198.51.100.7');
  expect(await addressOf('::ffff:198.51.100.7', undefined)).toBe('198.51.100.7');
  expect(await addressOf(undefined, '203.0.113.9')).toBe('');
});

test('a trusted proxy’s own entry counts, and what the client wrote before it doesn’t', async () => {
  const trusted = ['10.0.0.1'];
  expect(await addressOf('10.0.0.1', '203.0.113.9', trusted)).toBe('203.0.113.9');
  expect(await addressOf('10.0.0.1', '1.1.1.1, 203.0.113.9', trusted)).toBe('203.0.113.9');
  expect(await addressOf('::ffff:10.0.0.1', '203.0.113.9', trusted)).toBe('203.0.113.9');
});

test('a chain of trusted proxies is walked to the first stranger', async () => {
  const trusted = ['10.0.0.1', '10.0.0.2'];
  const forwarded = '1.1.1.1, 203.0.113.9, 10.0.0.2';
  expect(await addressOf('10.0.0.1', forwarded, trusted)).toBe('203.0.113.9');
  expect(await addressOf('10.0.0.1', '10.0.0.2', trusted)).toBe('10.0.0.2');
});

test('an entry that is no address ends the walk', async () => {
  expect(await addressOf('10.0.0.1', 'unknown', ['10.0.0.1'])).toBe('10.0.0.1');
  expect(await addressOf('10.0.0.1', undefined, ['10.0.0.1'])).toBe('10.0.0.1');
});

test('an entry with a port or brackets is the address in it', async () => {
  const trusted = ['10.0.0.1'];
  const client = (entry: string) => addressOf('10.0.0.1', entry, trusted);
  expect(await client('203.0.113.9:5678')).toBe('203.0.113.9');
  expect(await client('[2001:db8::9]:5678')).toBe('2001:db8::9');
  expect(await client('[2001:db8::9]')).toBe('2001:db8::9');
  expect(await client('203.0.113.9, 10.0.0.1:443')).toBe('203.0.113.9');
});

test('however an address is written, it is the same one', async () => {
  const trusted = ['::ffff:10.0.0.1'];
  const client = (entry: string) => addressOf('10.0.0.1', entry, trusted);
  const six = ['2001:0DB8:0000:0:0:0:0:0009', '2001:db8::9', '2001:DB8:0::9%eth0'];
  expect(new Set(await Promise.all(six.map(client)))).toEqual(new Set(['2001:db8::9']));
  const four = [
    '203.0.113.9',
    '::ffff:203.0.113.9',
    '::FFFF:cb00:7109',
    '0:0:0:0:0:ffff:cb00:7109',
  ];
  expect(new Set(await Promise.all(four.map(client)))).toEqual(new Set(['203.0.113.9']));
  expect(await addressOf('2001:0db8::1', '203.0.113.9', ['2001:db8:0::1'])).toBe('203.0.113.9');
});

test.each([
  '1.2',
  '0x7f.1',
  'a@1.2.3.4',
  '1.2.3.4/8',
  '1.2.3.4:',
  '1.2.3.4:x',
  '[1.2.3.4',
  '::g',
  '',
])('what only looks like an address counts for nothing: "%s"', async (entry) => {
  expect(await addressOf('10.0.0.1', entry, ['10.0.0.1'])).toBe('10.0.0.1');
});

test('all proxies of a trusted network are trusted, and their neighbors aren’t', async () => {
  const trusted = ['10.0.0.0/8', '2001:db8:1::/48'];
  expect(await addressOf('10.255.3.4', '203.0.113.9', trusted)).toBe('203.0.113.9');
  expect(await addressOf('2001:db8:1::7', '203.0.113.9, 10.1.1.1', trusted)).toBe('203.0.113.9');
  expect(await addressOf('11.0.0.1', '203.0.113.9', trusted)).toBe('11.0.0.1');
  expect(await addressOf('2001:db8:2::7', '203.0.113.9', trusted)).toBe('2001:db8:2::7');
});

test('a network is an address with a length that fits it', () => {
  expect(parseNetwork('10.0.0.0/8')).toEqual({ address: '10.0.0.0', bits: 8 });
  expect(parseNetwork('10.0.0.1')).toEqual({ address: '10.0.0.1', bits: 32 });
  expect(parseNetwork('2001:DB8::/32')).toEqual({ address: '2001:db8::', bits: 32 });
  for (const wrong of [
    '0.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.1:80',
    'x',
  ]) {
    expect(parseNetwork(wrong)).toBeUndefined();
  }
});

test('an IPv6 network counts as one, an IPv4 address by itself', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0');
  expect(networkOf('::1')).toBe('0:0:0:0');
});
