import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { keptUntilChanged } from '#test/kept-until-changed.ts';
import { APP_ORIGIN, createAppHandler, openRendererFiles } from '../main/app-handler.ts';
import { serveScheme } from '../testing/fake-protocol.ts';
import { openPictureFolder } from '../main/picture-folder.ts';
import { createSessionJar, type Vault } from '../main/session.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Builds main, preload and renderer as for a package. */
export async function buildDesktop(): Promise<void> {
  await build();
}

async function build(args: string[] = [], env: Record<string, string> = {}): Promise<void> {
  const cli = join(ROOT, 'node_modules/electron-vite/bin/electron-vite.js');
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  await promisify(execFile)(process.execPath, [cli, 'build', ...args], options);
}

const RENDERER = [
  'web/{src,public}/**/*.*',
  'shared/**/*.ts',
  'desktop/renderer/*.*',
  '{desktop/ipc,electron.vite.config}.ts',
];

/** The renderer alone, in a folder that nobody builds into while it is served. */
function builtRenderer(): Promise<string> {
  const config = join(ROOT, 'desktop/testing/renderer-only.vite.config.ts');
  return keptUntilChanged('desktop-renderer', RENDERER, (path) =>
    build(['-c', config], { RENDERER_OUT: path }),
  );
}

/** What the check says of what was built; fails when it found a problem. */
export async function checkDesktop(): Promise<string> {
  const check = join(ROOT, 'desktop/check/check-desktop.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [check], { cwd: ROOT });
  return stdout;
}

export interface BundleServer {
  url: string;
  /** What the keyring holds. */
  vault: { text: string | undefined };
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
  const kept: { text: string | undefined } = { text: undefined };
  const vault: Vault = {
    canKeep: async () => true,
    read: async () => kept.text,
    write: async (text) => void (kept.text = text),
    clear: async () => void (kept.text = undefined),
  };
  const pictures = await mkdtemp(join(tmpdir(), 'ovation-pictures-'));
  const jar = createSessionJar(vault, Date.now, () => undefined);
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
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is never a path.
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    vault: kept,
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
      await rm(pictures, { recursive: true, force: true });
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
