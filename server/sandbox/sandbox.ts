import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { createServer, type Server } from 'node:http';
import { openAccounts } from './accounts.ts';
import { registerCards } from './cards.ts';
import { registerCdn } from './cdn.ts';
import type { SandboxContext, SandboxPart } from './context.ts';
import { registerControl } from './control/routes.ts';
import { createDemo, seedDemo } from './demo/demo.ts';
import { createFaults } from './faults.ts';
import { openFileStore } from './file-store.ts';
import { registerGraph } from './graph/routes.ts';
import { guard } from './guard.ts';
import { createImageUrls } from './image-urls.ts';
import { registerMail } from './mail.ts';
import { openMedia } from './media.ts';
import { registerProvider } from './provider.ts';
import { registerSite } from './site/routes.ts';
import { createPictureMaker, type PictureMaker } from './pictures/picture-maker.ts';
import { Refusal } from './refusal.ts';
import type { SandboxSettings } from './settings.ts';
import { SandboxStartError } from './start-error.ts';
import { sleep } from './sleep.ts';
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
export type SandboxNature = Pick<SandboxContext, 'now' | 'random'> &
  Partial<Pick<SandboxContext, 'sleep'>>;

/**
 * Starts the whole outside world on 127.0.0.1, in this process.
 * @throws SandboxStartError with one line that says what to do
 */
export async function createSandbox(
  settings: SandboxSettings,
  nature: SandboxNature = { now: Date.now, random: Math.random },
): Promise<Sandbox> {
  const state = openState(settings.statePath);
  const files = openFileStore(settings.statePath);
  const server = createServer();
  const parts: SandboxPart[] = [{ close: () => closeServer(server) }];
  const close = async (): Promise<void> => {
    for (const part of parts) await part.close?.();
    files.close();
    state.close();
  };
  try {
    const port = await listen(server, settings.port);
    const tools = { db: state.db, sleep, ...nature };
    const ctx: SandboxContext = {
      ...tools,
      accounts: openAccounts(tools),
      media: openMedia(tools),
      faults: createFaults(),
      stats: createCallStats(nature.now),
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
    parts.push(registerProvider(app, ctx), registerCards(app, ctx));
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
  const pictures = createPictureMaker(ctx.files);
  parts.push(
    pictures,
    registerGraph(app, ctx, imageUrls),
    registerCdn(app, ctx, imageUrls, pictures),
    registerControl(app, ctx),
    registerSite(app, ctx, pictures),
  );
  seedDemo(ctx);
  if (ctx.settings.isDemo) parts.unshift(runDemo(ctx, pictures));
}

function runDemo(ctx: SandboxContext, pictures: PictureMaker): SandboxPart {
  const stop = new AbortController();
  const running = createDemo(ctx).run(stop.signal, pictures);
  return {
    async close() {
      stop.abort();
      await pictures.close();
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
