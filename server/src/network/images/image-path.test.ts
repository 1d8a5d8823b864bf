import { expect, test } from 'vitest';
import { signImagePath, verifyImagePath, type ImageTarget } from './image-path.ts';

const TARGET: ImageTarget = {
  kind: 'post',
  workspaceId: '0199a2c4-7a00-7000-8000-000000000001',
  accountId: '0199a2c4-7a00-7000-8000-000000000002',
  id: '17858843269216389',
};

test.for([TARGET, { ...TARGET, kind: 'profile' } as const])('a path leads back to %j', (target) => {
  const path = signImagePath('secret', target);
  expect(path).toMatch(/^[\w-]+$/);
  expect(verifyImagePath('secret', path)).toEqual(target);
});

test('the same picture has the same path, another one another', () => {
  const path = signImagePath('secret', TARGET);
  expect(signImagePath('secret', { ...TARGET })).toBe(path);
  expect(signImagePath('secret', { ...TARGET, id: '1' })).not.toBe(path);
  expect(signImagePath('other', TARGET)).not.toBe(path);
});

test('no path of another secret, and none with a changed bit or letter, is taken', () => {
  const path = signImagePath('secret', TARGET);
  expect(verifyImagePath('other', path)).toBeUndefined();
  for (let bit = 0; bit < Buffer.from(path, 'base64url').length * 8; bit += 7) {
    const bytes = Buffer.from(path, 'base64url');
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(verifyImagePath('secret', bytes.toString('base64url'))).toBeUndefined();
  }
  for (const spelling of [`${path}=`, `${path}!`, ` ${path}`, path.slice(0, -1), '', 'x', '../x']) {
    expect(verifyImagePath('secret', spelling)).toBeUndefined();
  }
});
