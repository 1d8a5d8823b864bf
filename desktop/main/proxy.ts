import { randomBytes, timingSafeEqual } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, isIPv4, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** A name and a password that a proxy asks for. */
export interface ProxyLogin {
  user: string;
  password: string;
}

const SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/** The first proxy that can be used of those the system names, "socks5://host:port"; undefined: go there directly. */
export function proxyOf(resolved: string): string | undefined {
  for (const entry of resolved.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/);
    if (kind === 'DIRECT') return undefined;
    const scheme = SCHEMES[kind];
    if (scheme !== undefined && URL.canParse(`${scheme}://${address}`)) {
      return `${scheme}://${address}`;
    }
  }
  return undefined;
}

/** Where Node can change its proxy while it runs; a Node that can't goes directly. */
type GlobalProxy = (env: { http_proxy: string; https_proxy: string }) => () => void;

/** Switches the proxy of this process; the types don't know Node's function yet. */
export function proxySwitch(
  setGlobal: GlobalProxy | undefined = (http as { setGlobalProxyFromEnv?: GlobalProxy })
    .setGlobalProxyFromEnv,
): (proxy: string | undefined) => void {
  let present: string | undefined;
  let leave = (): void => undefined;
  return (proxy) => {
    if (proxy === present || !setGlobal) return;
    leave();
    present = proxy;
    leave =
      proxy === undefined ? () => undefined : setGlobal({ http_proxy: proxy, https_proxy: proxy });
  };
}

/** How a proxy takes a call: it lets it through or fails it by itself, or wants to know who asks. */
export type ProxyAnswer = 'goes_on' | 'wants_login' | 'wants_unknown_login';

const ANSWER_WITHIN_MS = 20_000;
const WANTS_LOGIN = 407;

/** A proxy's address as Node reads it, with the log-in. */
export function withLogin(proxy: string, login: ProxyLogin | undefined): string {
  if (!login) return proxy;
  const url = new URL(proxy);
  url.username = encodeURIComponent(login.user);
  url.password = encodeURIComponent(login.password);
  return url.href;
}

/** Asks an HTTP proxy for a way to "host:port", and lets go of it. One that doesn't answer goes on, and fails there. */
export function askProxy(proxy: string, target: string): Promise<ProxyAnswer> {
  const url = new URL(proxy);
  const { request } = url.protocol === 'https:' ? https : http;
  const login = loginOf(url);
  const answered = Promise.withResolvers<ProxyAnswer>();
  const asked = request({
    host: hostOf(url),
    port: url.port === '' ? undefined : Number(url.port),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...(login && { 'proxy-authorization': basic(login) }) },
    agent: false,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  asked.once('connect', ({ statusCode, headers }, socket) => {
    socket.destroy();
    if (statusCode !== WANTS_LOGIN) return answered.resolve('goes_on');
    const kinds = String(headers['proxy-authenticate']);
    return answered.resolve(/\bbasic\b/i.test(kinds) ? 'wants_login' : 'wants_unknown_login');
  });
  asked.on('error', () => answered.resolve('goes_on'));
  asked.end();
  return answered.promise;
}

const basic = ({ user, password }: ProxyLogin): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The log-in that `withLogin` has written into an address. */
function loginOf({ username, password }: URL): ProxyLogin | undefined {
  if (username === '') return undefined;
  return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Sockets want an IPv6 address without its brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/[[\]]/g, '');

/** An HTTP proxy of this process alone, behind which a SOCKS proxy stands. */
export interface SocksBridge {
  /** Its address, with the password that keeps other programs of this machine out. */
  url: string;
  close: () => void;
}

/** Node speaks to HTTP proxies only: this one speaks SOCKS on. `socks`: "socks5://user:password@host:port". */
export async function openSocksBridge(socks: string): Promise<SocksBridge> {
  const key = randomBytes(16).toString('hex');
  const expected = Buffer.from(basic({ user: 'bridge', password: key }));
  const server = http.createServer((_request, response) => void response.writeHead(405).end());
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    client.on('error', () => client.destroy());
    if (isOurs) void carry(client, socks, url);
    else client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://bridge:${key}@127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A SOCKS proxy that asks for a log-in, or didn't take the one it got. */
class SocksLoginNeeded extends Error {}

async function carry(client: Socket, socks: string, target: string): Promise<void> {
  try {
    const upstream = await openThroughSocks(socks, new URL(`tcp://${target}`));
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    pipeline(upstream, client, upstream, () => client.destroy());
  } catch (error) {
    const status =
      error instanceof SocksLoginNeeded
        ? `${WANTS_LOGIN} Login\r\nproxy-authenticate: Basic`
        : '502 Bad Gateway';
    client.end(`HTTP/1.1 ${status}\r\n\r\n`);
  }
}

/** A connection to an address by a SOCKS proxy: RFC 1928 and 1929, or SOCKS 4. */
async function openThroughSocks(socks: string, target: URL): Promise<Socket> {
  const proxy = new URL(socks);
  const port = proxy.port === '' ? 1080 : Number(proxy.port);
  const socket = connect({ host: hostOf(proxy), port });
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const address = { host: hostOf(target), port: Number(target.port) };
    if (proxy.protocol === 'socks4:') await greetSocks4(socket, address, signal);
    else await greetSocks5(socket, address, loginOf(proxy), signal);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

interface Target {
  host: string;
  port: number;
}
const twoBytes = (port: number): number[] => [port >> 8, port & 255];
/** As much as a length of one byte can tell. */
const counted = (text: string): Buffer => {
  const bytes = Buffer.from(text).subarray(0, 255);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};

/** SOCKS 4 knows no names: they are looked up here, as Chromium does. */
async function greetSocks4(socket: Socket, { host, port }: Target, signal: AbortSignal) {
  const { address } = isIPv4(host) ? { address: host } : await lookup(host, { family: 4 });
  socket.write(Buffer.from([4, 1, ...twoBytes(port), ...address.split('.').map(Number), 0]));
  const [, answer] = await take(socket, 8, signal);
  if (answer !== 90) throw new Error('The proxy refused');
}

async function greetSocks5(
  socket: Socket,
  { host, port }: Target,
  login: ProxyLogin | undefined,
  signal: AbortSignal,
): Promise<void> {
  const [NO_LOGIN, BY_PASSWORD, NONE_FITS] = [0, 2, 255];
  const offered = login ? [NO_LOGIN, BY_PASSWORD] : [NO_LOGIN];
  socket.write(Buffer.from([5, offered.length, ...offered]));
  const [, method] = await take(socket, 2, signal);
  if (method === NONE_FITS) throw new SocksLoginNeeded();
  if (method === BY_PASSWORD && login) {
    socket.write(Buffer.concat([Buffer.from([1]), counted(login.user), counted(login.password)]));
    const [, refused] = await take(socket, 2, signal);
    if (refused !== 0) throw new SocksLoginNeeded();
  }
  socket.write(
    Buffer.concat([Buffer.from([5, 1, 0, 3]), counted(host), Buffer.from(twoBytes(port))]),
  );
  const [, refused, , kind] = await take(socket, 4, signal);
  if (refused !== 0) throw new Error('The proxy refused');
  // The address it connected from: nobody needs it, and it stands before what follows.
  const [length = 0] = kind === 3 ? await take(socket, 1, signal) : [kind === 4 ? 16 : 4];
  await take(socket, length + 2, signal);
}

/** The next bytes of a socket, no more; fails when it ends before. */
async function take(socket: Socket, count: number, signal: AbortSignal): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes?.length === count) return bytes;
    if (bytes || socket.readableEnded || socket.destroyed) throw new Error('The proxy hung up');
    await once(socket, 'readable', { signal });
  }
}
