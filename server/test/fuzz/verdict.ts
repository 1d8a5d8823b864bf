import * as v from 'valibot';
import { ErrorAnswer } from '#shared/contract/answer.ts';
import type { Call } from '#shared/contract/call.ts';
import { ERROR_STATUS } from '#shared/contract/error-code.ts';
import { errorCodesOf } from '#server/ops/api-docs/openapi.ts';

/** An answer as it was received. */
export interface Received {
  /** What was asked for, without the query. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** Statuses of what isn't a call's: pages, pictures, other methods. Of these only a picture may be away. */
const OTHER_STATUSES = new Set([200, 304, 400, 401, 403, 404, 405, 413, 415, 429]);
const PICTURE_PATH = /^\/proxy\/[^/]/;
const UNSAFE_FIELDS = /"(ccNum|cvv|password|password_hash|token)":"(?!•)[^"]*"/;

/**
 * What is wrong with an answer, in words; undefined when it is as the contract says. `call` is given
 * when method and path are still the call's own.
 */
export function findFault(received: Received, call: Call | undefined): string | undefined {
  if (isRefusedAtTheDoor(received)) return undefined;
  return (
    findHeaderFault(received) ?? (call ? findCallFault(received, call) : findOtherFault(received))
  );
}

/** What isn't HTTP, or too long a head, never comes to the app: Node refuses it, with nothing to read. */
function isRefusedAtTheDoor({ status, headers, text }: Received): boolean {
  return [400, 431].includes(status) && text === '' && !headers.has('x-request-id');
}

function findHeaderFault({ status, headers }: Received): string | undefined {
  if (status >= 500 && status !== 503) return `status ${status}`;
  for (const name of ['content-security-policy', 'x-content-type-options', 'x-request-id']) {
    if (!headers.has(name)) return `no ${name}`;
  }
  if (headers.has('access-control-allow-origin')) return 'readable by other sites';
  const isLater = status === 429 || status === 503;
  const isImage = headers.get('content-type')?.startsWith('image/') ?? false;
  return isLater && !isImage && !headers.has('retry-after') ? 'no retry-after' : undefined;
}

function findOtherFault({ status, path, text }: Received): string | undefined {
  const isAwayPicture = status === 503 && PICTURE_PATH.test(path) && text === '';
  return isAwayPicture || OTHER_STATUSES.has(status) ? undefined : `status ${status}`;
}

function findCallFault(received: Received, call: Call): string | undefined {
  const { status, headers, text } = received;
  if (headers.get('cache-control') !== 'no-store') return 'may be kept by a cache';
  const body = parse(text);
  if (body === undefined) return 'not JSON';
  if (status === 200) {
    return UNSAFE_FIELDS.test(text) ? 'a secret in the answer' : findSuccessFault(body, call);
  }
  const error = v.safeParse(v.strictObject(ErrorAnswer.entries), body);
  if (!error.success) return 'not an error of the contract';
  const { code, message } = error.output;
  if (ERROR_STATUS[code] !== status) return `${code} with status ${status}`;
  if (!errorCodesOf(call).includes(code)) return `${code} is not among the call's errors`;
  return message.trim() === '' || message.length > 400 ? 'no readable message' : undefined;
}

function findSuccessFault(body: unknown, call: Call): string | undefined {
  const extra =
    call.extra && 'entries' in call.extra ? (call.extra.entries as v.ObjectEntries) : {};
  const answer = v.strictObject({
    status: v.literal('success'),
    message: v.optional(v.string()),
    data: call.data,
    ...extra,
  });
  const result = v.safeParse(answer, body);
  if (result.success) {
    // Objects drop what they don't name: what is missing afterwards was told without being promised.
    const isWhole = JSON.stringify(sorted(result.output)) === JSON.stringify(sorted(body));
    return isWhole ? undefined : 'fields that the contract does not name';
  }
  const [issue] = result.issues;
  return `not the contract's data: ${v.getDotPath(issue) ?? ''} ${issue.message}`;
}

/** The same value with its keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [
    key,
    sorted(each),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
