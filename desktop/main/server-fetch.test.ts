import { expect, test } from 'vitest';
import { createServerFetch, trustSystem, userAgentOf } from './server.ts';

const HTTPS = 'https://ovation.example';

function open(answers: { proxies: string[]; fails?: boolean; isClosed?: boolean }) {
  const done: string[] = [];
  const fetch = createServerFetch({
    userAgent: 'Ovation/1.0.0 Electron/45.0.0 (Linux)',
    fetch: async (url, { headers, method }) => {
      done.push(`${method} ${url} as ${new Headers(headers).get('user-agent')}`);
      if (answers.fails) throw new TypeError('fetch failed');
      return new Response();
    },
    resolveProxy: async () => {
      const proxy = answers.proxies.shift();
      if (proxy === undefined) throw new Error('The system does not know');
      return proxy;
    },
    passProxy: async (proxy, origin) => {
      if (answers.isClosed) throw new Error('Log in to the proxy');
      return `${proxy} to ${origin}`;
    },
    useProxy: (proxy) => void done.push(`by ${proxy}`),
    trustSystem: () => void done.push('trust'),
  });
  return { done, fetch };
}

test('before the first call of a server its proxy is asked for and the system trusted, once', async () => {
  const { done, fetch } = open({ proxies: ['PROXY proxy.example:8080; DIRECT'] });
  await fetch(`${HTTPS}/user/a`, { method: 'POST' });
  await fetch(`${HTTPS}/user/b`, { method: 'GET' });
  expect(done).toEqual([
    'trust',
    'by http://proxy.example:8080 to https://ovation.example',
    'POST https://ovation.example/user/a as Ovation/1.0.0 Electron/45.0.0 (Linux)',
    'GET https://ovation.example/user/b as Ovation/1.0.0 Electron/45.0.0 (Linux)',
  ]);
});

test('a call that fails has the proxy asked for anew: the machine may be in another network', async () => {
  const answers = { proxies: ['PROXY a:1', 'DIRECT'], fails: true };
  const { done, fetch } = open(answers);
  await expect(fetch(HTTPS, {})).rejects.toThrow(TypeError);
  answers.fails = false;
  await fetch(HTTPS, {});
  expect(done.filter((step) => step.startsWith('by '))).toEqual([
    'by http://a:1 to https://ovation.example',
    'by undefined',
  ]);
});

test('a proxy that lets nobody through fails the call, and is asked again with the next', async () => {
  const answers = { proxies: ['PROXY a:1', 'PROXY a:1'], isClosed: true };
  const { done, fetch } = open(answers);
  await expect(fetch(HTTPS, {})).rejects.toThrow('Log in to the proxy');
  expect(done).toEqual(['trust']);
  answers.isClosed = false;
  await fetch(HTTPS, {});
  expect(done).toContain('by http://a:1 to https://ovation.example');
});

test('a server of this machine needs no certificates, and a system that knows no proxy means none', async () => {
  const { done, fetch } = open({ proxies: [] });
  await fetch('http://127.0.0.1:3000/', { method: 'GET' });
  expect(done.slice(0, -1)).toEqual(['by undefined']);
});

test('each system is named as the device list knows it', () => {
  expect(userAgentOf('1.2.3', '45.4.1', 'darwin')).toBe(
    'Ovation/1.2.3 Electron/45.4.1 (Macintosh)',
  );
  expect(userAgentOf('1.2.3', '45.4.1', 'win32')).toBe('Ovation/1.2.3 Electron/45.4.1 (Windows)');
  expect(userAgentOf('1.2.3', '45.4.1', 'linux')).toBe('Ovation/1.2.3 Electron/45.4.1 (Linux)');
});

test("the system's certificates are added to Node's; a store that fails changes nothing", () => {
  let trusted: readonly unknown[] = ['kept'];
  const store = (system: () => string[]) => ({
    getCACertificates: (type?: string) => (type === 'system' ? system() : ['a', 'b']),
    setDefaultCACertificates: (all: readonly unknown[]) => void (trusted = all),
  });
  trustSystem(
    store(() => {
      throw new Error('The keychain is locked');
    }),
  );
  expect(trusted).toEqual(['kept']);
  trustSystem(store(() => ['b', 'company']));
  expect(trusted).toEqual(['a', 'b', 'company']);
});
