import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Spoil } from './scenarios.ts';

/** Closes the connection without an answer. */
export function hangUp({ outgoing }: HttpBindings): Response {
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** An answer no client can use: half a body, a web page, or a bare server error. */
export function spoiltAnswer(
  node: HttpBindings,
  spoil: { kind: Spoil; status: number },
  body: string,
): Response {
  if (spoil.kind === 'hang_up') return hangUp(node);
  if (spoil.kind === 'cut_short') return cutShort(node, body);
  if (spoil.kind === 'server_error') {
    return new Response('upstream connect error', { status: spoil.status });
  }
  return new Response('<!doctype html><title>Sorry, something went wrong.</title><h1>Sorry</h1>', {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

function cutShort({ outgoing }: HttpBindings, body: string): Response {
  const bytes = Buffer.from(body);
  outgoing.writeHead(200, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': bytes.length,
  });
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}
