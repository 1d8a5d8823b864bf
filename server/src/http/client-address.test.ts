import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { clientAddress, networkOf } from './client-address.ts';

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

test('an IPv6 network counts as one, an IPv4 address by itself', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8::9')).toBe('2001:db8:0:0');
  expect(networkOf('::1')).toBe('0:0:0:0');
});
