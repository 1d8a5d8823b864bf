import { Agent, maxHeaderSize, request, type RequestOptions } from 'node:http';
import type { Hono } from 'hono';
import { listen } from '#server/kit/http/listen.ts';
import { BODY_MAX_BYTES } from '#server/kit/http/request-body.ts';
import type { AppUnderTest } from '../calls/api-client.ts';
import { freePort } from '../processes/free-port.ts';

/** The peer of every request over the socket; the product must trust it to name the client. */
export const SOCKET_PEER = '127.0.0.1';

export interface Socket extends AppUnderTest {
  close(): Promise<void>;
}

/**
 * Serves an app as the product does, on a port of this machine, and asks it there: kept connections,
 * headers and bodies as bytes, and the address as the proxy in front of it appends it. Node's own client,
 * because `fetch` refuses to send much of what is to be tried.
 */
export async function openSocket(app: Hono): Promise<Socket> {
  const port = await freePort();
  const stop = await listen(app, { host: SOCKET_PEER, port });
  const agent = new Agent({ keepAlive: true });
  return {
    request: (path, init, { incoming }) => {
      const headers = Object.fromEntries(init.headers);
      const hops = [headers['x-forwarded-for'], incoming.socket.remoteAddress];
      headers['x-forwarded-for'] = hops.filter(Boolean).join(', ');
      // Whatever follows a request with a wrong length is anybody's guess: it gets a connection of its own.
      const isLost = 'content-length' in headers;
      const options = { host: SOCKET_PEER, port, path, headers, method: init.method ?? 'GET' };
      return send({ ...options, agent: isLost ? false : agent }, init.body);
    },
    close: async () => {
      agent.destroy();
      await stop();
    },
  };
}

function send(options: RequestOptions, body: RequestInit['body']): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asked = request(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const { statusCode: status = 0, rawHeaders } = answer;
        const text = Buffer.concat(chunks);
        const headers = new Headers();
        for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
          headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
        }
        resolve(new Response(text.length === 0 ? null : text, { status, headers }));
      });
    });
    asked.once('error', (error) => {
      if (isCutOff(error) && isMoreThanRead(options, body)) resolve(new Response(null, REFUSED));
      else reject(error);
    });
    if (body === null || body === undefined) asked.end();
    else if (typeof body === 'string' || body instanceof Uint8Array) asked.end(body);
    else reject(new TypeError('Only text and bytes are sent.'));
  });
}

/** As if the answer had arrived: that of a parser to a head or a body larger than it reads. */
const REFUSED = { status: 431 };

const isCutOff = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'ECONNRESET' || error.code === 'EPIPE';

/** Of such a request the connection is closed while it is still being sent, which may overtake the answer. */
function isMoreThanRead({ path, headers }: RequestOptions, body: RequestInit['body']): boolean {
  const sizes = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  const head = Buffer.byteLength([path, ...sizes].join('\r\n'));
  const size = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0;
  return head > maxHeaderSize || size > BODY_MAX_BYTES;
}
