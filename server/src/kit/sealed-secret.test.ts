import { expect, test } from 'vitest';
import { seededBytes } from '#test/seeded.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';

const keys = { appSecret: 'an application secret of 32 or more', random: seededBytes(7) };

test('a sealed secret opens with the same secret and purpose and shows nothing of itself', () => {
  const sealed = sealSecret(keys, 'recovery-code', '483920');
  expect(sealed).not.toContain('483920');
  expect(Buffer.from(sealed, 'base64url').includes('483920')).toBe(false);
  expect(openSecret(keys.appSecret, 'recovery-code', sealed)).toBe('483920');
});

test('another secret, another purpose or a changed byte opens nothing', () => {
  const sealed = sealSecret(keys, 'recovery-code', '483920');
  const bytes = Buffer.from(sealed, 'base64url');
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
  expect(openSecret('another secret of 32 characters or so', 'recovery-code', sealed)).toBe(
    undefined,
  );
  expect(openSecret(keys.appSecret, 'another', sealed)).toBe(undefined);
  expect(openSecret(keys.appSecret, 'recovery-code', bytes.toString('base64url'))).toBe(undefined);
  expect(openSecret(keys.appSecret, 'recovery-code', 'short')).toBe(undefined);
});
