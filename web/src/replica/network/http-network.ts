import * as v from 'valibot';
import { MEMBERSHIP_ENDED, NO_SESSION_CODES } from '#shared/contract/error-code.ts';
import { PULL_PATH, PullAnswer } from '#shared/sync/pull.ts';
import { PUSH_PATH, PushAnswer } from '#shared/sync/push.ts';
import { SNAPSHOT_PATH, SnapshotEnd, SnapshotHead } from '#shared/sync/snapshot.ts';
import { STREAM_EVENTS, STREAM_PATH, type StreamEventName } from '#shared/sync/stream.ts';
import { VERIFY_PATH, VerifyAnswer } from '#shared/sync/verify.ts';
import {
  SYNC_PROTOCOL,
  SYNC_SCHEMA,
  USER_PARAMETER,
  VERSION_PARAMETERS,
} from '#shared/sync/version.ts';
import type {
  Fetched,
  LiveEvent,
  SnapshotLine,
  SnapshotParameters,
  SyncFailure,
  SyncNetwork,
} from './sync-network.ts';

interface HttpNetworkSettings {
  /** Empty for the page's own origin. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Whose replica it is: another's session counts as none. Left out: whoever is signed in. */
  userId?: string;
  /** A server that says nothing for so long isn't there, whatever the browser thinks. */
  silenceMs?: number;
}

/** Browsers wait for an answer for minutes, and after a change of network for ever. */
const SILENCE_MS = 30_000;

/** The sync calls over HTTP. */
export function createHttpNetwork(settings: HttpNetworkSettings): SyncNetwork {
  const { userId } = settings;
  const post = async <Schema extends v.GenericSchema>(
    path: string,
    request: unknown,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<Fetched<v.InferOutput<Schema>>> => {
    const init: RequestInit = {
      method: 'POST',
      body: JSON.stringify(request),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    };
    return withinSilence(settings, signal, async (inTime, heard) => {
      const answered = await ask(settings, path, {}, init, inTime);
      if (answered.kind !== 'ok') return answered;
      const body = await wholeText(bodyOf(answered.value), heard).then(parsed, () => undefined);
      const answer = v.safeParse(schema, body);
      return answer.success ? { kind: 'ok', value: answer.output } : { kind: 'unreachable' };
    });
  };
  return {
    pull: async (request, signal) => {
      const pulled = await post(PULL_PATH, request, PullAnswer, signal);
      // An older server ignores the `user` parameter and answers for whoever is signed in.
      const isOthers =
        pulled.kind === 'ok' && pulled.value.userId !== (userId ?? pulled.value.userId);
      return isOthers ? { kind: 'log_in_again', isUnknown: true } : pulled;
    },
    push: (request, signal) => post(PUSH_PATH, request, PushAnswer, signal),
    verify: (request, signal) => post(VERIFY_PATH, request, VerifyAnswer, signal),
    snapshot: async (parameters, signal) => {
      const query = snapshotQuery(parameters);
      const answered = await withinSilence(settings, signal, (inTime) =>
        ask(settings, SNAPSHOT_PATH, query, {}, inTime),
      );
      if (answered.kind !== 'ok') return answered;
      const { silenceMs = SILENCE_MS } = settings;
      const lines = textLines(bodyOf(answered.value), signal, silenceMs);
      return { kind: 'ok', value: snapshotLines(lines) };
    },
    stream: async (signal) => {
      const init = { headers: { accept: 'text/event-stream' } };
      const answered = await withinSilence(settings, signal, (inTime) =>
        ask(settings, STREAM_PATH, {}, init, inTime),
      );
      if (answered.kind !== 'ok') return answered;
      return { kind: 'ok', value: liveEvents(bodyOf(answered.value), signal) };
    },
  };
}

/** Only while the server is to speak: what it has sent may take its time to be kept. */
async function withinSilence<Value>(
  { silenceMs = SILENCE_MS }: HttpNetworkSettings,
  signal: AbortSignal,
  exchange: (inTime: AbortSignal, heard: () => void) => Promise<Fetched<Value>>,
): Promise<Fetched<Value>> {
  const silence = new AbortController();
  const wait = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = wait();
  const heard = (): void => {
    clearTimeout(timer);
    timer = wait();
  };
  try {
    return await exchange(AbortSignal.any([signal, silence.signal]), heard);
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) return { kind: 'unreachable' };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function ask(
  { baseUrl, fetch, userId }: HttpNetworkSettings,
  path: string,
  query: Record<string, string>,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Fetched<Response>> {
  const parameters = new URLSearchParams({
    ...query,
    [VERSION_PARAMETERS.protocol]: String(SYNC_PROTOCOL),
    [VERSION_PARAMETERS.schema]: String(SYNC_SCHEMA),
    ...(userId === undefined ? {} : { [USER_PARAMETER]: userId }),
  });
  try {
    const url = `${baseUrl}${path}?${parameters}`;
    const response = await fetch(url, { ...init, signal, credentials: 'same-origin' });
    if (response.ok) return { kind: 'ok', value: response };
    if (MAY_REFUSE.has(response.status)) return await refusalOf(response);
    if (response.status === NO_SESSION) return await sessionEndOf(response);
    await response.body?.cancel();
    return failureOf(response.status);
  } catch {
    signal.throwIfAborted();
    return { kind: 'unreachable' };
  }
}

const NO_SESSION = 401;
const TOO_LARGE = 413;
const MAY_REFUSE: ReadonlySet<number> = new Set([400, 403, TOO_LARGE]);
/** An error of ours, of which a newer server may know more codes. */
const OurError = v.object({ status: v.literal('error'), code: v.string() });

const NoSession = v.object({
  code: v.picklist(NO_SESSION_CODES),
  message: v.string(),
  fields: v.optional(v.record(v.string(), v.string()), {}),
});

async function sessionEndOf(response: Response): Promise<SyncFailure> {
  const body = v.safeParse(NoSession, await response.json().catch(() => undefined));
  if (!body.success) return { kind: 'log_in_again' };
  const { code, message, fields } = body.output;
  if (code === 'session_ended') {
    const isGone = MEMBERSHIP_ENDED in fields;
    return { kind: 'log_in_again', because: message, ...(isGone && { isGone }) };
  }
  return code === 'no_session'
    ? { kind: 'log_in_again', isUnknown: true }
    : { kind: 'log_in_again' };
}

/** Something between may answer so too for a while, and only means it for good when it is about size. */
async function refusalOf(response: Response): Promise<SyncFailure> {
  const body = v.safeParse(OurError, await response.json().catch(() => undefined));
  if (body.success) return { kind: 'refused', code: body.output.code };
  if (response.status === TOO_LARGE) return { kind: 'refused', code: 'body_too_large' };
  return { kind: 'unreachable' };
}

function failureOf(status: number): SyncFailure {
  if (status === 426) return { kind: 'upgrade' };
  if (status === 410) return { kind: 'gone' };
  if (status === 409) return { kind: 'gap' };
  return { kind: 'unreachable' };
}

/** All of a body; tells of each part of it, however slowly they come. */
async function wholeText(body: ReadableStream<Uint8Array>, heard: () => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (const reader = body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    heard();
    text += decoder.decode(value, { stream: true });
  }
}

const bodyOf = (response: Response): ReadableStream<Uint8Array> =>
  response.body ?? new ReadableStream({ start: (controller) => controller.close() });

function snapshotQuery(parameters: SnapshotParameters): Record<string, string> {
  const { scope, entities, ...others } = parameters;
  const named = { scope, entity: entities?.join(','), ...others };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

async function* snapshotLines(
  arriving: AsyncIterable<readonly string[]>,
): AsyncGenerator<SnapshotLine[]> {
  for await (const lines of arriving) {
    const read = lines.filter((line) => line !== '').map(snapshotLine);
    const whole = read.filter((line) => line !== undefined);
    if (whole.length > 0) yield whole;
    // What can't be read breaks the snapshot off: it is asked for again.
    if (whole.length < read.length) return;
  }
}

/** Chunks are taken as they are: rows are trusted (`WireRow`). */
function snapshotLine(text: string): SnapshotLine | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('rows' in value) return { kind: 'chunk', ...value } as SnapshotLine;
  const head = v.safeParse(SnapshotHead, value);
  if (head.success) return { kind: 'head', ...head.output };
  const end = v.safeParse(SnapshotEnd, value);
  return end.success ? { kind: 'end', ...end.output } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Server-sent events: `event:` and `data:` lines up to an empty one; a comment is a heartbeat. */
async function* liveEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent> {
  let name = '';
  let data = '';
  for await (const lines of textLines(body, signal)) {
    for (const raw of lines) {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
      if (line.startsWith(':')) yield { kind: 'heartbeat' };
      else if (line.startsWith('event:')) name = line.slice(6).trim();
      else if (line.startsWith('data:')) data += line.slice(5).trimStart();
      else if (line === '') {
        const event = liveEvent(name, data);
        [name, data] = ['', ''];
        if (event) yield event;
      }
    }
  }
}

/** Events that a newer server may send are passed over: whatever they say, a pull says too. */
function liveEvent(name: string, data: string): LiveEvent | undefined {
  if (!Object.hasOwn(STREAM_EVENTS, name)) return undefined;
  const event = v.safeParse(STREAM_EVENTS[name as StreamEventName], parsed(data));
  return event.success ? ({ kind: name, ...event.output } as LiveEvent) : undefined;
}

/**
 * The whole lines of a body as they arrive, several at a time, without their line ends. A last line
 * without an end is left out: it was cut. A broken connection ends the lines like the body's end, and
 * so does one that brings nothing for `silenceMs` while somebody waits for its lines.
 */
async function* textLines(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  silenceMs?: number,
): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const timer = silenceMs === undefined ? undefined : setTimeout(cancel, silenceMs);
      const { done, value } = await reader.read().catch(() => BROKEN);
      clearTimeout(timer);
      if (done || signal.aborted) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) yield lines;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

const BROKEN = { done: true, value: undefined } as const;
