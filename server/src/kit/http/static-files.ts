import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { NOT_PAGES, RENDERED_PAGES } from '#shared/domain/page-paths.ts';
import { StartError } from '../start-error.ts';

interface Variant {
  encoding: 'br' | 'gzip' | undefined;
  bytes: () => Promise<Uint8Array<ArrayBuffer>>;
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
const INDEX = '/index.html';

/**
 * Serves the web build from memory: what its folder holds now is all that can ever be served, so no
 * path leads out of it. Rendered pages get the facts that only the running product knows; pages of
 * the app (paths without a file) get its index.
 *
 * @throws StartError when there is no build in the folder
 */
export function registerWebBuild(app: Hono, directory: string, facts?: PageFacts): void {
  if (!existsSync(join(directory, INDEX))) {
    throw new StartError(`There is no web build in ${directory}. Run "npm run build" first.`);
  }
  const files = loadFiles(directory);
  const pages = facts ? loadPages(directory, files, facts) : undefined;
  app.get('*', async (c, next) => {
    const path = RENDERED_PAGES[c.req.path] ?? c.req.path;
    const page = await pages?.get(path)?.();
    const file = page ?? files.get(path) ?? (isPage(c) ? files.get(INDEX) : undefined);
    return file ? send(c, file) : next();
  });
}

/** The rendered pages there are, each filled in anew only when the facts have changed. */
function loadPages(
  directory: string,
  files: ReadonlyMap<string, StaticFile>,
  facts: PageFacts,
): Map<string, () => Promise<StaticFile>> {
  const names = Object.values(RENDERED_PAGES).filter((name) => files.has(name));
  return new Map(
    names.map((name) => {
      const html = readFileSync(join(directory, name), 'utf8');
      let last: { sentence: string; file: StaticFile } | undefined;
      const filled = async (): Promise<StaticFile> => {
        const sentence = await facts.deliverySentence();
        if (last?.sentence === sentence) return last.file;
        const bytes = new TextEncoder().encode(fillPage(html, facts, sentence));
        last = { sentence, file: staticFile('.html', bytes, false) };
        return last.file;
      };
      return [name, filled];
    }),
  );
}

function isPage(c: Context): boolean {
  const isNavigation = (c.req.header('accept') ?? '').includes('text/html');
  return isNavigation && !NOT_PAGES.test(c.req.path) && extname(c.req.path) === '';
}

async function send(c: Context, file: StaticFile): Promise<Response> {
  c.header('content-type', file.type);
  c.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  c.header('etag', file.etag);
  c.header('vary', 'Accept-Encoding');
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304);
  const accepted = acceptedEncodings(c.req.header('accept-encoding') ?? '');
  const variant = file.variants.find(({ encoding }) => !encoding || accepted.has(encoding));
  if (!variant) return c.body(null, 406);
  if (variant.encoding) c.header('content-encoding', variant.encoding);
  return c.body(await variant.bytes());
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
  return staticFile(extname(path), bytes, path.startsWith(HASHED_FOLDER));
}

function staticFile(
  extension: string,
  bytes: Uint8Array<ArrayBuffer>,
  isHashed: boolean,
): StaticFile {
  const isSmall = bytes.byteLength < COMPRESS_FROM_BYTES;
  return {
    type: TYPES[extension] ?? 'application/octet-stream',
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    variants: isSmall || !COMPRESSED.has(extension) ? [plain(bytes)] : compress(bytes),
    isHashed,
  };
}

function plain(bytes: Uint8Array<ArrayBuffer>): Variant {
  return { encoding: undefined, bytes: async () => bytes };
}

/**
 * Each is made beside the requests when it is asked for first, and kept: all of them at once would
 * make every start seconds of computing longer (measured), most of it for files nobody asks for.
 */
function compress(bytes: Uint8Array<ArrayBuffer>): Variant[] {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  return [
    { encoding: 'br', bytes: once(() => promisify(brotliCompress)(bytes, quality)) },
    { encoding: 'gzip', bytes: once(() => promisify(gzip)(bytes)) },
    plain(bytes),
  ];
}

function once(pack: () => Promise<Uint8Array>): Variant['bytes'] {
  let packed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return () => {
    packed ??= pack().then((bytes) => new Uint8Array(bytes));
    return packed;
  };
}

/** What only the running product can say on its rendered pages. */
interface PageFacts {
  /** Origin of the product as customers see it. */
  publicUrl: string;
  /** Who runs the product. */
  operatorSentence: string;
  /** One sentence about delivery times; never rejects. */
  deliverySentence(): Promise<string>;
}

/** Stands in rendered pages for the origin of the product. */
const ORIGIN = '%PUBLIC_URL%';
/** The elements whose text is the delivery sentence. */
const DELIVERY = /(<[a-z]+ [^>]*data-delivery-promise[^>]*>)[^<]*(<)/g;
/** The elements that name who runs the product. */
const OPERATOR = /(<[a-z]+ [^>]*data-operator[^>]*>)[^<]*(<)/g;

/** Puts the facts into a page as the build has rendered it. */
function fillPage(
  html: string,
  facts: Omit<PageFacts, 'deliverySentence'>,
  deliverySentence: string,
): string {
  const says =
    (sentence: string) =>
    (_all: string, start: string, end: string): string =>
      `${start}${escapeHtml(sentence)}${end}`;
  return html
    .replaceAll(ORIGIN, escapeHtml(facts.publicUrl))
    .replaceAll(OPERATOR, says(facts.operatorSentence))
    .replaceAll(DELIVERY, says(deliverySentence));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
