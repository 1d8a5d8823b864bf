import type { Context } from 'hono';
import { type CallPlan, afterWork, beforeWork, leaveHanging, planCall } from '../call-faults.ts';
import type { SandboxContext } from '../context.ts';
import { inTransaction } from '../state.ts';
import type { AccountIds } from './account-ids.ts';
import { idsNamedBy, isAimedAt, subjectOf } from './aim.ts';
import { type FormFields, groupField, parseForm, textField } from './form.ts';
import { type GatewayAnswer, GatewayRefusal, unknownObject } from './gateway-answer.ts';
import { type IdempotencyKeys, fingerprintOf } from './idempotency.ts';

interface HandledCall {
  fields: FormFields;
  idempotencyKey: string | undefined;
  /** Of a browser: it sees less. */
  isBrowser: boolean;
}

type Work = (call: HandledCall) => GatewayAnswer;

/**
 * What every call of the gateway passes: the key is checked, faults are played, a POST with an
 * idempotency key is held, replayed or kept together with its effect in one transaction.
 *
 * `mayBrowser` opens a call to publishable keys; it is asked about the client secret that came along.
 */
export type CallHandler = (
  c: Context,
  call: string,
  work: Work,
  mayBrowser?: (clientSecret: string) => boolean,
) => Promise<Response>;

interface HandlerParts {
  keys: IdempotencyKeys;
  ids: AccountIds;
  /** Whatever has that id, as shown; for `expand[]` and for aiming faults. */
  lookUp: LookUp;
}

export function openHandler(ctx: SandboxContext, parts: HandlerParts): CallHandler {
  const { keys, ids, lookUp } = parts;
  return async (c, call, work, mayBrowser) => {
    ctx.stats.count(call);
    const headers = { 'request-id': ids.newId('req') };
    let plan: CallPlan = { delayMs: 0, ending: 'answer' };
    try {
      const { account, isBrowser } = readApiKey(c);
      const isPost = c.req.method === 'POST';
      const key = isPost ? c.req.header('idempotency-key') : undefined;
      const fields = parseForm(isPost ? await c.req.text() : '');
      const named = idsNamedBy(c, fields);
      plan = planCall(ctx, 'cards', call, (fault) =>
        isAimedAt(fault, subjectOf(account, { ids: named, fields, lookUp })),
      );
      const run = (): GatewayAnswer =>
        ids.actAs(account, () => {
          refuseForeign(named, ids);
          if (isBrowser)
            checkBrowser(
              mayBrowser,
              textField(fields, 'client_secret') ?? c.req.query('client_secret'),
            );
          const answer = work({ fields, idempotencyKey: key, isBrowser });
          const paths = pathsToExpand(fields, c.req.query());
          if (paths.length === 0 || answer.status !== 200) return answer;
          return { ...answer, body: expandAnswer(answer.body, paths, lookUp) };
        });
      const visit = { c, plan, headers };
      if (key === undefined) {
        return await plainCall(visit, () => (isPost ? inTransaction(ctx.db, run) : run()));
      }
      return await keyedCall(ctx, keys, { ...visit, key, fields }, run);
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error;
      const { status, details } = error;
      const answer = { status, body: { error: details } };
      return afterWork(plan, c, toResponse(answer, headers));
    }
  };
}

/** @throws GatewayRefusal as for an id that doesn't exist */
function refuseForeign(named: readonly string[], ids: AccountIds): void {
  const foreign = named.find((id) => ids.isForeign(id));
  if (foreign !== undefined) throw unknownObject('object', foreign, 404);
}

/** @throws GatewayRefusal */
function checkBrowser(
  mayBrowser: ((clientSecret: string) => boolean) | undefined,
  clientSecret: string | undefined,
): void {
  const type = 'invalid_request_error' as const;
  if (!mayBrowser) {
    const message =
      'This API call cannot be made with a publishable API key. Please use a secret API key.';
    throw new GatewayRefusal(401, { type, code: 'secret_key_required', message });
  }
  if (mayBrowser(clientSecret ?? '')) return;
  const message = 'The client_secret provided does not match the client_secret of this object.';
  throw new GatewayRefusal(400, { type, message, param: 'client_secret' });
}

interface Visit {
  c: Context;
  plan: CallPlan;
  headers: Record<string, string>;
}

async function plainCall(
  { c, plan, headers }: Visit,
  work: () => GatewayAnswer,
): Promise<Response> {
  const early = await beforeWork(plan, c);
  if (early) return early;
  const answer = work();
  if (answer.isHeldBack) return leaveHanging(c);
  return afterWork(plan, c, toResponse(answer, headers));
}

async function keyedCall(
  ctx: SandboxContext,
  keys: IdempotencyKeys,
  visit: Visit & { key: string; fields: FormFields },
  work: () => GatewayAnswer,
): Promise<Response> {
  const { c, plan, headers, key, fields } = visit;
  const fingerprint = fingerprintOf(c.req.path.replace(/^\/stripe/, ''), fields);
  keys.hold(key);
  let answer: GatewayAnswer;
  let isReplay = true;
  try {
    const early = await beforeWork(plan, c);
    if (early) return early;
    const kept = keys.find(key, fingerprint);
    isReplay = kept !== undefined;
    answer =
      kept ??
      inTransaction(ctx.db, () => {
        const fresh = work();
        keys.keep(key, fingerprint, isSticky(plan) ? BROKEN : fresh);
        return fresh;
      });
  } finally {
    keys.release(key);
  }
  if (answer.isHeldBack && !isReplay) return leaveHanging(c);
  const replayed = isReplay ? { 'idempotent-replayed': 'true' } : {};
  return afterWork(
    plan,
    c,
    toResponse(answer, { ...headers, 'idempotency-key': key, ...replayed }),
  );
}

/** With `error_after {sticky: true}` the broken answer itself is what the key replays from then on. */
function isSticky({ ending, fault }: CallPlan): boolean {
  return ending === 'error_after' && fault?.options['sticky'] === true;
}

const BROKEN: GatewayAnswer = {
  status: 500,
  body: { error: { type: 'api_error', message: 'Something broke.' } },
};

function toResponse({ status, body }: GatewayAnswer, headers: Record<string, string>): Response {
  return Response.json(body, { status, headers });
}

/** @throws GatewayRefusal 401 for anything but a test key. */
function readApiKey(c: Context): { account: string; isBrowser: boolean } {
  const authorization = c.req.header('authorization') ?? '';
  const [, kind, account] = /^Bearer (sk|pk)_test_(\w+)$/.exec(authorization) ?? [];
  if (account !== undefined) return { account, isBrowser: kind === 'pk' };
  throw new GatewayRefusal(401, {
    type: 'invalid_request_error',
    message: 'Only keys that begin with sk_test_ or pk_test_ are taken here.',
  });
}

type LookUp = (id: string) => object | undefined;

/**
 * Puts objects in place of their ids, where `expand[]` asks for it: `payment_method`, `data.charge`,
 * `latest_charge.payment_method`. Ids that lead nowhere stay as they are.
 */
function expandAnswer(body: object, paths: readonly string[], lookUp: LookUp): object {
  return paths.reduce((expanded, path) => expandPath(expanded, path.split('.'), lookUp), body);
}

/** The paths of a call: of its body, or of its address (`expand[0]=…`, `expand[]=…`). */
function pathsToExpand(fields: FormFields, query: Record<string, string>): string[] {
  const inBody = Object.values(groupField(fields, 'expand'));
  const inAddress = Object.entries(query).flatMap(([name, value]) =>
    /^expand\[\d*\]$/.test(name) ? [value] : [],
  );
  return [...inBody, ...inAddress].filter((path) => typeof path === 'string');
}

function expandPath(body: object, path: readonly string[], lookUp: LookUp): object {
  const [first, ...rest] = path;
  if (first === undefined) return body;
  const value: unknown = Object.entries(body).find(([name]) => name === first)?.[1];
  if (Array.isArray(value)) {
    const items = value.filter((item) => typeof item === 'object' && item !== null);
    return { ...body, [first]: items.map((item: object) => expandPath(item, rest, lookUp)) };
  }
  const found = typeof value === 'string' ? lookUp(value) : value;
  if (typeof found !== 'object' || found === null) return body;
  return { ...body, [first]: expandPath(found, rest, lookUp) };
}
