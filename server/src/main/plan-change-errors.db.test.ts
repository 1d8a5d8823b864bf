import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { type Payer, payer } from '#test/money/paying-customer.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createApp } from './app.ts';
import { isWithinLimit, type Limit, LIMITS } from '#server/identity/limits/rate-limit.ts';

/** More errors of calls, each asked of the call itself. */
let deps: TestDeps;
let app: Hono;
let ada: Payer;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  ada = await payer(app, deps, 'ada');
});
afterAll(() => deps.database.close());

async function quote(packageIndex: number): Promise<string> {
  const input = { userId: ada.user.id, igUsername: 'ada', packageIndex };
  const { body } = await ada.client.call(CALLS.quotePlan, input);
  if (!body.data) throw new Error(`no quote: ${String(body.code)}`);
  return body.data.quoteId;
}

async function changePlan(quoteId: string, key: string = quoteId): Promise<unknown[]> {
  const headers = { 'idempotency-key': key };
  const input = { userId: ada.user.id, quoteId };
  const { httpStatus, body } = await ada.client.call(CALLS.changePlan, input, headers);
  return [httpStatus, body.code ?? body.message];
}

async function useUp(use: Limit, key: string): Promise<void> {
  for (let used = 0; used < use.uses; used += 1) await isWithinLimit(deps, { ...use, key });
}

test('a plan change that the bank declines, of an unknown quote, or with a used key changes nothing', async () => {
  deps.gateway.queueFailure({ kind: 'declined', code: 'card_declined' });
  expect(await changePlan(await quote(3))).toEqual([402, 'card_declined']);
  deps.gateway.queueFailure({ kind: 'declined', code: 'insufficient_funds' });
  expect(await changePlan(await quote(3))).toEqual([402, 'insufficient_funds']);
  expect(await changePlan('01a1f8d3-ea00-7000-8000-0000000000ff')).toEqual([404, 'not_found']);
  expect(await changePlan(await quote(3), 'form')).toEqual([200, 'Your plan has been changed.']);
  const charges = deps.gateway.charges.length;
  expect(await changePlan(await quote(4), 'form')).toEqual([409, 'idempotency_conflict']);
  expect(deps.gateway.charges).toHaveLength(charges);
});

test('an account that isn’t connected has no plan to pause', async () => {
  const until = new Date(deps.clock.now() + 3 * DAY_MS).toISOString();
  const input = { userId: ada.user.id, igUsername: 'nobody.of.ours', until };
  const { httpStatus, body } = await ada.client.call(CALLS.pauseSubscription, input);
  expect([httpStatus, body.code]).toEqual([404, 'not_found']);
});

test('beyond their limits no document is made and no code is tried', async () => {
  await useUp(LIMITS.dataExport, ada.user.id);
  const document = await ada.client.call(CALLS.exportData, { userId: ada.user.id });
  expect([document.httpStatus, document.body.code]).toEqual([429, 'rate_limited']);
  await useUp(LIMITS.recoveryTry, '203.0.113.9');
  const visitor = new ApiClient(app, { address: '203.0.113.9' });
  const tried = await visitor.call(CALLS.verifyOtp, { email: ada.user.email, otp: '123456' });
  expect([tried.httpStatus, tried.body.code]).toEqual([429, 'rate_limited']);
});

test('posts that can’t be read say why', async () => {
  const { client, user } = await registerCustomer(app, deps, 'unread');
  const posts = async () => {
    const { httpStatus, body } = await client.call(CALLS.getPosts, { igId: user.defaultIgId });
    return [httpStatus, body.code];
  };
  deps.network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
  expect(await posts()).toEqual([503, 'network_unreachable']);
  deps.network.queueRead({ kind: 'unreadable', usage: undefined });
  expect(await posts()).toEqual([404, 'account_unreadable']);
  deps.network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage: undefined });
  expect(await posts()).toEqual([503, 'network_throttled']);
});
