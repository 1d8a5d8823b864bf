import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A real HTTP server on loopback that answers as a test says. */
export interface ScriptedServer {
  url: string;
  port: number;
  requests: readonly ReceivedRequest[];
  /** Connections opened so far. */
  connectionCount: () => number;
  close: () => Promise<void>;
}

export type Script = (response: ServerResponse, request: ReceivedRequest) => void;

export async function openScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  let connections = 0;
  const server = createServer((incoming, response) => {
    void receive(incoming).then((request) => {
      requests.push(request);
      return script(response, request);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connectionCount: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers that are no answer, by what is wrong with them; `slow` never ends. */
export const NONSENSE = {
  'cut short': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    response.write('{"business_discovery":{"id":"1784', () => response.destroy());
  },
  'cut short without a length': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end('{"business_discovery":{"id":"1784');
  },
  'a web page': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Sorry</title>');
  },
  'a web page with an error': (response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<h1>Bad gateway</h1>');
  },
  'a reset connection': (response) => {
    response.socket?.resetAndDestroy();
  },
  'an empty body': (response) => {
    response.writeHead(200);
    response.end();
  },
  'a redirect': (response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' });
    response.end();
  },
  'slow to begin': () => undefined,
  'slow to end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
  },
  null: json(null),
  'a list': json([]),
  'a number': json(5),
  'a text': json('business_discovery'),
  'an empty object': json({}),
} as const satisfies Record<string, Script>;

/** Whether an answer never ends. */
export function isSilent(script: Script): boolean {
  const silent: Script[] = [NONSENSE['slow to begin'], NONSENSE['slow to end']];
  return silent.includes(script);
}

/** How long a client waits for this server: where it is not silent, longer than any busy machine takes. */
export const patienceMs = (script: Script): number => (isSilent(script) ? 500 : 20_000);

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const { method = '', url: path = '', headers } = incoming;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
}
