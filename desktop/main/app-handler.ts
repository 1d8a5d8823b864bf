import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Privileges } from 'electron';
import { login, register } from '#shared/contract/people/user.ts';
import { contentPolicy } from '#shared/domain/words/content-policy.ts';
import { createPictureCache, type PictureStorage } from '#shared/pictures/picture-cache.ts';
import type { SessionJar } from './session.ts';

/** The one origin of the window. Its host means nothing outside this app. */
export const APP_SCHEME = 'app';
export const APP_HOST = 'ovation';
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/**
 * What the window's own scheme may do: as https, no more. IndexedDB, workers, locks and channels need
 * `standard` and `secure`; calls and streams `supportFetchAPI` and `stream`; `codeCache` spares a start the
 * compiling. There is no service worker: the files come from the bundle, and pictures are kept by the
 * handler (`picture-folder.ts`).
 */
export const SCHEME_PRIVILEGES = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  codeCache: true,
  bypassCSP: false,
  allowServiceWorkers: false,
  corsEnabled: false,
  allowExtensions: false,
} as const satisfies Privileges;

interface RendererFile {
  body: Uint8Array<ArrayBuffer>;
  mediaType: string;
}

interface AppHandlerDeps {
  /** A file of the built renderer by its path below the root ("assets/x.js"), if there is one. */
  readFile(path: string): Promise<RendererFile | undefined>;
  /** Origin of the configured server; undefined until one is chosen. */
  server(): string | undefined;
  jar: SessionJar;
  /** Where pictures are kept for when the server is away. */
  pictures: PictureStorage;
  /** Milliseconds since the epoch. */
  now: () => number;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** What is open at the server ends when this does: the computer slept, and those connections are dead. */
  awake?: () => AbortSignal;
  /** Acts after a while; returns how to let it be. */
  later?: (delayMs: number, act: () => void) => () => void;
}

/**
 * Electron tells of a window that left only by cancelling the body of its answer: a call that never gets
 * one ends by itself. The slowest, a checkout whose duplicate is under way, is answered within half a minute.
 */
const UNANSWERED_MS = 90_000;

/** What the renderer may say to the server; its Cookie, Origin and Sec-Fetch headers stay behind. */
const REQUEST_HEADERS = [
  'accept',
  'accept-language',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
] as const;

/** What the renderer may learn of an answer: no cookie, nothing about the connection. */
const RESPONSE_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-type',
  'date',
  'etag',
  'retry-after',
  'x-request-id',
] as const;

const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const FILE_HEADERS = {
  'content-security-policy': contentPolicy({ way: 'form' }),
  ...SAFE_HEADERS,
};
/** What comes from the server is data: shown as a page it may do nothing, whatever it contains. */
const DATA_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  ...SAFE_HEADERS,
};

/** No dots to climb with, nothing written in another way: what is checked is what the server gets. */
const CARRIED_PATH = /^\/(?:user|proxy)(?:\/[\w~@:-][\w.~@:-]*)+$/;

/** Whether a path of the window belongs to the server; all others are the window's own. */
export function isServerPath(pathname: string): boolean {
  return /^[/\\]+(?:user|proxy)[/\\]/.test(pathname);
}

/**
 * Answers every request of the window: files of the renderer, and the calls `/user/**` and `/proxy/**`
 * of the configured server with the session added here. Nothing else is reachable.
 */
export function createAppHandler(deps: AppHandlerDeps): (request: Request) => Promise<Response> {
  const answerPicture = createPictureCache({
    storage: deps.pictures,
    now: deps.now,
    fetch: async (request) => {
      const answer = await forward(deps, request, new URL(request.url));
      if (answer.type === 'error') throw new TypeError('We couldn’t reach the server');
      return answer;
    },
  });
  return async (request) => {
    const url = new URL(request.url);
    if (url.protocol !== `${APP_SCHEME}:` || url.host !== APP_HOST) return refuse(403);
    if (!isServerPath(url.pathname)) return serveFile(deps, request, url);
    const isPicture = url.pathname.startsWith('/proxy/') && request.method === 'GET';
    if (!isPicture) return asData(await forward(deps, request, url));
    return asData(await answerPicture(request).catch(() => Response.error()));
  };
}

/** The same answer, which no page can be made of. */
function asData(answer: Response): Response {
  if (answer.type === 'error') return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(DATA_HEADERS)) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}

async function serveFile(deps: AppHandlerDeps, request: Request, url: URL): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const path = url.pathname.slice(1);
  const isRoute = !path.includes('.');
  const file = await deps.readFile(isRoute ? 'index.html' : path);
  if (!file) return refuse(404);
  return new Response(request.method === 'HEAD' ? null : file.body, {
    headers: { ...FILE_HEADERS, 'content-type': file.mediaType },
  });
}

async function forward(deps: AppHandlerDeps, request: Request, url: URL): Promise<Response> {
  const server = deps.server();
  // As without network: the UI then works from the replica.
  if (server === undefined) return Response.error();
  const target = addressOn(server, url);
  if (!target) return refuse(404);
  try {
    // The keyring may wait for a password that nobody gives: then it is as without network.
    const session = await withinWait(deps, () => deps.jar.open(server));
    const headers = pick(request.headers, REQUEST_HEADERS);
    headers.set('origin', server);
    if (session.header !== undefined) headers.set('cookie', session.header);
    const init = {
      method: request.method,
      headers,
      body: request.body,
      redirect: 'manual' as const,
      ...(request.body && { duplex: 'half' }),
    };
    const answer = await withinWait(deps, (waited) => {
      const awake = deps.awake ? [deps.awake()] : [];
      const signal = AbortSignal.any([request.signal, waited, ...awake]);
      return deps.fetch(target.href, { ...init, signal });
    });
    // Another server was chosen meanwhile: this answer is nobody's any more.
    if (deps.server() !== server) return Response.error();
    // A server that sends elsewhere would get the session's cookie there.
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) return refuse(502);
    session.take(answer.headers.getSetCookie());
    // A disk that fails doesn't undo a log-in; the folder shows none before they are gone.
    if (isOtherPerson(answer, url)) await deps.pictures.clear().catch(() => undefined);
    return new Response(isBodiless(answer.status) ? null : answer.body, {
      status: answer.status,
      headers: pick(answer.headers, RESPONSE_HEADERS),
    });
  } catch {
    return Response.error();
  }
}

/** Fails when nothing is answered for too long; an answer that has begun may take any time. */
async function withinWait<Answer>(
  deps: AppHandlerDeps,
  ask: (waited: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const waited = new AbortController();
  const tooLong = Promise.withResolvers<never>();
  const letBe = (deps.later ?? setLater)(UNANSWERED_MS, () => {
    waited.abort();
    tooLong.reject(new Error('Nothing was answered'));
  });
  try {
    return await Promise.race([ask(waited.signal), tooLong.promise]);
  } finally {
    letBe();
  }
}

function setLater(delayMs: number, act: () => void): () => void {
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

/** The address as the server will read it, if that still is a call or a picture of this server. */
function addressOn(server: string, { pathname, search }: URL): URL | undefined {
  if (!URL.canParse(`${pathname}${search}`, server)) return undefined;
  const target = new URL(`${pathname}${search}`, server);
  return target.origin === server && CARRIED_PATH.test(target.pathname) ? target : undefined;
}

/** After a log-out, and when somebody logs in, no picture of whoever was here stays. */
function isOtherPerson(answer: Response, { pathname }: URL): boolean {
  const isWiped = answer.headers.get('clear-site-data')?.includes('"cache"') ?? false;
  return isWiped || (answer.ok && (pathname === login.path || pathname === register.path));
}

function pick(headers: Headers, names: readonly string[]): Headers {
  const picked = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) picked.set(name, value);
  }
  return picked;
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: FILE_HEADERS });
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Reads the built renderer. Only files that were there when the app started can be asked for, by
 * exactly their name: a path that leads out of the folder is no name.
 */
export async function openRendererFiles(
  root: string,
): Promise<(path: string) => Promise<RendererFile | undefined>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
  );
  return async (path) => {
    const mediaType = MEDIA_TYPES[extname(path)];
    if (!names.has(path) || mediaType === undefined) return undefined;
    return { body: new Uint8Array(await readFile(join(root, path))), mediaType };
  };
}
