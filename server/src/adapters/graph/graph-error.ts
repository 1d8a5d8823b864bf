import { asObject, type JsonObject } from '../http/json-body.ts';
import type { NetworkTrouble } from './social-network.ts';

/** What a call that wasn't answered with data means. `invalid` is told apart by what was asked. */
export type GraphTrouble =
  | NetworkTrouble
  | { kind: 'unreadable' }
  | { kind: 'gone' }
  | { kind: 'invalid'; code: number };

const THROTTLE_CODES: ReadonlySet<number> = new Set([4, 17, 32, 613, 80_001, 80_002]);
const PASSING_CODES: ReadonlySet<number> = new Set([1, 2, 341]);
const NAME_UNKNOWN_SUBCODE = 2_207_013;
const GONE_SUBCODE = 33;

/**
 * Reads an error answer by the network's table of codes. The order matters: a throttled or failing
 * network must never look like an account that is gone.
 */
export function readTrouble(
  status: number,
  body: JsonObject | undefined,
  retryAfterMs: number | undefined,
): GraphTrouble {
  const error = asObject(body?.['error']);
  const code = codeOf(error?.['code']);
  const subcode = codeOf(error?.['error_subcode']);
  if (status === 429 || THROTTLE_CODES.has(code)) return { kind: 'throttled', retryAfterMs };
  if (code === 368) return { kind: 'refused', cause: 'blocked', code };
  if (code === 190) return { kind: 'refused', cause: 'token', code };
  if (status >= 500) return { kind: 'unreachable', reason: `http_${status}` };
  if (PASSING_CODES.has(code) || error?.['is_transient'] === true) {
    return { kind: 'unreachable', reason: `code_${code}` };
  }
  if (code === 110 || subcode === NAME_UNKNOWN_SUBCODE) return { kind: 'unreadable' };
  if (code === 10 || (code >= 200 && code <= 299)) {
    return { kind: 'refused', cause: 'permission', code };
  }
  if (code === 100) return subcode === GONE_SUBCODE ? { kind: 'gone' } : { kind: 'invalid', code };
  // Without an error of the network's own this came from something in between.
  if (!error) return { kind: 'unreachable', reason: `http_${status}` };
  return { kind: 'refused', cause: 'request', code };
}

function codeOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) ? value : 0;
}
