import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { vapidHeader, vapidKeys } from './http-push-sender.ts';

const SECRET = 'a-secret-of-at-least-32-characters-here';

test('every node of an installation has the same keys, another installation has others', () => {
  const { publicKey } = vapidKeys(SECRET);
  expect(vapidKeys(SECRET).publicKey).toBe(publicKey);
  expect(vapidKeys(`${SECRET}!`).publicKey).not.toBe(publicKey);
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
});

test('a push service can check with the key in the header who sends, to whom and until when', () => {
  const keys = vapidKeys(SECRET);
  const header = vapidHeader(keys, {
    origin: 'https://push.example',
    contact: 'mailto:help@example.test',
    nowMs: 1_000_000,
  });
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
  const [head, body = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((each) =>
    each.toString('base64url'),
  );
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const text = Buffer.from(`${head}.${body}`);
  expect(verify('sha256', text, how, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({
    aud: 'https://push.example',
    exp: 1000 + 12 * 3600,
    sub: 'mailto:help@example.test',
  });
});
