import { parseIgUsername } from '#shared/domain/accounts/ig-username.ts';
import { Pool } from 'undici';
import { exchange, type Exchange } from '../http/exchange.ts';
import { parseJsonObject, type JsonObject } from '../http/json-body.ts';
import { PROFILE_FIELDS, readPage } from './graph-answer.ts';
import { readTrouble, type GraphTrouble } from './graph-error.ts';
import { readRetryAfter, readUsage } from './graph-usage.ts';
import type {
  BucketUsage,
  NetworkTrouble,
  ReadAccountOutcome,
  ReadAccountRequest,
  ReadMediaOutcome,
  SocialNetwork,
} from './social-network.ts';

interface GraphClientOptions {
  /** Base address, a path included, without the version. */
  graphUrl: string;
  /** The accounts of ours that ask; each is a bucket of its own. */
  tokens: readonly { igUserId: string; token: string }[];
  now: () => number;
  timeoutMs?: number;
}

/** Always in the address: without it Meta picks one that changes by itself. */
const GRAPH_VERSION = 'v26.0';
/** 600 calls a second at 200 ms each keep 120 connections busy. */
const CONNECTIONS_MAX = 128;
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
const MEDIA_FIELDS =
  'id,caption,media_type,media_product_type,media_url,permalink,timestamp,like_count,comments_count';

type Answer =
  | { kind: 'json'; body: JsonObject; usage: BucketUsage | undefined }
  | (GraphTrouble & { usage: BucketUsage | undefined });

/** The social network behind Meta's Graph API (Business Discovery). Never throws. */
export function createGraphClient(
  options: GraphClientOptions,
): SocialNetwork & { close(): Promise<void> } {
  const { timeoutMs = 10_000, now } = options;
  const base = new URL(options.graphUrl);
  const prefix = `${base.pathname.replace(/\/+$/, '')}/${GRAPH_VERSION}/`;
  const headersByBucket = new Map(
    options.tokens.map(({ igUserId, token }) => [
      igUserId,
      { authorization: `Bearer ${token}`, accept: 'application/json' },
    ]),
  );
  const pool = new Pool(base.origin, { connections: CONNECTIONS_MAX, allowH2: false });

  const ask = async (
    bucketId: string,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    const headers = headersByBucket.get(bucketId);
    if (!headers) return { kind: 'refused', cause: 'token', code: 0, usage: undefined };
    const answered = await exchange(pool, {
      method: 'GET',
      path: prefix + path,
      headers,
      timeoutMs,
      maxBytes: ANSWER_MAX_BYTES,
      signal,
    });
    return readAnswer(answered, now());
  };

  return {
    bucketIds: [...headersByBucket.keys()],
    async readAccount(request) {
      const path = accountPath(request);
      if (typeof path !== 'string') return { ...path, usage: undefined };
      return toAccountOutcome(await ask(request.bucketId, path, request.signal), request);
    },
    async readMedia({ bucketId, mediaId, signal }) {
      if (!/^\d{1,32}$/.test(mediaId)) return { kind: 'gone', usage: undefined };
      return toMediaOutcome(await ask(bucketId, `${mediaId}?fields=id`, signal));
    },
    close: () => pool.destroy(),
  };
}

/** Path of a Business Discovery call, or why there can be none: both texts would end up inside a query. */
function accountPath(
  request: ReadAccountRequest,
): string | { kind: 'unreadable' } | { kind: 'cursor_invalid' } {
  const { username, after } = request;
  if (parseIgUsername(username) !== username) return { kind: 'unreadable' };
  if (after !== undefined && !/^[\w+/=-]+$/.test(after)) return { kind: 'cursor_invalid' };
  const page = after === undefined ? '' : `.after(${after})`;
  const fields = `business_discovery.username(${username}){${PROFILE_FIELDS},media${page}.limit(${request.limit}){${MEDIA_FIELDS}}}`;
  return `${request.bucketId}?fields=${encodeURIComponent(fields)}`;
}

function readAnswer(answered: Exchange, nowMs: number): Answer {
  if (answered.kind === 'failed') {
    return { kind: 'unreachable', reason: answered.reason, usage: undefined };
  }
  const { status, headers } = answered;
  const usage = readUsage(headers);
  const body = parseJsonObject(answered.body);
  if (status === 200 && body && body['error'] === undefined) return { kind: 'json', body, usage };
  if (status === 200 && !body) return { kind: 'unreachable', reason: 'not_json', usage };
  const retryAfterMs = usage?.regainAfterMs ?? readRetryAfter(headers, nowMs);
  return { ...readTrouble(status, body, retryAfterMs), usage };
}

function toAccountOutcome(answer: Answer, request: ReadAccountRequest): ReadAccountOutcome {
  const { usage } = answer;
  switch (answer.kind) {
    case 'json': {
      const page = readPage(answer.body);
      return page ? { kind: 'read', ...page, usage } : { ...nonsense(), usage };
    }
    case 'invalid':
      return request.after === undefined
        ? { kind: 'refused', cause: 'request', code: answer.code, usage }
        : { kind: 'cursor_invalid', usage };
    // The object that is gone is the asking account of ours.
    case 'gone':
      return { kind: 'refused', cause: 'request', code: 100, usage };
    case 'unreadable':
    case 'throttled':
    case 'unreachable':
    case 'refused':
      break;
  }
  return answer;
}

function toMediaOutcome(answer: Answer): ReadMediaOutcome {
  const { usage } = answer;
  switch (answer.kind) {
    case 'json':
      return typeof answer.body['id'] === 'string'
        ? { kind: 'exists', usage }
        : { ...nonsense(), usage };
    case 'invalid':
      return { kind: 'refused', cause: 'request', code: answer.code, usage };
    case 'unreadable':
      return { ...nonsense(), usage };
    case 'gone':
    case 'throttled':
    case 'unreachable':
    case 'refused':
      break;
  }
  return answer;
}

function nonsense(): NetworkTrouble {
  return { kind: 'unreachable', reason: 'unexpected_answer' };
}
