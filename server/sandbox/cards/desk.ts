import type { Context } from 'hono';
import type { CallPlan } from '../call-faults.ts';
import { afterWork, beforeWork, leaveHanging, planCall } from '../call-faults.ts';
import type { SandboxContext } from '../context.ts';
import { inTransaction } from '../state.ts';
import type { FormFields } from './form.ts';
import { parseForm } from './form.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { GatewayRefusal } from './gateway-answer.ts';
import type { IdempotencyKeys } from './idempotency.ts';
import { fingerprintOf } from './idempotency.ts';

export interface DeskCall {
  fields: FormFields;
  idempotencyKey: string | undefined;
}

/**
 * What every call of the gateway passes: the key is checked, faults are played, a POST with an
 * idempotency key is held, replayed or kept together with its effect in one transaction.
 */
export type Desk = (
  c: Context,
  call: string,
  work: (call: DeskCall) => GatewayAnswer,
) => Promise<Response>;

export function openDesk(
  ctx: SandboxContext,
  keys: IdempotencyKeys,
  newId: (prefix: string) => string,
): Desk {
  return async (c, call, work) => {
    ctx.stats.count(call);
    const plan = planCall(ctx, 'cards', call);
    const headers = { 'request-id': newId('req') };
    try {
      checkApiKey(c);
      const isPost = c.req.method === 'POST';
      const key = isPost ? c.req.header('idempotency-key') : undefined;
      const fields = parseForm(isPost ? await c.req.text() : '');
      if (key === undefined) {
        return await plainCall({ c, plan, headers }, () => work({ fields, idempotencyKey: key }));
      }
      return await keyedCall(ctx, keys, { c, plan, headers, key, fields }, work);
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error;
      const { status, details } = error;
      const answer = { status, body: { error: details } };
      return afterWork(plan, c, toResponse(answer, headers));
    }
  };
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
  work: (call: DeskCall) => GatewayAnswer,
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
        const fresh = work({ fields, idempotencyKey: key });
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
function checkApiKey(c: Context): void {
  const authorization = c.req.header('authorization') ?? '';
  if (/^Bearer sk_test_\w+$/.test(authorization)) return;
  throw new GatewayRefusal(401, {
    type: 'invalid_request_error',
    message: 'Only keys that begin with sk_test_ are taken here.',
  });
}
