import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMER_ENTITIES } from '#shared/sync/entities.ts';
import type { SignedIn } from '../people/signed-in.ts';
import type { SyncServer } from './sync-server.ts';

const FOLDER = join(import.meta.dirname, 'kept-requests');

/**
 * What a released client sends and what it was answered, word for word but for the ids, which stand as
 * `{workspace}`, `{user}`, `{account}`, `{network-id}` and `{epoch}`. Files of a released version are
 * never edited: a new version gets a folder of its own.
 */
interface KeptRequest {
  method: 'GET' | 'POST';
  /** With the versions that client speaks. */
  path: string;
  body: unknown;
  answer: {
    status: number;
    /** The lines of NDJSON or the events of a stream are an array. */
    body: unknown;
  };
}

/** The kept versions, oldest first: `protocol-1-schema-1`. */
export const KEPT_VERSIONS: readonly string[] = readdirSync(FOLDER).sort();

export function namesOf(version: string): string[] {
  return readdirSync(join(FOLDER, version))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

export function readKept(version: string, name: string): KeptRequest {
  const text = readFileSync(join(FOLDER, version, `${name}.json`), 'utf8');
  return JSON.parse(text) as KeptRequest;
}

/** Asks a server the same in a customer's name; the answer with ids as in the files. */
export async function replay(
  { deps }: SyncServer,
  customer: SignedIn,
  kept: KeptRequest,
): Promise<KeptRequest['answer']> {
  const { epoch } = await deps.database.db
    .selectFrom('sync_epoch')
    .select('epoch')
    .executeTakeFirstOrThrow();
  const ids: Record<string, string> = {
    workspace: customer.workspaceId,
    user: customer.userId,
    account: customer.accountId,
    'network-id': customer.igId,
    epoch,
  };
  const filled = (text: string): string =>
    text.replaceAll(/\{([a-z-]+)\}/g, (whole, name: string) => ids[name] ?? whole);
  const response = await customer.client.send(filled(kept.path), {
    method: kept.method,
    ...(kept.method === 'POST' && {
      headers: { 'content-type': 'application/json' },
      body: filled(JSON.stringify(kept.body)),
    }),
  });
  let text = await readText(response);
  // The network's id is a number of any length: only where it is the whole value.
  text = text.replaceAll(`"${customer.igId}"`, '"{network-id}"');
  for (const [name, id] of Object.entries(ids)) {
    if (name !== 'network-id') text = text.replaceAll(id, `{${name}}`);
  }
  return { status: response.status, body: parse(response, text) };
}

/** Of a stream, which has no end, the first event. */
async function readText(response: Response): Promise<string> {
  if (!isStream(response) || !response.body) return response.text();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('\n\n')) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

const isStream = (response: Response): boolean =>
  (response.headers.get('content-type') ?? '').startsWith('text/event-stream');

function parse(response: Response, text: string): unknown {
  if (isStream(response)) {
    const [event = ''] = text.split('\n\n');
    const name = /^event: (.*)$/m.exec(event)?.[1];
    return [
      { event: name, data: JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? 'null') as unknown },
    ];
  }
  const lines = text.trim().split('\n');
  return lines.length === 1
    ? (JSON.parse(text) as unknown)
    : lines.map((line) => JSON.parse(line) as unknown);
}

const FORMER: ReadonlySet<unknown> = new Set(FORMER_ENTITIES);

/** What was answered, but for the rows of entities that have gone since: no screen of a kept client reads them. */
export function withoutFormer(kept: unknown): unknown {
  if (typeof kept !== 'object' || kept === null) return kept;
  if (!Array.isArray(kept)) {
    const parts = Object.entries(kept).filter(([name]) => !FORMER.has(name));
    return Object.fromEntries(parts.map(([name, value]) => [name, withoutFormer(value)]));
  }
  return kept.filter((each) => !FORMER.has(entityOf(each))).map(withoutFormer);
}

/** Rows are lists that begin with their entity, or objects that name it. */
function entityOf(row: unknown): unknown {
  if (Array.isArray(row)) return row[0];
  return typeof row === 'object' && row !== null && 'entity' in row ? row.entity : undefined;
}

/** Words that a client decides by: another one means something else. */
const WORDS: ReadonlySet<string> = new Set(['status', 'code', 'event', 'entity']);

/**
 * Where an answer lacks what a client of the kept one reads; empty when it understands it. More fields
 * are fine, another kind of value, a missing field or another word isn't.
 */
export function findMissing(kept: unknown, now: unknown, at = ''): string[] {
  if (kept === null) return [];
  if (Array.isArray(kept)) {
    if (!Array.isArray(now)) return [`${at} is no list`];
    if (now.length < kept.length) return [`${at} has ${now.length} of ${kept.length} entries`];
    return kept.flatMap((each, index) => findMissing(each, now[index], `${at}[${index}]`));
  }
  if (typeof kept !== 'object') {
    return typeof kept === typeof now ? [] : [`${at} is ${typeof now}, was ${typeof kept}`];
  }
  if (typeof now !== 'object' || now === null) return [`${at} is no object`];
  const held = new Map(Object.entries(now));
  return Object.entries(kept).flatMap(([name, value]) => {
    const place = `${at}.${name}`;
    if (!held.has(name)) return [`${place} is missing`];
    const isOtherWord = WORDS.has(name) && held.get(name) !== value;
    return isOtherWord
      ? [`${place} is ${String(held.get(name))}, was ${String(value)}`]
      : findMissing(value, held.get(name), place);
  });
}
