import { Readable, type Transform } from 'node:stream';
import {
  constants,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
  type Gzip,
} from 'node:zlib';
import type { Context } from 'hono';

const WORTH_PACKING_CHARACTERS = 2048;
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

type Packing = 'zstd' | 'gzip' | undefined;

function packingOf(c: Context): Packing {
  const accepted = (c.req.header('accept-encoding') ?? '').toLowerCase();
  if (/\bzstd\b/.test(accepted)) return 'zstd';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}

/** A JSON text, compressed where the client takes it: the quickest level, most of the gain. */
export function packed(c: Context, json: string): Response {
  c.header('content-type', 'application/json');
  c.header('vary', 'accept-encoding');
  const packing = json.length < WORTH_PACKING_CHARACTERS ? undefined : packingOf(c);
  if (packing === undefined) return c.body(json);
  c.header('content-encoding', packing);
  const bytes = packing === 'zstd' ? zstdCompressSync(json, ZSTD) : gzipSync(json, { level: 1 });
  return c.body(new Uint8Array(bytes));
}

/** Lines as they are made; each can be read as soon as it has arrived. */
export function packedLines(c: Context, lines: AsyncGenerator<string>): Response {
  c.header('content-type', 'application/x-ndjson');
  c.header('vary', 'accept-encoding');
  const packing = packingOf(c);
  if (packing === undefined) return c.body(webStream(Readable.from(bytesOf(lines))));
  c.header('content-encoding', packing);
  const packer: Transform & Pick<Gzip, 'flush'> =
    packing === 'zstd' ? createZstdCompress(ZSTD) : createGzip({ level: 1 });
  void feed(packer, lines);
  return c.body(webStream(packer));
}

async function feed(
  packer: Transform & Pick<Gzip, 'flush'>,
  lines: AsyncGenerator<string>,
): Promise<void> {
  try {
    for await (const text of lines) {
      if (packer.destroyed) return;
      packer.write(text);
      await new Promise<void>((resolve) => {
        packer.once('close', resolve);
        packer.flush(() => {
          packer.off('close', resolve);
          resolve();
        });
      });
    }
    packer.end();
  } catch (error) {
    // Broken off, without its last line: the client asks for the rest.
    packer.destroy(error instanceof Error ? error : undefined);
  }
}

async function* bytesOf(lines: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  for await (const text of lines) yield Buffer.from(text);
}

function webStream(source: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(source) as ReadableStream<Uint8Array>;
}
