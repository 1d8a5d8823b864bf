import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A way to the product that can be cut, as a server that is gone or a newer version of its files. */
export interface FrontServer {
  url: string;
  /** While false, every connection is dropped without an answer. */
  isThere: boolean;
  /** Appended to the service worker, so that it counts as a new version. */
  newVersion: string;
  /** Awaited with each answer of the product, before anything of it is passed on. */
  beforeAnswer: (path: string) => Promise<void>;
  stop: () => Promise<void>;
}

const SERVICE_WORKER = '/service-worker.js';

export async function serveInFront(productUrl: string): Promise<FrontServer> {
  const product = new URL(productUrl);
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => {
    if (!front.isThere) {
      asked.socket.destroy();
      return;
    }
    const headers = { ...asked.headers, host: product.host, 'accept-encoding': 'identity' };
    if (asked.headers.origin !== undefined) Object.assign(headers, { origin: product.origin });
    const { method } = asked;
    const onward = request(new URL(asked.url ?? '/', product), { method, headers }, (given) => {
      const isWorker = asked.url === SERVICE_WORKER && front.newVersion !== '';
      if (isWorker) {
        void replaceWorker(answer);
        given.resume();
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
  const replaceWorker = async (answer: ServerResponse): Promise<void> => {
    const script = await (await fetch(new URL(SERVICE_WORKER, product))).text();
    answer.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-cache' });
    answer.end(`${script}\n// ${front.newVersion}\n`);
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const front: FrontServer = {
    url: `http://localhost:${port}`,
    newVersion: '',
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
