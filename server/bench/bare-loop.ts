import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { createGraphClient } from '#server/adapters/graph/graph-client.ts';
import { exchange } from '#server/adapters/http/exchange.ts';
import type { NetworkName } from './polled-accounts.ts';

export const BUCKET = '17841400000000001';
export const TOKEN = 'sandbox-token';
const NAME = 'somebody';
const TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

/** How a bare loop calls: as undici's `request()` reads a body, or as cheaply as the product's client. */
export type BareCall = (path: string) => Promise<number>;

export interface BareLoop {
  /** Makes the call of one poll for each account, `concurrency` of them at a time. */
  run(
    names: readonly NetworkName[],
    how: 'request' | 'dispatch',
    concurrency: number,
  ): Promise<void>;
  close(): Promise<void>;
}

/** A loop that makes a poll's HTTP calls and reads their bodies, and does nothing else. */
export async function openBareLoop(
  url: string,
  concurrency: number,
  posts: number,
): Promise<BareLoop> {
  const template = await capturePath(posts);
  const pool = new Pool(url, { connections: concurrency, allowH2: false });
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/json' };
  const calls: Record<'request' | 'dispatch', BareCall> = {
    request: async (path) => {
      const answer = await pool.request({ method: 'GET', path, headers });
      return (await answer.body.text()).length;
    },
    dispatch: async (path) => {
      const answer = await exchange(pool, {
        method: 'GET',
        path,
        headers,
        timeoutMs: TIMEOUT_MS,
        maxBytes: ANSWER_MAX_BYTES,
      });
      return answer.kind === 'answered' ? answer.body.toString('utf8').length : 0;
    },
  };
  return {
    async run(names, how, lanes) {
      const rest = names.values();
      const lane = async (): Promise<void> => {
        for (const { username } of rest) {
          const length = await calls[how](`/graph${template.replace(NAME, username)}`);
          if (length === 0) throw new Error(`no answer for ${username}`);
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
    },
    close: () => pool.close(),
  };
}

/** The path the product's client asks with for one poll, from the client itself. */
async function capturePath(posts: number): Promise<string> {
  const { promise: path, resolve } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    resolve(request.url ?? '');
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createGraphClient({
    graphUrl: `http://127.0.0.1:${port}`,
    tokens: [{ igUserId: BUCKET, token: TOKEN }],
    now: Date.now,
  });
  await client.readAccount({ bucketId: BUCKET, username: NAME, limit: posts });
  await client.close();
  server.close();
  return path;
}
