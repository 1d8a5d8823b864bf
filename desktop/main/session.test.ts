import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeKeyring } from '../testing/fake-keyring.ts';
import { FakeSecrets } from '../testing/fake-secrets.ts';
import { createSessionJar, openSecretFile, type KeepFailure, type SecretFile } from './session.ts';

const SERVER = 'https://likes.example';
const NOW = Date.UTC(2026, 10, 21);

function openJar(secrets: SecretFile = new FakeSecrets(), now: () => number = () => NOW) {
  const failures: KeepFailure[] = [];
  const jar = createSessionJar(secrets, now, (failure) => void failures.push(failure));
  const header = async (server = SERVER) => (await jar.open(server)).header;
  const take = async (cookies: string[], server = SERVER): Promise<void> => {
    (await jar.open(server)).take(cookies);
    await jar.stored();
  };
  return { jar, header, take, failures };
}

test('a kept session is there after a restart, and only for its own server', async () => {
  const secrets = new FakeSecrets();
  await openJar(secrets).take(['ovation=abc; Max-Age=2592000; HttpOnly']);
  const reopened = openJar(secrets);
  expect(await reopened.header()).toBe('ovation=abc');
  expect(await reopened.header('https://other.example')).toBeUndefined();
});

test('a session without "Keep Me Signed In" never leaves the memory', async () => {
  const secrets = new FakeSecrets();
  const { take, header, failures } = openJar(secrets);
  await take(['ovation=abc; HttpOnly']);
  expect(await header()).toBe('ovation=abc');
  expect([secrets.text, failures]).toEqual([undefined, []]);
  expect(await openJar(secrets).header()).toBeUndefined();
});

test('without a real keyring nothing is kept, which is told once', async () => {
  const secrets = new FakeSecrets({ hasKeyring: false });
  const { take, header, failures } = openJar(secrets);
  await take(['ovation=abc; Max-Age=2592000']);
  await take(['ovation=abd; Max-Age=2592000']);
  expect(await header()).toBe('ovation=abd');
  expect([secrets.text, failures]).toEqual([undefined, [{ kind: 'no_keyring' }]]);
});

test('a cookie ends when its age is over, and at a log-out', async () => {
  let now = NOW;
  const secrets = new FakeSecrets();
  const { take, header } = openJar(secrets, () => now);
  await take(['ovation=abc; Max-Age=60', 'ovation-promo=p; Max-Age=600']);
  now += 61_000;
  expect(await header()).toBe('ovation-promo=p');
  await take(['ovation-promo=; Max-Age=0']);
  expect(await header()).toBeUndefined();
  await take(['ovation=; Max-Age=0']);
  expect(secrets.text).toBeUndefined();
});

test('the cookies of one server are forgotten when another one answers', async () => {
  const { take, header } = openJar();
  await take(['ovation=abc']);
  await take(['ovation=xyz'], 'https://other.example');
  expect(await header()).toBeUndefined();
  expect(await header('https://other.example')).toBe('ovation=xyz');
});

test.each(['not json', '{}', '{"server":"x","cookies":[{"name":1}]}', 'null'])(
  'a damaged file counts as empty: %s',
  async (text) => {
    const secrets = new FakeSecrets();
    secrets.text = text;
    expect(await openJar(secrets).header()).toBeUndefined();
  },
);

test('what was asked before everything was forgotten brings no session back', async () => {
  const secrets = new FakeSecrets();
  const { jar, header, take } = openJar(secrets);
  const asked = await jar.open(SERVER);
  await jar.clear();
  await take(['ovation=new; Max-Age=60'], 'https://other.example');
  asked.take(['ovation=old; Max-Age=60']);
  await jar.stored();
  expect(await header()).toBeUndefined();
  expect(await header('https://other.example')).toBe('ovation=new');
  expect(secrets.text).not.toContain('old');
});

test('a file that is read only after everything was forgotten brings nothing back', async () => {
  const secrets = new FakeSecrets();
  const kept = Promise.withResolvers<string>();
  secrets.read = () => kept.promise;
  const { jar, header } = openJar(secrets);
  const first = jar.open(SERVER);
  await jar.clear();
  kept.resolve(
    JSON.stringify({ server: SERVER, cookies: [{ name: 'a', value: 'b', expiresAt: null }] }),
  );
  expect((await first).header).toBeUndefined();
  expect(await header()).toBeUndefined();
});

test('a session that is being kept when everything is forgotten is gone from the disk', async () => {
  const secrets = new FakeSecrets();
  const writing = Promise.withResolvers<void>();
  secrets.write = async (text) => {
    await writing.promise;
    secrets.text = text;
  };
  const { jar } = openJar(secrets);
  (await jar.open(SERVER)).take(['ovation=abc; Max-Age=60']);
  const cleared = jar.clear();
  writing.resolve();
  await cleared;
  expect(secrets.text).toBeUndefined();
});

test('a disk or keyring that fails costs the keeping, not the log-in, and is told once', async () => {
  const secrets = new FakeSecrets();
  const { jar, header, take, failures } = openJar(secrets);
  await take(['ovation=before; Max-Age=60']);
  const full = new Error('ENOSPC');
  secrets.write = () => Promise.reject(full);
  await take(['ovation=abc; Max-Age=60']);
  await take(['ovation=abd; Max-Age=60']);
  expect(await header()).toBe('ovation=abd');
  expect(secrets.text).toBeUndefined();
  secrets.clear = () => Promise.reject(full);
  await take(['ovation=; Max-Age=0']);
  await jar.clear();
  expect(await header()).toBeUndefined();
  expect(failures).toEqual([{ kind: 'failed', error: full }]);
});

describe('the file of a secret', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'ovation-secrets-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = (kind: FakeKeyring['kind'], isLinux = true) => {
    const keyring = new FakeKeyring(kind);
    const file = join(folder, 'session');
    return { keyring, file, secrets: openSecretFile(file, keyring, isLinux) };
  };

  test('what is kept is encrypted, only for this person, and can be read again', async () => {
    const { file, secrets } = open('gnome_libsecret');
    await secrets.write('ovation=secret');
    expect(readFileSync(file, 'latin1')).not.toContain('secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await secrets.read()).toBe('ovation=secret');
    await secrets.clear();
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['on the disk', () => open('gnome_libsecret').secrets],
    ['of the tests', () => new FakeSecrets()],
  ])('one %s holds what was written last, until it is cleared', async (_where, make) => {
    const secrets = make();
    expect([await secrets.canKeep(), await secrets.read()]).toEqual([true, undefined]);
    await secrets.write('first');
    await secrets.write('second');
    expect(await secrets.read()).toBe('second');
    await secrets.clear();
    await secrets.clear();
    expect(await secrets.read()).toBeUndefined();
  });

  test('where nothing is kept the keyring is left alone: nobody is asked for a password', async () => {
    const { keyring, secrets } = open('locked');
    expect(await secrets.read()).toBeUndefined();
    await secrets.clear();
    expect(keyring.timesAsked).toBe(0);
  });

  test('a keyring with a fixed password protects nothing, so nothing is kept', async () => {
    expect(await open('basic_text').secrets.canKeep()).toBe(false);
    expect(await open('none').secrets.canKeep()).toBe(false);
    expect(await open('basic_text', false).secrets.canKeep()).toBe(true);
  });

  test('a keyring that fails holds nothing to read', async () => {
    const { keyring, secrets } = open('gnome_libsecret');
    await secrets.write('ovation=secret');
    keyring.decryptStringAsync = () => Promise.reject(new Error('no bus'));
    expect(await secrets.read()).toBeUndefined();
  });

  test('what could not be written whole leaves what was kept before, and goes when it is cleared', async () => {
    const { file, secrets } = open('gnome_libsecret');
    await secrets.write('ovation=first');
    await mkdir(`${file}.part`);
    await expect(secrets.write('ovation=second')).rejects.toThrow('EISDIR');
    expect(await secrets.read()).toBe('ovation=first');
    await rm(`${file}.part`, { recursive: true });
    await writeFile(`${file}.part`, 'half');
    await secrets.clear();
    expect(await readdir(folder)).toEqual([]);
  });
});
