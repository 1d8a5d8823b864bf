import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** A way to the product that can be cut, as a server that is gone or a newer version of its files. */
export interface FrontServer {
  url: string;
  /** While false, every connection is dropped without an answer. */
  isThere: boolean;
  /** When set, the app's page says it and the service worker keeps that page: another version of the app. */
  newVersion: string;
  /** While true, the sync is told that the app's version is too old. */
  isTooOld: boolean;
  /** Awaited with each answer of the product, before anything of it is passed on. */
  beforeAnswer: (path: string) => Promise<void>;
  stop: () => Promise<void>;
}

/** The files that differ from one version of the app to the next. */
const VERSIONED: Readonly<Record<string, (text: string, version: string) => string>> = {
  '/service-worker.js': (text, version) =>
    text.replace(/(url:`\/index\.html`,revision:`)[^`]+/, `$1${version}`),
  '/index.html': (text, version) =>
    text.replace('<head>', `<head><meta name="app-version" content="${version}">`),
};

export async function serveInFront(productUrl: string): Promise<FrontServer> {
  const product = new URL(productUrl);
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => {
    if (!front.isThere) {
      asked.socket.destroy();
      return;
    }
    const path = (asked.url ?? '').split('?')[0] ?? '';
    if (front.isTooOld && path.startsWith('/user/sync/')) {
      asked.resume();
      answer.writeHead(426).end();
      return;
    }
    const version = VERSIONED[path];
    const headers = { ...asked.headers, host: product.host, 'accept-encoding': 'identity' };
    if (version) {
      // "Not modified" would be an answer about the product's own file.
      delete headers['if-none-match'];
      delete headers['if-modified-since'];
    }
    if (asked.headers.origin !== undefined) Object.assign(headers, { origin: product.origin });
    const { method } = asked;
    const onward = request(new URL(asked.url ?? '/', product), { method, headers }, (given) => {
      if (version && front.newVersion !== '') {
        void answerText(given, answer, (text) => version(text, front.newVersion));
        return;
      }
      void front.beforeAnswer(asked.url ?? '/').then(() => {
        if (answer.destroyed) return given.resume();
        answer.writeHead(given.statusCode ?? 502, given.headers);
        return given.pipe(answer);
      });
    });
    onward.on('error', () => asked.socket.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const front: FrontServer = {
    url: `http://localhost:${port}`,
    newVersion: '',
    isTooOld: false,
    beforeAnswer: async () => undefined,
    get isThere(): boolean {
      return isThere;
    },
    set isThere(next: boolean) {
      isThere = next;
      if (!next) for (const socket of sockets) socket.destroy();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  let isThere = true;
  return front;
}

/** Passes an answer on as another text. */
async function answerText(
  given: IncomingMessage,
  answer: ServerResponse,
  change: (text: string) => string,
): Promise<void> {
  const { 'content-length': _length, etag: _etag, ...headers } = given.headers;
  const text = change(await textOf(given));
  answer.writeHead(given.statusCode ?? 502, headers).end(text);
}
