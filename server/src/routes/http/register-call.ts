import type { Context, Hono } from 'hono';
import * as v from 'valibot';
import type { SuccessAnswer } from '#shared/contract/answer.ts';
import type { Call, CallData, CallParsed, Encoding } from '#shared/contract/call.ts';
import { CALL_ACTIONS } from '#shared/contract/call-actions.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { maskCardNumbers } from '#shared/domain/money/card-number.ts';
import { type Action, maySomewhere } from '#shared/domain/people/may.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { notAllowed } from '#server/identity/members/members.service.ts';
import type { Session, SignIn } from '#server/identity/sessions/session.service.ts';
import { type Cookie, readCookie, writeCookie } from '#server/kit/http/cookie.ts';
import { refuseOtherMethods } from '#server/kit/http/error-response.ts';
import { packed } from '#server/kit/http/packed.ts';
import {
  BODY_MAX_BYTES,
  parseRequestObject,
  parseParameters,
  readBody,
} from '#server/kit/http/request-body.ts';
import '#server/kit/http/request-context.ts';
import { refuseCardNumbers } from '#server/kit/http/refuse-card-numbers.ts';
import { checkAccounts } from '#server/network/accounts/account-rights.ts';
import { clearSessionCookie, setSessionCookie } from '#server/identity/http/session.ts';
import { noSession } from '#server/identity/users/no-session.ts';

/** One request of a call, after origin, session, encoding, size and input have been checked. */
export interface CallRequest<C extends Call> {
  input: CallParsed<C>;
  session: C['session'] extends 'required' ? Session : Session | undefined;
  /** The client's address; empty when unknown. */
  address: string;
  /** Without card numbers: it is kept. */
  userAgent: string;
  idempotencyKey: string | undefined;
  requestId: string;
  /** A cookie of the product other than the session's, by its name without prefix. */
  cookie: (name: string) => string | undefined;
}

interface CallResult<C extends Call> {
  data: CallData<C>;
  /** What the customer reads (S§8). */
  message?: string;
  /** Fields beside `data`, where the call has some (`Call.extra`). */
  extra?: Readonly<Record<string, unknown>>;
  /** Other cookies to set or clear. */
  cookies?: readonly Cookie[];
  /** Sets the session cookie. */
  signIn?: SignIn;
  /** Clears the session cookie. */
  signOut?: true;
}

export type CallHandler<C extends Call> = (request: CallRequest<C>) => Promise<CallResult<C>>;

/**
 * Serves one call of the contract. Before the handler runs, the request has passed the contract:
 * session (401), role (403), content type (415), size (413), form (400), no card (400), fields (400), and a
 * `userId` in the input is the session's own (403), and so are the accounts that it names (403). Errors are
 * thrown as ApiError.
 */
export function registerCall<C extends Call>(
  app: Hono,
  call: C,
  deps: Pick<Deps, 'database' | 'settings'>,
  handler: CallHandler<C>,
): void {
  const action = actionOf(call);
  serveCall(app, call, action, deps, async (request) => {
    const { input, session } = request;
    if (session && action !== 'anyone') {
      await checkAccounts(deps.database.db, session, action, input);
    }
    return handler(request);
  });
}

/** As `registerCall`, of a call that needn't be the contract's: who may call it is told. */
export function serveCall<C extends Call>(
  app: Hono,
  call: C,
  action: Action | 'anyone',
  deps: Pick<Deps, 'settings'>,
  handler: CallHandler<C>,
): void {
  app.on(call.method, call.path, async (c) => {
    const session = c.get('session');
    if (call.session === 'required' && !session) throw noSession(c.get('sessionEnd'));
    // Before anything is read: what isn't theirs to do tells nothing.
    if (action !== 'anyone' && session && !maySomewhere(session, action)) throw notAllowed(action);
    refuseCardNumbers(deps.settings, PARSERS.query(c, ''));
    const rawBody = await receive(c, call.encoding);
    const received = PARSERS[call.encoding](c, rawBody);
    refuseCardNumbers(deps.settings, received);
    const input = parseInput(call, received);
    if (call.session === 'required') refuseOtherUser(session, input);
    const result = await handler({
      input,
      session: session as CallRequest<C>['session'],
      address: c.get('address'),
      userAgent: maskCardNumbers(c.req.header('user-agent') ?? '').slice(0, 300),
      idempotencyKey: c.req.header('idempotency-key'),
      requestId: c.get('requestId'),
      cookie: (name) => readCookie(c, deps, name),
    });
    return answer(c, deps, result);
  });
  refuseOtherMethods(app, call);
}

const ACTIONS: ReadonlyMap<Call, Action | 'anyone'> = new Map(
  (Object.keys(CALLS) as Array<keyof typeof CALLS>).map((name) => [
    CALLS[name],
    CALL_ACTIONS[name],
  ]),
);

/** What isn't a call of the contract can't be served: nobody would know who may call it. */
function actionOf(call: Call): Action | 'anyone' {
  const action = ACTIONS.get(call);
  if (!action) throw new Error(`${call.path} has no action in call-actions.ts.`);
  return action;
}

const CONTENT_TYPES: Record<Exclude<Encoding, 'query'>, string> = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
};

/** The body of a call as text. @throws ApiError `wrong_content_type`, `body_too_large`, `malformed_body` */
export async function receive(
  c: Context,
  encoding: Encoding,
  maxBytes = BODY_MAX_BYTES,
): Promise<string> {
  if (encoding === 'query') return '';
  const wanted = CONTENT_TYPES[encoding];
  if (!isContentType(c, wanted)) {
    throw new ApiError('wrong_content_type', `Please send this call as ${wanted}.`);
  }
  return readBody(c.req.raw, maxBytes);
}

/** The type alone, or with `charset=utf-8`; a compressed body isn't read. */
function isContentType(c: Context, wanted: string): boolean {
  const [type = '', ...parameters] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  const isPlain = (c.req.header('content-encoding') ?? 'identity') === 'identity';
  const isUtf8 = parameters.every((parameter) =>
    /^\s*(charset\s*=\s*"?utf-8"?\s*)?$/.test(parameter),
  );
  return type.trim() === wanted && isPlain && isUtf8;
}

const PARSERS: Record<Encoding, (c: Context, rawBody: string) => Record<string, unknown>> = {
  query: (c) => parseParameters(new URL(c.req.url).search),
  form: (_c, rawBody) => parseParameters(rawBody),
  json: (_c, rawBody) => parseRequestObject(rawBody),
};

const GENERAL_RULE = 'This value is missing or invalid';

/**
 * Only fields the schema names are read, and only the input's own; a missing one is handed over as
 * undefined, because valibot then answers with the field's own message instead of "invalid key".
 */
function parseInput(call: Call, received: Record<string, unknown>): unknown {
  const { tokenInput } = call;
  const schema =
    tokenInput && Object.hasOwn(received, 'confirmationToken') ? tokenInput : call.input;
  const named = Object.keys('entries' in schema ? (schema.entries ?? {}) : {});
  const fields = named.map((name): [string, unknown] => [
    name,
    Object.hasOwn(received, name) ? received[name] : undefined,
  ]);
  const result = v.safeParse(schema, Object.fromEntries(fields), {
    abortPipeEarly: true,
    message: GENERAL_RULE,
  });
  if (result.success) return result.output;
  throw invalidInput(result.issues);
}

/** The first message of a form that doesn't pass, and one for each of its fields. */
export function invalidInput(issues: readonly v.BaseIssue<unknown>[]): ApiError {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    const name = issue.path?.[0]?.key;
    if (typeof name === 'string') fields[name] ??= issue.message;
  }
  return new ApiError('invalid_input', issues[0]?.message ?? GENERAL_RULE, { fields });
}

/** The session decides who asks, and where; `userId` in a body may only repeat it (D2). */
function refuseOtherUser(session: Session | undefined, input: unknown): void {
  if (typeof input !== 'object' || input === null || !('userId' in input)) return;
  if (String(input.userId).toLowerCase() !== session?.memberId) {
    throw new ApiError('not_yours', 'This belongs to another customer.');
  }
}

function answer<C extends Call>(
  c: Context,
  deps: Pick<Deps, 'settings'>,
  result: CallResult<C>,
): Response {
  if (result.signIn) setSessionCookie(c, deps, result.signIn);
  if (result.signOut) clearSessionCookie(c, deps);
  for (const cookie of result.cookies ?? []) writeCookie(c, deps, cookie);
  const body: SuccessAnswer<unknown> = {
    ...result.extra,
    status: 'success',
    ...(result.message !== undefined && { message: result.message }),
    data: result.data,
  };
  const text = JSON.stringify(body);
  return text.length > LARGE_CHARACTERS ? packed(c, text) : plain(c, text);
}

/** Thousands of connected accounts are 2.5 MB; what is small isn't worth the time. */
const LARGE_CHARACTERS = 64 * 1024;

function plain(c: Context, text: string): Response {
  return c.body(text, 200, { 'content-type': 'application/json' });
}
