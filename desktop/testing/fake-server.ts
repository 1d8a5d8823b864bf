import { createServer } from 'node:http';
import { login } from '../../shared/contract/people/user.ts';
import { SYNC_PROTOCOL } from '../../shared/sync/version.ts';
import { listen } from './listen.ts';

/** What a log-in puts into the jar. */
export const SECRET = 's3cret';

/** A server of the product, as far as choosing one and logging in ask. */
export interface FakeServer {
  address: string;
  /** What each call said of itself. */
  calls: { path: string; cookie: string | undefined; userAgent: string | undefined }[];
  /** How often it was taken for a proxy; it leads nowhere. */
  tunnels: number;
  /** "name:password" that it wants then. */
  proxyLogin: string | undefined;
}

export async function startFakeServer(): Promise<FakeServer> {
  const met: FakeServer = { address: '', calls: [], tunnels: 0, proxyLogin: undefined };
  const server = createServer(({ url = '', headers }, response) => {
    met.calls.push({ path: url, cookie: headers.cookie, userAgent: headers['user-agent'] });
    const data = { product: 'Ovation', protocol: SYNC_PROTOCOL, oldestProtocol: SYNC_PROTOCOL };
    const type = url.startsWith('/proxy/') ? 'image/webp' : 'application/json';
    response.setHeader('content-type', type);
    if (url === login.path)
      response.setHeader('set-cookie', `sid=${SECRET}; Max-Age=3600; Path=/; HttpOnly`);
    if (url === '/user/stream') return response.write('data: 1\n\n');
    return response.end(JSON.stringify({ status: 'success', data }));
  });
  server.on('connect', ({ headers }, socket) => {
    const wanted = met.proxyLogin && `Basic ${Buffer.from(met.proxyLogin).toString('base64')}`;
    if (wanted !== undefined && headers['proxy-authorization'] !== wanted) {
      return socket.end('HTTP/1.1 407 Log in\r\nproxy-authenticate: Basic realm="o"\r\n\r\n');
    }
    met.tunnels += 1;
    return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  met.address = await listen(server);
  // So that an entry which waits for what can't come ends this process at once.
  server.unref();
  return met;
}
