import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { SandboxContext } from '../context.ts';
import { numberOption, textOption, type Fault } from '../faults.ts';
import {
  GraphError,
  invalidCursor,
  goneObject,
  type GraphErrorKind,
  type Usage,
} from './errors.ts';

/**
 * Scenarios of `POST /control/faults {system: 'graph', scenario, times?, username?, token?, ...}`.
 * `times` limits a scenario to so many calls; `username` and `token` to calls about that account or
 * with that token. (Kinds of accounts and posts - private, age-gated, carousel, hidden likes, pinned,
 * reel without media_url, renamed, deleted, a post after t seconds - are control calls of their own.)
 *
 * - `usage_rising {from 70, to 100, step 5, regainMinutes 5}` the headers rise call by call; at 100 code 4
 * - `allowance {calls 200, windowSeconds 3600}` a sliding window per token: honest headers, then code 4;
 *   calls made while throttled count too and so lengthen the block
 * - `throttled {code 80002, minutes 19}` refuses; code 4, 17, 32, 613, 80001, 80002 or 429 (HTTP 429)
 * - `token_expired {subcode 463}` 190; `permission {code 10}`; `blocked` 368; `object_gone` 100/33
 * - `server_error {status 500}` not JSON of theirs; `transient` code 2; `unknown_error` code 1
 * - `cut_short` the body ends in the middle; `html` a web page with status 200; `hang_up` no answer
 * - `malformed_usage` headers that are no JSON; `slow {delayMs 3000}`
 * - `cursor_invalid` any `after` is refused; `empty_middle_page` the second page is empty
 * - `short_image_urls {seconds 2}` images expire so soon; `image_expired` the image host answers 403
 */
export const GRAPH_SCENARIOS = [
  'usage_rising',
  'allowance',
  'throttled',
  'token_expired',
  'permission',
  'blocked',
  'object_gone',
  'server_error',
  'transient',
  'unknown_error',
  'cut_short',
  'html',
  'hang_up',
  'malformed_usage',
  'slow',
  'cursor_invalid',
  'empty_middle_page',
  'short_image_urls',
  'image_expired',
] as const;
type GraphScenario = (typeof GRAPH_SCENARIOS)[number];

/** What is known of a call before it is answered. */
export interface GraphCall {
  token: string;
  objectId: string;
  username: string | undefined;
  hasCursor: boolean;
}

/** How the answer is corrupted on its way out. */
export type Corruption = 'cut_short' | 'html' | 'hang_up' | 'server_error';

interface Played {
  delayMs: number;
  usage: Usage | undefined;
  isUsageMalformed: boolean;
  /** Refuse with this error instead of answering. */
  error: GraphError | undefined;
  corruption: { kind: Corruption; status: number } | undefined;
}

/** The usage headers' figures when no scenario sets them. */
export const IDLE_USAGE: Usage = { percent: 3, regainMinutes: 0 };

/** Decides what the scenarios being played do to one call; keeps the usage they count. */
export function createScenarios(ctx: SandboxContext): (call: GraphCall) => Played {
  const steps = new WeakMap<Fault, number>();
  const windows = new WeakMap<Fault, Map<string, number[]>>();
  return (call) => {
    const take = (scenario: GraphScenario): Fault | undefined =>
      ctx.faults.take('graph', scenario, (fault) => isAbout(fault, call));
    const slow = take('slow');
    const usage =
      risingUsage(take('usage_rising'), steps) ??
      windowUsage(take('allowance'), windows, call.token, ctx.now());
    return {
      delayMs: slow ? numberOption(slow.options, 'delayMs', 3000) : 0,
      usage,
      isUsageMalformed: take('malformed_usage') !== undefined,
      error: usage && usage.percent >= 100 ? throttled(4, usage) : refusal(take, call),
      corruption: corruption(take),
    };
  };
}

type Take = (scenario: GraphScenario) => Fault | undefined;

function isAbout(fault: Fault, call: GraphCall): boolean {
  const username = textOption(fault.options, 'username');
  const token = textOption(fault.options, 'token');
  return (
    (username === undefined || username === call.username?.toLowerCase()) &&
    (token === undefined || token === call.token)
  );
}

function risingUsage(fault: Fault | undefined, steps: WeakMap<Fault, number>): Usage | undefined {
  if (!fault) return undefined;
  const step = steps.get(fault) ?? 0;
  steps.set(fault, step + 1);
  const from = numberOption(fault.options, 'from', 70);
  const to = numberOption(fault.options, 'to', 100);
  const percent = Math.min(to, from + step * numberOption(fault.options, 'step', 5));
  const regain = numberOption(fault.options, 'regainMinutes', 5);
  return { percent, regainMinutes: percent >= 100 ? regain : 0 };
}

function windowUsage(
  fault: Fault | undefined,
  windows: WeakMap<Fault, Map<string, number[]>>,
  token: string,
  now: number,
): Usage | undefined {
  if (!fault) return undefined;
  const allowed = numberOption(fault.options, 'calls', 200);
  const windowMs = numberOption(fault.options, 'windowSeconds', 3600) * 1000;
  const perToken = windows.get(fault) ?? new Map<string, number[]>();
  windows.set(fault, perToken);
  const calls = (perToken.get(token) ?? []).filter((at) => at > now - windowMs);
  calls.push(now);
  perToken.set(token, calls);
  const percent = Math.floor((calls.length / allowed) * 100);
  const freeAt = (calls[Math.max(0, calls.length - allowed)] ?? now) + windowMs;
  return {
    percent,
    regainMinutes: percent >= 100 ? Math.max(1, Math.ceil((freeAt - now) / MINUTE_MS)) : 0,
  };
}

function refusal(take: Take, call: GraphCall): GraphError | undefined {
  const limited = take('throttled');
  if (limited) {
    const regainMinutes = numberOption(limited.options, 'minutes', 19);
    const code = numberOption(limited.options, 'code', 80_002);
    return throttled(code, { percent: 100, regainMinutes });
  }
  const token = take('token_expired');
  if (token) {
    const subcode = numberOption(token.options, 'subcode', 463);
    return new GraphError('token', 'Error validating access token: Session has expired', {
      subcode,
    });
  }
  const permission = take('permission');
  if (permission) {
    const code = numberOption(permission.options, 'code', 10);
    return new GraphError(
      'permission',
      `(#${code}) Application does not have permission for this action`,
      { code },
    );
  }
  if (take('blocked')) {
    return new GraphError(
      'blocked',
      'The action attempted has been deemed abusive or is otherwise disallowed',
    );
  }
  if (take('object_gone')) return goneObject(call.objectId);
  if (take('transient')) {
    return new GraphError(
      'passing',
      'An unexpected error has occurred. Please retry your request later.',
    );
  }
  if (take('unknown_error')) return new GraphError('too_much', 'An unknown error occurred');
  return call.hasCursor && take('cursor_invalid') ? invalidCursor() : undefined;
}

const THROTTLES: Readonly<Record<number, GraphErrorKind>> = {
  4: 'app_throttled',
  17: 'user_throttled',
  32: 'page_throttled',
  429: 'too_many_requests',
  613: 'custom_throttled',
};

function throttled(code: number, usage: Usage): GraphError {
  const kind = THROTTLES[code] ?? 'business_throttled';
  const isHttp = kind === 'too_many_requests';
  const shown = isHttp ? 80_002 : code;
  return new GraphError(kind, `(#${shown}) Application request limit reached`, {
    code: shown,
    usage,
    ...(isHttp ? { headers: { 'retry-after': String(usage.regainMinutes * 60) } } : {}),
  });
}

function corruption(take: Take): Played['corruption'] {
  for (const kind of ['cut_short', 'html', 'hang_up', 'server_error'] as const) {
    const fault = take(kind);
    if (fault) return { kind, status: numberOption(fault.options, 'status', 500) };
  }
  return undefined;
}
