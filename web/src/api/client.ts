import * as v from 'valibot';
import { ErrorAnswer } from '#shared/contract/answer.ts';
import type { Call, CallData, CallInput } from '#shared/contract/call.ts';
import { type ErrorCode, MEMBERSHIP_ENDED, NO_SESSION_CODES } from '#shared/contract/error-code.ts';
import type { PaymentAction } from '#shared/contract/money/payment-action.ts';

/** How a call ended. S§8 treats the four differently, so a screen switches over all of them. */
export type Answer<Data> =
  | {
      kind: 'success';
      data: Data;
      message: string | undefined;
      /** What stands beside `data`, for the calls that say so; as the call's `extra` reads it. */
      extra?: unknown;
    }
  | {
      kind: 'error';
      code: ErrorCode;
      message: string;
      /** Field name to the sentence that belongs beside it. */
      fields: Record<string, string>;
      /** With `payment_needs_action`: where the customer confirms. */
      action?: PaymentAction;
      httpStatus: number;
      /** When to ask again, where the server says it. */
      retryAfterMs?: number | undefined;
    }
  /** An answer whose `status` is neither success nor error. */
  | { kind: 'unknown_status' }
  /** No answer, or one that can't be read: the call may or may not have taken effect. */
  | { kind: 'network' };

export interface CallOptions {
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Nobody asked for it: that the session has run out isn't told, the sync finds out by itself. */
  isUnasked?: boolean;
}

export interface Api {
  /** Never throws, except the signal's own reason when the caller aborts. */
  call<C extends Call>(
    call: C,
    input: CallInput<C>,
    options?: CallOptions,
  ): Promise<Answer<CallData<C>>>;
}

interface ApiSettings {
  /** Empty for the page's own origin. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Whose session a call goes out with, as far as is known. */
  sessionUserId?: () => string | undefined;
  /**
   * Told about every answer that there is no session, and whose it was when it was asked. `because`: what
   * the server says of one that was ended from elsewhere; `keeps`: what may stay of it.
   */
  onSessionEnded?: (
    userId: string | undefined,
    because: string | undefined,
    keeps: 'unsent' | 'nothing',
  ) => void;
}

const NO_SESSION: ReadonlySet<ErrorCode> = new Set(NO_SESSION_CODES);

const Body = v.object({
  status: v.string(),
  message: v.optional(v.string()),
  data: v.optional(v.unknown()),
});

/** The product's calls over HTTP, typed and read by the schemas of the contract. */
export function createApi(settings: ApiSettings): Api {
  return {
    call: async (call, input, options = {}) => {
      const userId = settings.sessionUserId?.();
      const body = await exchange(settings, call, input, options);
      const answer = readAnswer(call, body);
      if (answer.kind !== 'error' || !NO_SESSION.has(answer.code)) return answer;
      const because = answer.code === 'session_ended' ? answer.message : undefined;
      const keeps = MEMBERSHIP_ENDED in answer.fields ? 'nothing' : 'unsent';
      if (because || !options.isUnasked) settings.onSessionEnded?.(userId, because, keeps);
      return answer;
    },
  };
}

interface Exchanged {
  httpStatus: number;
  retryAfter: string | null;
  body: unknown;
}

async function exchange(
  settings: ApiSettings,
  call: Call,
  input: unknown,
  options: CallOptions,
): Promise<Exchanged | undefined> {
  const { url, init } = encode(settings.baseUrl, call, input, options);
  try {
    const response = await settings.fetch(url, init);
    const { status: httpStatus, headers } = response;
    const retryAfter = headers.get('retry-after');
    return { httpStatus, retryAfter, body: await response.json() };
  } catch {
    options.signal?.throwIfAborted();
    return undefined;
  }
}

function encode(
  baseUrl: string,
  call: Call,
  input: unknown,
  options: CallOptions,
): { url: string; init: RequestInit } {
  const url = `${baseUrl}${call.path}`;
  const headers = new Headers({ accept: 'application/json' });
  if (options.idempotencyKey) headers.set('idempotency-key', options.idempotencyKey);
  const init: RequestInit = { method: call.method, headers, credentials: 'same-origin' };
  if (options.signal) init.signal = options.signal;
  if (call.encoding === 'query') return { url: `${url}?${parameters(input)}`, init };
  if (call.encoding === 'form') return { url, init: { ...init, body: parameters(input) } };
  headers.set('content-type', 'application/json');
  return { url, init: { ...init, body: JSON.stringify(input) } };
}

function parameters(input: unknown): URLSearchParams {
  const entries = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
}

function readAnswer<C extends Call>(
  call: C,
  exchanged: Exchanged | undefined,
): Answer<CallData<C>> {
  const body = v.safeParse(Body, exchanged?.body);
  if (!exchanged || !body.success) return { kind: 'network' };
  if (body.output.status === 'success') {
    const data = v.safeParse(call.data, body.output.data);
    if (!data.success) return { kind: 'network' };
    const extra = call.extra && v.safeParse(call.extra, exchanged.body);
    if (extra && !extra.success) return { kind: 'network' };
    const { message } = body.output;
    // The schema is the call's own, which the compiler can't follow through the generic.
    const success = { kind: 'success' as const, data: data.output as CallData<C>, message };
    return extra ? { ...success, extra: extra.output } : success;
  }
  if (body.output.status !== 'error') return { kind: 'unknown_status' };
  const error = v.safeParse(ErrorAnswer, exchanged.body);
  if (!error.success) return { kind: 'network' };
  const { code, message, fields = {}, action } = error.output;
  const { httpStatus, retryAfter } = exchanged;
  const retryAfterMs = Number(retryAfter) * 1000 || undefined;
  return {
    kind: 'error',
    code,
    message,
    fields,
    ...(action && { action }),
    httpStatus,
    retryAfterMs,
  };
}
