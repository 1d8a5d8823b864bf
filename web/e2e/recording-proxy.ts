import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';

/** Everything between browsers and the product, both ways, as it went over the wire. */
export interface RecordingProxy {
  url: string;
  /** Address, headers and body of each request and of each answer. */
  readonly texts: readonly string[];
  stop: () => Promise<void>;
}

/** Stands at the product's public address, with the product behind it. */
export async function recordTraffic(port: number, productPort: number): Promise<RecordingProxy> {
  const texts: string[] = [];
  const record = (head: string, headers: IncomingHttpHeaders) => {
    const place = texts.push(`${head}\n${JSON.stringify(headers)}\n`) - 1;
    return (chunk: Buffer): void => {
      texts[place] += chunk.toString('utf8');
    };
  };
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => {
    const { method = '', url = '' } = asked;
    asked.on('data', record(`${method} ${url}`, asked.headers));
    // What is packed couldn't be searched.
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    const place = { host: '127.0.0.1', port: productPort, path: url, method, headers };
    const onward = request(place, (given) => {
      given.on('data', record(`answer to ${method} ${url}`, given.headers));
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    onward.on('error', () => asked.socket.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${port}`,
    texts,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
