import * as v from 'valibot';
import { expect } from 'vitest';
import { PULL_PATH, PullAnswer } from '#shared/sync/pull.ts';
import { SNAPSHOT_PATH, SnapshotChunk, SnapshotEnd, SnapshotHead } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import type { ApiClient } from './api-client.ts';
import { syncPath } from './sync-server.ts';

export const CLIENT_ID = '01890000-0000-7000-8000-00000000c11e';

/** Posts JSON in the name of a signed-in client. */
export function postJson(client: ApiClient, path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return client.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** One pull from these versions. */
export async function pullFrom(
  client: ApiClient,
  epoch: string | null,
  cursors: Record<string, number>,
): Promise<PullAnswer> {
  const at = Object.fromEntries(
    Object.entries(cursors).map(([scope, version]) => [scope, { v: version }]),
  );
  const body = { epoch, clientId: CLIENT_ID, cursors: at };
  const response = await postJson(client, syncPath(PULL_PATH), body);
  expect(response.status).toBe(200);
  return v.parse(PullAnswer, await response.json());
}

/** A whole snapshot of a scope. */
export async function readSnapshot(
  client: ApiClient,
  scope: string,
): Promise<{ head: SnapshotHead; chunks: SnapshotChunk[] }> {
  const text = await (await client.send(syncPath(SNAPSHOT_PATH, { scope }))).text();
  const [head, ...rest] = text.trim().split('\n');
  const lines = rest.map((line) => JSON.parse(line) as object);
  v.parse(SnapshotEnd, lines.at(-1));
  return {
    head: v.parse(SnapshotHead, JSON.parse(head ?? '')),
    chunks: lines.slice(0, -1).map((line) => v.parse(SnapshotChunk, line)),
  };
}

export interface ReadStream {
  /** The next event as it was sent; undefined once the stream has ended. */
  next(): Promise<string | undefined>;
  /** Reads until an event says this. */
  until(part: string): Promise<string>;
  close(): Promise<void>;
}

/** The events of a stream, one at a time. */
export function readEvents(body: ReadableStream<Uint8Array>): ReadStream {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const end = rest.indexOf('\n\n');
      if (end >= 0) {
        const event = rest.slice(0, end);
        rest = rest.slice(end + 2);
        return event;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      rest += value;
    }
  };
  const until = async (part: string): Promise<string> => {
    for (;;) {
      const event = await next();
      if (event === undefined) throw new Error(`The stream ended before ${part}`);
      if (event.includes(part)) return event;
    }
  };
  return { next, until, close: () => reader.cancel() };
}

/** A stream of a signed-in client, after its `hello`. */
export async function openStream(client: ApiClient): Promise<ReadStream> {
  const response = await client.send(syncPath(STREAM_PATH));
  if (!response.body) throw new Error(`No stream: ${response.status}`);
  const stream = readEvents(response.body);
  await stream.until('event: hello');
  return stream;
}
