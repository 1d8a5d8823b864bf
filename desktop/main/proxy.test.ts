import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startFakeSocks } from '../testing/fake-proxy.ts';
import { askProxy, openSocksBridge, proxyOf, proxySwitch, withLogin } from './proxy.ts';
import { listen } from '../testing/listen.ts';

async function portOf(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return Number((await listen(server)).split(':')[1]);
}

test.each([
  ['DIRECT', undefined],
  ['PROXY a:1', 'http://a:1'],
  ['HTTPS a:1; DIRECT', 'https://a:1'],
  ['SOCKS5 a:1; PROXY b:2', 'socks5://a:1'],
  ['SOCKS a:1', 'socks4://a:1'],
  ['QUIC a:1; PROXY b:2', 'http://b:2'],
  ['PROXY', undefined],
  ['', undefined],
])('"%s" of the system is %s', (resolved, proxy) => expect(proxyOf(resolved)).toBe(proxy));

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
  const [proxyPort, port] = [await portOf(proxy), await portOf(server)];
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
  }
});

test('a proxy is asked with the log-in it is given, and says what it wants', async () => {
  const given: unknown[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ headers, url }, socket) => {
    given.push([url, headers['proxy-authorization']]);
    const kinds = url === 'ntlm.example:443' ? 'NTLM' : 'Negotiate, Basic realm="Office"';
    socket.end(`HTTP/1.1 407 Log in\r\nproxy-authenticate: ${kinds}\r\n\r\n`);
  });
  const address = `http://127.0.0.1:${await portOf(proxy)}`;
  expect(await askProxy(address, 'ovation.example:443')).toBe('wants_login');
  expect(await askProxy(address, 'ntlm.example:443')).toBe('wants_unknown_login');
  const login = { user: 'anna@office', password: 'p:/ä %' };
  expect(await askProxy(withLogin(address, login), 'ovation.example:443')).toBe('wants_login');
  const basic = `Basic ${Buffer.from('anna@office:p:/ä %').toString('base64')}`;
  expect(given.at(-1)).toEqual(['ovation.example:443', basic]);
});

test('a proxy that lets a call through, fails it or is not there has no question', async () => {
  const status = { line: '200 Connection established' };
  const proxy = createServer();
  proxy.on('connect', (_request, socket) => socket.end(`HTTP/1.1 ${status.line}\r\n\r\n`));
  const port = await portOf(proxy);
  expect(await askProxy(`http://127.0.0.1:${port}`, 'a:443')).toBe('goes_on');
  status.line = '502 Bad Gateway';
  expect(await askProxy(`http://127.0.0.1:${port}`, 'a:443')).toBe('goes_on');
  expect(await askProxy('http://127.0.0.1:1', 'a:443')).toBe('goes_on');
});

const LOGIN = { user: 'anna', password: 'p:ä' };

test.each([
  ['SOCKS 5', 'socks5', undefined],
  ['SOCKS 5 with a log-in', 'socks5', LOGIN],
  ['SOCKS 4', 'socks4', undefined],
] as const)('calls go by a proxy that speaks %s', async (_name, scheme, login) => {
  const target = createTcpServer((socket) => void socket.end('through'));
  const port = await portOf(target);
  const socks = await startFakeSocks(login);
  onTestFinished(socks.stop);
  const bridge = await openSocksBridge(withLogin(`${scheme}://${socks.address}`, login));
  onTestFinished(bridge.close);
  expect(await throughBridge(bridge.url, `127.0.0.1:${port}`)).toContain('through');
  expect(socks.asked).toEqual([`127.0.0.1:${port}`]);
});

test('a SOCKS proxy that wants a log-in, or another one, is asked about as any proxy', async () => {
  const socks = await startFakeSocks(LOGIN);
  onTestFinished(socks.stop);
  for (const login of [undefined, { user: 'anna', password: 'wrong' }]) {
    const bridge = await openSocksBridge(withLogin(`socks5://${socks.address}`, login));
    expect(await askProxy(bridge.url, 'ovation.example:443')).toBe('wants_login');
    bridge.close();
  }
  const bridge = await openSocksBridge(withLogin(`socks5://${socks.address}`, LOGIN));
  onTestFinished(bridge.close);
  expect(await askProxy(bridge.url, '127.0.0.1:1')).toBe('goes_on');
});

test('the bridge to a SOCKS proxy opens to this app alone, and a proxy that hangs up fails the call', async () => {
  const dead = createTcpServer((socket) => void socket.end());
  const bridge = await openSocksBridge(`socks5://127.0.0.1:${await portOf(dead)}`);
  onTestFinished(bridge.close);
  const stranger = new URL(bridge.url);
  expect(await throughBridge(stranger.href, 'a:443')).toContain('502');
  stranger.password = '0'.repeat(32);
  expect(await throughBridge(stranger.href, 'a:443')).toContain('403');
  stranger.username = stranger.password = '';
  expect(await throughBridge(stranger.href, 'a:443')).toContain('403');
});

/** What a program reads that asks a bridge for a way. */
async function throughBridge(bridge: string, target: string): Promise<string> {
  const { port, username, password } = new URL(bridge);
  const key = Buffer.from(`${username}:${password}`).toString('base64');
  const login = username === '' ? '' : `proxy-authorization: Basic ${key}\r\n`;
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${login}\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}
