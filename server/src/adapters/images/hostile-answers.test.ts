import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { createHttpImageSource } from './http-image-source.ts';
import type { ImageSource } from './image-source.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);

/** A host that answers with these bytes, whatever it is asked. */
async function openRaw(answer: Buffer): Promise<{ url: string; source: ImageSource }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const source = createHttpImageSource({
    hosts: [`127.0.0.1:${port}`],
    timeoutMs: 300,
    maxBytes: 1000,
  });
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  closers.push(close, () => source.close());
  return { url: `http://127.0.0.1:${port}/1.jpg`, source };
}

const head = (...lines: string[]) => `HTTP/1.1 ${lines.join('\r\n')}\r\n\r\n`;
const bomb = gzipSync(Buffer.concat([JPEG, Buffer.alloc(20_000_000)]), { level: 1 });

test.for<[string, string | Buffer]>([
  ['no HTTP at all', 'GET me if you can'],
  ['HTTP of before there were headers', '<html>'],
  ['endless headers', head('200 OK', ...Array.from({ length: 5000 }, (_, at) => `x-${at}: y`))],
  ['one enormous header', head('200 OK', `x: ${'y'.repeat(200_000)}`)],
  ['early hints without end', head('103 Early Hints', 'link: </x>').repeat(3000)],
  [
    'another protocol',
    head('101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'),
  ],
  ['two lengths', `${head('200 OK', 'content-length: 8', 'content-length: 9')}x`],
  ['a length and chunks', head('200 OK', 'content-length: 8', 'transfer-encoding: chunked')],
  ['a negative length', head('200 OK', 'content-length: -1')],
  ['a length that says it is short', head('200 OK', 'content-length: 99999999999')],
  ['a broken chunk', `${head('200 OK', 'transfer-encoding: chunked')}ffffffffffffffffff\r\nx`],
  ['a packed bomb', Buffer.concat([Buffer.from(head('200 OK', 'content-encoding: gzip')), bomb])],
])('a host that answers with %s breaks nothing and gives no picture', async ([, answer]) => {
  const { url, source } = await openRaw(Buffer.from(answer));
  expect((await source.fetchImage(url)).kind).not.toBe('image');
});
