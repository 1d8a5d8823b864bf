import { ApiError } from '../api-error.ts';

/** Bodies of the product's calls; checked while reading, so a missing length can't get round it. */
export const BODY_MAX_BYTES = 64 * 1024;

/**
 * Reads a body as UTF-8 text. Throws `body_too_large` as soon as it is longer than `maxBytes`, and
 * `malformed_body` when it isn't UTF-8.
 */
export async function readBody(request: Request, maxBytes: number): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? '0');
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw malformed('The request isn’t valid UTF-8 text.', cause);
  }
}

/** The object in a JSON body. Throws `malformed_body` for anything else. */
export function parseRequestObject(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body, refuseUnstorable);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw malformed('The request isn’t valid JSON.', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The request must be a JSON object.');
  }
  return value as Record<string, unknown>;
}

/** The fields of a form or a query string; of a name given twice the last one, as in JSON. */
export function parseParameters(text: string): Record<string, unknown> {
  const parameters = Array.from(new URLSearchParams(text));
  for (const [, value] of parameters) refuseUnstorable('', value);
  return Object.fromEntries(parameters);
}

/** NUL and half surrogate pairs can't be stored as text, and no customer can type them. */
function refuseUnstorable(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    throw malformed('The request contains characters that aren’t text.');
  }
  return value;
}

function malformed(message: string, cause?: unknown): ApiError {
  return new ApiError('malformed_body', message, { cause });
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError(
    'body_too_large',
    `The request is larger than ${Math.floor(maxBytes / 1024)} KB.`,
  );
}
