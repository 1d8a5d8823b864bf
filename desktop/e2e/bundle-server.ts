import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { APP_ORIGIN, createAppHandler, openRendererFiles } from '../main/app-handler.ts';
import { builtRenderer } from '../testing/built.ts';
import { FakeSecrets } from '../testing/fake-secrets.ts';
import { serveScheme } from '../testing/fake-protocol.ts';
import { openPictureFolder } from '../main/picture-folder.ts';
import { createSessionJar } from '../main/session.ts';
import { listen } from '../testing/listen.ts';

export interface BundleServer {
  url: string;
  /** What the keyring holds. */
  secrets: Pick<FakeSecrets, 'text'>;
  /** The cookies that go to the server in the page's name. */
  session(): Promise<string | undefined>;
  /** Every header name and value the page was sent. */
  sentHeaders: string[];
  /** The computer slept: what is open at the server ends, as in the app. */
  wakeUp(): void;
  stop(): Promise<void>;
}

/** The production renderer behind the real handler, reachable for a browser over local HTTP. */
export async function serveBundle(server: string): Promise<BundleServer> {
  const secrets = new FakeSecrets();
  // Goes with the run's temporary folder: when the server stops, one may still be on its way there.
  const pictures = await mkdtemp(join(tmpdir(), 'ovation-pictures-'));
  const jar = createSessionJar(secrets, Date.now, () => undefined);
  let present = new AbortController();
  const handle = createAppHandler({
    awake: () => present.signal,
    readFile: await openRendererFiles(await builtRenderer()),
    server: () => server,
    jar,
    pictures: openPictureFolder(pictures),
    now: Date.now,
    fetch,
  });
  const sentHeaders: string[] = [];
  const http = createServer((request, response) => {
    answer(handle, request, response, sentHeaders).catch(() => response.destroy());
  });
  const url = `http://${await listen(http)}`;
  return {
    url,
    secrets,
    session: async () => (await jar.open(server)).header,
    sentHeaders,
    wakeUp: () => {
      const before = present;
      present = new AbortController();
      before.abort();
    },
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  sentHeaders: string[],
): Promise<void> {
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  // As Electron's, the request doesn't tell that the page has left: its answer's body is cancelled.
  const response = await serveScheme(handle, `${APP_ORIGIN}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers: incoming.headersDistinct as Record<string, never>,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream }),
  }).catch(() => undefined);
  if (!response) return void outgoing.destroy();
  for (const [name, value] of response.headers) sentHeaders.push(`${name}: ${value}`);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return void outgoing.end();
  await pump(response.body.getReader(), outgoing);
}

/**
 * Passes a body on, and cancels it when the page has left. By hand, so that a body that breaks off is a
 * rejection here and nowhere else.
 */
async function pump(
  body: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new Promise<void>((resolve) => outgoing.once('close', resolve));
  void left.then(() => body.cancel()).catch(() => undefined);
  for (;;) {
    const { done, value } = await body.read();
    if (done) break;
    if (!outgoing.write(value)) {
      await Promise.race([left, new Promise((resolve) => outgoing.once('drain', resolve))]);
    }
  }
  outgoing.end();
}
