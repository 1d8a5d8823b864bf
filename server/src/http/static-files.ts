import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { StartError } from '../start-error.ts';

interface Variant {
  encoding: 'br' | 'gzip' | undefined;
  bytes: Uint8Array<ArrayBuffer>;
}

interface StaticFile {
  type: string;
  etag: string;
  /** Best first; the last one is the file itself. */
  variants: Variant[];
  isHashed: boolean;
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.mjs', '.svg', '.txt']);
/** Smaller ones gain nothing that a packet would notice. */
const COMPRESS_FROM_BYTES = 1024;
/** The build writes files whose names hold a hash of their content here. */
const HASHED_FOLDER = '/assets/';
const NOT_PAGES = /^\/(user|proxy|provider|docs)(\/|$)/;
const INDEX = '/index.html';

/**
 * Serves the web build from memory: what its folder holds now is all that can ever be served, so no
 * path leads out of it. Pages of the app (paths without a file) get its index.
 *
 * @throws StartError when there is no build in the folder
 */
export function registerWebBuild(app: Hono, directory: string): void {
  if (!existsSync(join(directory, INDEX))) {
    throw new StartError(`There is no web build in ${directory}. Run "npm run build" first.`);
  }
  const files = loadFiles(directory);
  app.get('*', async (c, next) => {
    const path = c.req.path === '/' ? INDEX : c.req.path;
    const file = files.get(path) ?? (isPage(c) ? files.get(INDEX) : undefined);
    return file ? send(c, file) : next();
  });
}

function isPage(c: Context): boolean {
  const isNavigation = (c.req.header('accept') ?? '').includes('text/html');
  return isNavigation && !NOT_PAGES.test(c.req.path) && extname(c.req.path) === '';
}

function send(c: Context, file: StaticFile): Response {
  c.header('content-type', file.type);
  c.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  c.header('etag', file.etag);
  c.header('vary', 'Accept-Encoding');
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304);
  const accepted = acceptedEncodings(c.req.header('accept-encoding') ?? '');
  const variant = file.variants.find(({ encoding }) => !encoding || accepted.has(encoding));
  if (!variant) return c.body(null, 406);
  if (variant.encoding) c.header('content-encoding', variant.encoding);
  return c.body(variant.bytes);
}

/** The named encodings without the refused ones (`gzip;q=0`). */
function acceptedEncodings(header: string): Set<string> {
  const named = header.split(',').map((part) => part.trim().toLowerCase());
  return new Set(
    named.filter((part) => !/;\s*q=0(\.0*)?$/.test(part)).map((part) => part.split(';')[0] ?? ''),
  );
}

function loadFiles(directory: string): Map<string, StaticFile> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [`/${relative(directory, file).replaceAll(sep, '/')}`, file] as const)
      .map(([path, file]) => [path, loadFile(path, file)]),
  );
}

function loadFile(path: string, file: string): StaticFile {
  const bytes = new Uint8Array(readFileSync(file));
  const extension = extname(path);
  const isSmall = bytes.byteLength < COMPRESS_FROM_BYTES;
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    variants: isSmall || !COMPRESSED.has(extension) ? [plain(bytes)] : compress(bytes),
    isHashed: path.startsWith(HASHED_FOLDER),
  };
}

function plain(bytes: Uint8Array<ArrayBuffer>): Variant {
  return { encoding: undefined, bytes };
}

/** Not brotli's best quality, because this is done at every start. */
function compress(bytes: Uint8Array<ArrayBuffer>): Variant[] {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  return [
    { encoding: 'br', bytes: new Uint8Array(brotliCompressSync(bytes, quality)) },
    { encoding: 'gzip', bytes: new Uint8Array(gzipSync(bytes)) },
    plain(bytes),
  ];
}
