import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { SandboxContext } from './context.ts';
import type { Fault, FaultSystem } from './faults.ts';
import { numberOption, textOption } from './faults.ts';

/**
 * How one HTTP call of an outside system goes wrong. The `after` endings do the work first, so that the
 * caller loses the answer to something that happened.
 * - `error` / `error_after`: 500; `reset` / `reset_after`: the connection breaks off
 * - `timeout`: done, but no answer while the caller listens
 * - `html` / `cut`: done, but the answer is a page, or JSON that breaks off in the middle
 * - `down`: 503
 */
type CallEnding =
  | 'answer'
  | 'down'
  | 'error'
  | 'error_after'
  | 'reset'
  | 'reset_after'
  | 'timeout'
  | 'html'
  | 'cut';

export interface CallPlan {
  /** Waited before anything happens. */
  delayMs: number;
  ending: CallEnding;
  /** The fault that set the ending. */
  fault?: Fault;
}

/** What `POST /control/faults` takes for `provider` and `cards`; see `planCall`. */
export const CALL_SCENARIOS = [
  'slow',
  'down',
  'error',
  'error_after',
  'reset',
  'reset_after',
  'timeout',
  'nonsense',
  'fail',
] as const;

/**
 * Scenarios of `provider` and `cards`: `down`, `slow {delayMs}`, `nonsense {kind: html|cut}`,
 * `error`, `error_after`, `reset`, `reset_after`, `timeout`, and `fail {modes?}`, which draws one of
 * `modes` (the errors and resets unless told). Each takes `fraction` (of the calls, 1 unless told),
 * `call` (only that call, by its name in `/control/stats`) and `times`; `isAimed` may narrow it further.
 */
export function planCall(
  ctx: SandboxContext,
  system: FaultSystem,
  call: string,
  isAimed: (fault: Fault) => boolean = () => true,
): CallPlan {
  if (ctx.faults.active(system).length === 0) return { delayMs: 0, ending: 'answer' };
  const take = (scenario: string): Fault | undefined =>
    ctx.faults.take(system, scenario, (fault) => {
      const only = textOption(fault.options, 'call');
      if ((only && only !== call) || !isAimed(fault)) return false;
      return ctx.random() < numberOption(fault.options, 'fraction', 1);
    });
  const slow = take('slow');
  const delayMs = slow ? numberOption(slow.options, 'delayMs', 2000) : 0;
  for (const scenario of [
    'down',
    'error',
    'error_after',
    'reset',
    'reset_after',
    'timeout',
  ] as const) {
    const fault = take(scenario);
    if (fault) return { delayMs, ending: scenario, fault };
  }
  const nonsense = take('nonsense');
  if (nonsense) {
    const kind = textOption(nonsense.options, 'kind') ?? (ctx.random() < 0.5 ? 'html' : 'cut');
    return { delayMs, ending: kind === 'cut' ? 'cut' : 'html', fault: nonsense };
  }
  const mixed = take('fail');
  if (mixed) return { delayMs, ending: drawMode(mixed, ctx.random()), fault: mixed };
  return { delayMs, ending: 'answer' };
}

const MODES = ['error', 'error_after', 'reset', 'reset_after'] as const;

function drawMode(fault: Fault, random: number): CallEnding {
  const told = fault.options['modes'];
  const modes = MODES.filter((mode) => !Array.isArray(told) || told.includes(mode));
  return modes[Math.floor(random * modes.length)] ?? 'error';
}

/** Waits, then answers when the plan ends the call before its work; undefined lets the work happen. */
export async function beforeWork(plan: CallPlan, c: Context): Promise<Response | undefined> {
  if (plan.delayMs > 0) await sleep(plan.delayMs, undefined, { ref: false });
  if (plan.ending === 'down') return new Response('Service Unavailable', { status: 503 });
  if (plan.ending === 'error') return serverError();
  if (plan.ending === 'reset') return dropConnection(c);
  return undefined;
}

/** Turns the answer of work that was done into what the caller gets to see of it. */
export async function afterWork(plan: CallPlan, c: Context, answer: Response): Promise<Response> {
  return AFTER[plan.ending](c, answer, plan.fault);
}

type Ending = (c: Context, answer: Response, fault?: Fault) => Response | Promise<Response>;

const untouched: Ending = (_c, answer) => answer;

const AFTER: Record<CallEnding, Ending> = {
  answer: untouched,
  down: untouched,
  error: untouched,
  reset: untouched,
  error_after: () => serverError(),
  reset_after: (c) => dropConnection(c),
  timeout: (c, _answer, fault) =>
    leaveHanging(c, fault && numberOption(fault.options, 'holdMs', HOLD_MS)),
  html: () =>
    new Response('<!doctype html><title>Welcome</title><h1>It works!</h1>', {
      headers: { 'content-type': 'text/html' },
    }),
  cut: async (_c, answer) => {
    const body = await answer.text();
    return new Response(body.slice(0, Math.floor(body.length / 2)), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  },
};

/** Longer than any sane client waits. */
const HOLD_MS = 120_000;

/** Keeps the caller waiting until it gives up or `holdMs` passed, then breaks the connection off. */
export async function leaveHanging(c: Context, holdMs = HOLD_MS): Promise<Response> {
  const { outgoing } = rawConnection(c);
  if (outgoing && !outgoing.destroyed) {
    const gone = Promise.withResolvers<void>();
    const timer = setTimeout(gone.resolve, holdMs);
    timer.unref();
    outgoing.once('close', gone.resolve);
    await gone.promise;
    clearTimeout(timer);
  }
  return dropConnection(c);
}

/** Breaks the connection off without an answer; without a socket (in-process tests) answers 502. */
function dropConnection(c: Context): Response {
  const { incoming, outgoing } = rawConnection(c);
  if (!incoming || !outgoing) return new Response(null, { status: 502 });
  incoming.socket.resetAndDestroy();
  return new Response(null, { headers: RESPONSE_ALREADY_SENT.headers });
}

/** The Node request and response under a call; absent when the app is called in process. */
export function rawConnection(c: Context): {
  incoming?: IncomingMessage;
  outgoing?: ServerResponse;
} {
  return (c.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
}

function serverError(): Response {
  return Response.json(
    { error: { type: 'api_error', message: 'Something broke.' } },
    { status: 500 },
  );
}
