import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openAccounts } from './accounts.ts';
import { registerCards } from './cards.ts';
import { registerCdn, createImageUrls } from './cdn.ts';
import type { SandboxContext, SandboxPart } from './context.ts';
import { registerControl } from './control/routes.ts';
import { createDemo, seedDemo } from './demo/demo.ts';
import { createFaults } from './faults.ts';
import { openFileStore } from './files.ts';
import { registerGraph } from './graph/routes.ts';
import { registerMail } from './mail.ts';
import { openMedia } from './media.ts';
import { openPictures } from './pictures.ts';
import { registerProvider } from './provider.ts';
import { Refusal } from './refusal.ts';
import { type SandboxSettings, SandboxStartError } from './settings.ts';
import { registerSite } from './site/routes.ts';
import { openState } from './state.ts';
import { createCallStats } from './stats.ts';
import { UPLOAD_MAX_BYTES } from './upload.ts';

export interface Sandbox {
  port: number;
  smtpPort: number;
  /** `http://127.0.0.1:<port>`: the network's page; `/graph`, `/control`, `/mail` hang below it. */
  url: string;
  smtpUrl: string;
  close(): Promise<void>;
}

/** Time and chance; tests pass their own. */
type SandboxDeps = Pick<SandboxContext, 'now' | 'random'> & Partial<Pick<SandboxContext, 'sleep'>>;

/**
 * Starts the whole outside world on 127.0.0.1, in this process.
 * @throws SandboxStartError with one line that says what to do
 */
export async function createSandbox(
  settings: SandboxSettings,
  deps: SandboxDeps = { now: Date.now, random: Math.random },
): Promise<Sandbox> {
  const state = openState(settings.statePath);
  const files = openFileStore(settings.statePath);
  const server = createServer();
  const parts: SandboxPart[] = [{ close: () => closeServer(server) }];
  const close = async (): Promise<void> => {
    for (const part of parts) await part.close();
    files.close();
    state.close();
  };
  try {
    const port = await listen(server, settings.port);
    const tools = { db: state.db, sleep, ...deps };
    const ctx: SandboxContext = {
      ...tools,
      accounts: openAccounts(tools),
      media: openMedia(tools),
      faults: createFaults(),
      stats: createCallStats(deps.now),
      settings,
      files,
      onAccountChanged: state.onAccountChanged,
      url: `http://127.0.0.1:${port}`,
    };
    const app = new Hono();
    app.use(guard(port));
    app.use(limitBody);
    app.onError(answerError);
    registerNetwork(app, ctx, parts);
    parts.push(registerCards(app, ctx));
    parts.push(registerProvider(app, ctx));
    const mail = await registerMail(app, ctx);
    parts.push(mail);
    const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
    server.on('request', (request, response) => void answer(request, response));
    const { smtpPort } = mail;
    return { port, smtpPort, url: ctx.url, smtpUrl: `smtp://127.0.0.1:${smtpPort}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The largest upload and the form around it. */
const BODY_MAX_BYTES = UPLOAD_MAX_BYTES + 64 * 1024;

/**
 * A declared length is kept by Node; a body without one is read here, as far as it may go. Hono's own limit
 * can't rebuild requests of the Node adapter.
 */
const limitBody: MiddlewareHandler = async (c, next) => {
  const declared = c.req.header('content-length');
  if (Number(declared ?? 0) > BODY_MAX_BYTES) throw bodyTooLarge();
  if (declared === undefined && c.req.header('transfer-encoding') !== undefined) {
    const { method, headers, body } = c.req.raw;
    c.req.raw = new Request(c.req.url, { method, headers, body: await readWhole(body) });
  }
  await next();
};

async function readWhole(body: Request['body']): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_MAX_BYTES) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const bodyTooLarge = (): Refusal => new Refusal('file_size', 'The file is larger than 32 MB.');

/** The social network: its API, image host, page and control calls. */
function registerNetwork(app: Hono, ctx: SandboxContext, parts: SandboxPart[]): void {
  const imageUrls = createImageUrls(ctx.db);
  const pictures = openPictures(ctx.files);
  parts.push(pictures);
  registerGraph(app, ctx, imageUrls);
  registerCdn(app, ctx, imageUrls, pictures);
  registerControl(app, ctx);
  registerSite(app, ctx, pictures);
  seedDemo(ctx);
  if (ctx.settings.isDemo) parts.unshift(runDemo(ctx));
}

function runDemo(ctx: SandboxContext): SandboxPart {
  const stop = new AbortController();
  const running = createDemo(ctx).run(stop.signal);
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

function answerError(error: Error): Response {
  if (error instanceof Refusal) {
    return Response.json(
      { error: { code: error.code, message: error.message } },
      { status: error.status },
    );
  }
  process.stderr.write(`sandbox: ${error.stack ?? error.message}\n`);
  return Response.json(
    { error: { code: 'internal', message: 'The sandbox failed.' } },
    { status: 500 },
  );
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', (cause) => {
    const message = `Port ${port} on 127.0.0.1 can’t be used: stop what uses it, or set SANDBOX_PORT to another one.`;
    reject(new SandboxStartError('port', message, { cause }));
  });
  server.listen(port, '127.0.0.1', () => {
    const address = server.address();
    resolve(typeof address === 'object' && address ? address.port : port);
  });
  return promise;
}

function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!server.listening) resolve();
  else server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}

/** Waits by the machine's clock, without keeping the process; ends early when aborted. */
async function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(delayMs, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Lets only this machine's own pages and programs in (D10): a `Host` that isn't ours stops rebound
 * names, an `Origin` that isn't ours stops other pages. Without `Origin` a browser shows itself by
 * `Sec-Fetch-Site`; links from elsewhere may open pages, nothing more.
 */
function guard(port: number): MiddlewareHandler {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  return async (c, next) => {
    if (!hosts.has(c.req.header('host') ?? '')) {
      return c.text(`This is a local sandbox: open http://127.0.0.1:${port}`, 403);
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && !origins.has(origin)) return c.text('Foreign origin refused', 403);
    const site = c.req.header('sec-fetch-site');
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!isRead && site !== undefined && site !== 'same-origin' && site !== 'none') {
      return c.text('Foreign page refused', 403);
    }
    await next();
    return undefined;
  };
}
