import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
  createReadStream,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';

/** Files of the network (uploads, pictures asked for), by key such as `upload/x.jpg`. */
export interface FileStore {
  /** Absolute path of a key, whether or not the file exists. @throws on a key that leaves the folder. */
  path(key: string): string;
  has(key: string): boolean;
  /** Writes whole or not at all. */
  put(key: string, bytes: Uint8Array): void;
  remove(key: string): void;
  /** Deletes the folder when the state lived in memory only. */
  close(): void;
}

const KEY = /^[a-z0-9-]+\/[A-Za-z0-9_-]+(\.[a-z0-9]+)?$/;

/** Opens the folder beside the state file (`x.db` -> `x-files`), or a passing one for ':memory:'. */
export function openFileStore(statePath: string): FileStore {
  const isPassing = statePath === ':memory:';
  const folder = isPassing
    ? mkdtempSync(join(tmpdir(), 'sandbox-'))
    : join(dirname(statePath), `${basename(statePath).replace(/\.[a-z]+$/, '')}-files`);
  // An earlier version let every user of the machine into it.
  if (!isPassing && existsSync(folder)) chmodSync(folder, 0o700);
  const path = (key: string): string => {
    if (!KEY.test(key)) throw new RangeError(`not a file key: ${key}`);
    return join(folder, key);
  };
  return {
    path,
    has: (key) => existsSync(path(key)),
    put(key, bytes) {
      const target = path(key);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(`${target}.part`, bytes);
      renameSync(`${target}.part`, target);
    },
    remove: (key) => rmSync(path(key), { force: true }),
    close() {
      if (isPassing) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  webm: 'video/webm',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};

/** Answers a file, or the one byte range asked for (videos are sought in by ranges). */
export async function sendFile(
  path: string,
  range: string | undefined,
  cacheControl: string,
): Promise<Response> {
  const { size } = await stat(path);
  const headers: Record<string, string> = {
    'content-type': TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    'cache-control': cacheControl,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  };
  const part = range === undefined ? undefined : readRange(range, size);
  if (part === 'bad') {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } });
  }
  const { start, end } = part ?? { start: 0, end: size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (part) headers['content-range'] = `bytes ${start}-${end}/${size}`;
  const body = Readable.toWeb(createReadStream(path, { start, end: Math.max(0, end) }));
  return new Response(body as ReadableStream, { status: part ? 206 : 200, headers });
}

/** Undefined for what we don't serve in parts (several ranges): then the whole file is answered. */
function readRange(text: string, size: number): { start: number; end: number } | 'bad' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(text);
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const isSuffix = match[1] === '';
  const start = isSuffix ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = isSuffix || match[2] === '' ? size - 1 : Math.min(size - 1, Number(match[2]));
  return start > end || start >= size ? 'bad' : { start, end };
}
