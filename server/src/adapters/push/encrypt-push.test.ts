import { expect, test } from 'vitest';
import { arePushKeys, encryptPush } from './encrypt-push.ts';
import { keyPair } from './p256.ts';

const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

test('the example of RFC 8291 is encrypted as it stands there', () => {
  const own = keyPair(Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'));
  const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
  const message = 'When I grow up, I want to be a watermelon';
  expect(encryptPush(KEYS, message, { own, salt }).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('a point off the curve, a short one and a secret of another length are no keys', () => {
  const off = Buffer.from(KEYS.p256dh, 'base64url');
  off.writeUInt8((off.at(-1) ?? 0) ^ 1, off.length - 1);
  expect(arePushKeys(KEYS)).toBe(true);
  expect(arePushKeys({ ...KEYS, p256dh: off.toString('base64url') })).toBe(false);
  expect(arePushKeys({ ...KEYS, p256dh: KEYS.p256dh.slice(0, 40) })).toBe(false);
  expect(arePushKeys({ ...KEYS, auth: 'AAAA' })).toBe(false);
});
