import { expect, test } from 'vitest';
import { isPromoMet, promoEndsAt, readPromo, signPromo } from './promo-window.ts';

const SECRET = 'test-app-secret-of-at-least-32-characters';
const OPENED_AT_MS = Date.parse('2026-11-20T12:00:00Z');

test('a window is 300 seconds, and ten more for a registration on its way', () => {
  expect(promoEndsAt(OPENED_AT_MS)).toBe(OPENED_AT_MS + 300_000);
  const isMetAfterMs = (afterMs: number) => isPromoMet(OPENED_AT_MS, OPENED_AT_MS + afterMs);
  expect([0, 299_999, 300_000, 309_999, 310_000].map(isMetAfterMs)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect([310_001, 86_400_000].map(isMetAfterMs)).toEqual([false, false]);
});

test('without a window there is no bonus', () => {
  expect(isPromoMet(undefined, OPENED_AT_MS)).toBe(false);
});

test('a cookie of ours is read, one that was made or changed elsewhere is none', () => {
  const window = { openedAtMs: OPENED_AT_MS, nonce: '0192f0c1d2e37a4b8c5d6e7f8091a2b3' };
  const cookie = signPromo(SECRET, window);
  expect(readPromo(SECRET, cookie)).toEqual(window);
  const older = { openedAtMs: OPENED_AT_MS, nonce: '' };
  expect(readPromo(SECRET, signPromo(SECRET, older))).toEqual(older);
  const [opened = '', seal = ''] = cookie.split('.');
  const forged = [
    undefined,
    '',
    opened,
    `${opened}.`,
    `${Number(opened) + 60_000}.${seal}`,
    `0${opened}.${seal.slice(0, 42)}`,
    `${opened}.${seal}x`,
    `-1.${seal}`,
    `1e12.${seal}`,
    cookie.replace('.', '..'),
    cookie.slice(0, -1),
    cookie.slice(0, -window.nonce.length),
  ];
  for (const value of forged) expect([value, readPromo(SECRET, value)]).toEqual([value, undefined]);
  expect(readPromo('another-secret-of-more-than-32-characters', cookie)).toBeUndefined();
});
