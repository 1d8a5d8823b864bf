/**
 * What Electron does between Chromium and a handler of `protocol.handle` (its lib/browser/api/protocol.ts and
 * NodeStreamLoader): the request has no signal that ever fires, the answer's body becomes a Node stream which
 * is read on demand, and a page that leaves destroys that stream, which cancels the body.
 */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

type Handler = (request: Request) => Promise<Response>;

/** Asks as Chromium's loader does; fails as a page's `fetch` where the handler answers with an error. */
export async function serveScheme(
  handler: Handler,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const { signal, body, ...rest } = init;
  const streamed =
    body === undefined || body === null ? {} : { body: streamOf(body), duplex: 'half' };
  const answer = await handler(new Request(url, { ...rest, ...streamed }));
  if (!(answer instanceof Response) || answer.type === 'error') {
    throw new TypeError('net::ERR_FAILED');
  }
  const { status, headers } = answer;
  if (!answer.body) return new Response(null, { status, headers });
  const stream = Readable.fromWeb(answer.body as ReadableStream);
  const loaded = loadStream(stream);
  signal?.addEventListener('abort', () => stream.destroy(), { once: true });
  return new Response(loaded, { status, headers });
}

/** An upload reaches the handler as a stream, whatever the page gave. */
function streamOf(body: BodyInit): BodyInit | null {
  return new Response(body).body;
}

/** As NodeStreamLoader reads: one `read()` for each `readable`, until `end` or `error`. */
function loadStream(stream: Readable): globalThis.ReadableStream<Uint8Array> {
  return new globalThis.ReadableStream<Uint8Array>({
    start: (page) => {
      stream.on('end', () => page.close());
      stream.on('error', () => page.error(new TypeError('net::ERR_FAILED')));
      stream.on('readable', () => {
        const chunk: Uint8Array | null = stream.read();
        if (chunk) page.enqueue(chunk);
      });
    },
    cancel: () => void stream.destroy(),
  });
}
