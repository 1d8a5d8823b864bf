import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import {
  createServerFetch,
  proxyOf,
  proxySwitch,
  trustSystem,
  userAgentOf,
} from './server-fetch.ts';

const HTTPS = 'https://ovation.example';

function open(answers: { proxies: string[]; fails?: boolean }) {
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
    'by http://proxy.example:8080',
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
  expect(done.filter((step) => step.startsWith('by '))).toEqual(['by http://a:1', 'by undefined']);
});

test('a server of this machine needs no certificates, and a system that knows no proxy means none', async () => {
  const { done, fetch } = open({ proxies: [] });
  await fetch('http://127.0.0.1:3000/', { method: 'GET' });
  expect(done.slice(0, -1)).toEqual(['by undefined']);
});

test.each([
  ['DIRECT', undefined],
  ['PROXY a:1', 'http://a:1'],
  ['HTTPS a:1; DIRECT', 'https://a:1'],
  ['SOCKS5 a:1; PROXY b:2', 'http://b:2'],
  ['SOCKS5 a:1', undefined],
  ['', undefined],
])('"%s" of the system is %s', (resolved, proxy) => expect(proxyOf(resolved)).toBe(proxy));

test('each system is named as the device list knows it', () => {
  expect(userAgentOf('1.2.3', '45.4.1', 'darwin')).toBe(
    'Ovation/1.2.3 Electron/45.4.1 (Macintosh)',
  );
  expect(userAgentOf('1.2.3', '45.4.1', 'win32')).toBe('Ovation/1.2.3 Electron/45.4.1 (Windows)');
  expect(userAgentOf('1.2.3', '45.4.1', 'linux')).toBe('Ovation/1.2.3 Electron/45.4.1 (Linux)');
});

test('the proxy is really used by Node, until there is none any more', async () => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(String(request.url));
    response.end('by proxy');
  });
  proxy.on('connect', (request, socket) => {
    seen.push(String(request.url));
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const server = createServer((_request, response) => void response.end('directly'));
  for (const each of [proxy, server]) await once(each.listen(0, '127.0.0.1'), 'listening');
  // A TCP server's address is never a path.
  const [proxyPort, port] = [proxy, server].map((each) => (each.address() as AddressInfo).port);
  const use = proxySwitch();
  try {
    use(`http://127.0.0.1:${proxyPort}`);
    await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    expect(seen.join()).toContain(`127.0.0.1:${port}`);
    use(undefined);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('directly');
    expect(seen).toHaveLength(1);
  } finally {
    use(undefined);
    for (const each of [proxy, server]) each.closeAllConnections();
    for (const each of [proxy, server]) each.close();
  }
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
