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
  createSessionJar(vault, () => NOW)
    .open(SERVER)
    .take(['ovation=abc; Max-Age=2592000; HttpOnly']);
  const reopened = createSessionJar(vault, () => NOW);
  expect(reopened.open(SERVER).header).toBe('ovation=abc');
  expect(reopened.open('https://other.example').header).toBeUndefined();
});

test('a session without "Keep Me Signed In" never leaves the memory', () => {
  const vault = openVault();
  const jar = createSessionJar(vault, () => NOW);
  jar.open(SERVER).take(['ovation=abc; HttpOnly']);
  expect(jar.open(SERVER).header).toBe('ovation=abc');
  expect(vault.text).toBeUndefined();
  expect(createSessionJar(vault, () => NOW).open(SERVER).header).toBeUndefined();
});

test('without a real keyring nothing is kept', () => {
  const vault = openVault(false);
  const jar = createSessionJar(vault, () => NOW);
  jar.open(SERVER).take(['ovation=abc; Max-Age=2592000']);
  expect(jar.open(SERVER).header).toBe('ovation=abc');
  expect(vault.text).toBeUndefined();
});

test('a cookie ends when its age is over, and at a log-out', () => {
  let now = NOW;
  const vault = openVault();
  const jar = createSessionJar(vault, () => now);
  jar.open(SERVER).take(['ovation=abc; Max-Age=60', 'ovation-promo=p; Max-Age=600']);
  now += 61_000;
  expect(jar.open(SERVER).header).toBe('ovation-promo=p');
  jar.open(SERVER).take(['ovation-promo=; Max-Age=0']);
  expect(jar.open(SERVER).header).toBeUndefined();
  jar.open(SERVER).take(['ovation=; Max-Age=0']);
  expect(vault.text).toBeUndefined();
});

test('the cookies of one server are forgotten when another one answers', () => {
  const jar = createSessionJar(openVault(), () => NOW);
  jar.open(SERVER).take(['ovation=abc']);
  jar.open('https://other.example').take(['ovation=xyz']);
  expect(jar.open(SERVER).header).toBeUndefined();
  expect(jar.open('https://other.example').header).toBe('ovation=xyz');
});

test.each(['not json', '{}', '{"server":"x","cookies":[{"name":1}]}', 'null'])(
  'a damaged vault counts as empty: %s',
  (text) => {
    const vault = openVault();
    vault.text = text;
    expect(createSessionJar(vault, () => NOW).open(SERVER).header).toBeUndefined();
  },
);

test('what was asked before everything was forgotten brings no session back', () => {
  const vault = openVault();
  const jar = createSessionJar(vault, () => NOW);
  const asked = jar.open(SERVER);
  jar.clear();
  jar.open('https://other.example').take(['ovation=new; Max-Age=60']);
  asked.take(['ovation=old; Max-Age=60']);
  expect(jar.open(SERVER).header).toBeUndefined();
  expect(jar.open('https://other.example').header).toBe('ovation=new');
  expect(vault.text).not.toContain('old');
});

test('a disk or keyring that fails costs the keeping, not the log-in, and is told once', () => {
  const vault = openVault();
  const told: unknown[] = [];
  const jar = createSessionJar(
    vault,
    () => NOW,
    (failure, error) => told.push([failure, error]),
  );
  jar.open(SERVER).take(['ovation=before; Max-Age=60']);
  const full = new Error('ENOSPC');
  vault.write = () => {
    throw full;
  };
  jar.open(SERVER).take(['ovation=abc; Max-Age=60']);
  jar.open(SERVER).take(['ovation=abd; Max-Age=60']);
  expect(jar.open(SERVER).header).toBe('ovation=abd');
  expect(vault.text).toBeUndefined();
  vault.clear = () => {
    throw full;
  };
  jar.open(SERVER).take(['ovation=; Max-Age=0']);
  jar.clear();
  expect(jar.open(SERVER).header).toBeUndefined();
  expect(told).toEqual([['You can’t stay logged in on this computer', full]]);
});
