import { expect, test } from 'vitest';
import { createSessionJar, type Vault } from './session-jar.ts';

const SERVER = 'https://likes.example';
const NOW = Date.UTC(2026, 10, 21);

function openVault(canKeep = true): Vault & { text: string | undefined } {
  return {
    text: undefined,
    canKeep: () => canKeep,
    read() {
      return this.text;
    },
    write(text) {
      this.text = text;
    },
    clear() {
      this.text = undefined;
    },
  };
}

test('a kept session is there after a restart, and only for its own server', () => {
  const vault = openVault();
  createSessionJar(vault, () => NOW).take(SERVER, ['ovation=abc; Max-Age=2592000; HttpOnly']);
  const reopened = createSessionJar(vault, () => NOW);
  expect(reopened.header(SERVER)).toBe('ovation=abc');
  expect(reopened.header('https://other.example')).toBeUndefined();
});

test('a session without "Keep Me Signed In" never leaves the memory', () => {
  const vault = openVault();
  const jar = createSessionJar(vault, () => NOW);
  jar.take(SERVER, ['ovation=abc; HttpOnly']);
  expect(jar.header(SERVER)).toBe('ovation=abc');
  expect(vault.text).toBeUndefined();
  expect(createSessionJar(vault, () => NOW).header(SERVER)).toBeUndefined();
});

test('without a real keyring nothing is kept', () => {
  const vault = openVault(false);
  const jar = createSessionJar(vault, () => NOW);
  jar.take(SERVER, ['ovation=abc; Max-Age=2592000']);
  expect(jar.header(SERVER)).toBe('ovation=abc');
  expect(vault.text).toBeUndefined();
});

test('a cookie ends when its age is over, and at a log-out', () => {
  let now = NOW;
  const vault = openVault();
  const jar = createSessionJar(vault, () => now);
  jar.take(SERVER, ['ovation=abc; Max-Age=60', 'ovation-promo=p; Max-Age=600']);
  now += 61_000;
  expect(jar.header(SERVER)).toBe('ovation-promo=p');
  jar.take(SERVER, ['ovation-promo=; Max-Age=0']);
  expect(jar.header(SERVER)).toBeUndefined();
  jar.take(SERVER, ['ovation=; Max-Age=0']);
  expect(vault.text).toBeUndefined();
});

test('the cookies of one server are forgotten when another one answers', () => {
  const jar = createSessionJar(openVault(), () => NOW);
  jar.take(SERVER, ['ovation=abc']);
  jar.take('https://other.example', ['ovation=xyz']);
  expect(jar.header(SERVER)).toBeUndefined();
  expect(jar.header('https://other.example')).toBe('ovation=xyz');
});

test.each(['not json', '{}', '{"server":"x","cookies":[{"name":1}]}', 'null'])(
  'a damaged vault counts as empty: %s',
  (text) => {
    const vault = openVault();
    vault.text = text;
    expect(createSessionJar(vault, () => NOW).header(SERVER)).toBeUndefined();
  },
);
