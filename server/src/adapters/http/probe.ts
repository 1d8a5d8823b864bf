import { Pool } from 'undici';
import { exchange } from './exchange.ts';

/** One answer of any address; a redirect is an answer too. */
export type ProbeAnswer =
  | { kind: 'answered'; status: number; headers: Headers; text: string }
  | { kind: 'failed'; reason: string };

const MAX_BYTES = 4 * 1024 * 1024;

/** Asks one address once, over a connection of its own, for an operator who checks an installation. */
export async function probe(
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
    timeoutMs = 10_000,
  }: {
    method?: 'GET' | 'POST';
    headers?: Record<string, string>;
    body?: string;
    timeoutMs?: number;
  } = {},
): Promise<ProbeAnswer> {
  const { origin, pathname, search } = new URL(address);
  const pool = new Pool(origin, { allowH2: false });
  const answer = await exchange(pool, {
    method,
    path: pathname + search,
    headers,
    ...(body !== undefined && { body }),
    timeoutMs,
    maxBytes: MAX_BYTES,
  });
  await pool.destroy();
  if (answer.kind === 'failed') return answer;
  const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const { status } = answer;
  return { kind: 'answered', status, headers: new Headers(told), text: answer.body.toString() };
}
