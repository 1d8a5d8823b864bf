import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import {
  booksOf,
  chargesOf,
  NOTHING,
  PAID_ONCE,
  RETURNED,
  runJanitor,
  SLOW_CARD,
} from '#test/money/checkout-books.ts';
import { createNode, loseAccount, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { createChargeJanitorJob, settleDueCharges } from '../payments/charge-janitor.job.ts';

let deps: TestDeps;
let submit: ReturnType<typeof createNode>;
beforeAll(async () => {
  deps = await createTestDeps();
  submit = createNode(deps);
});
afterAll(() => deps.database.close());

/** A node that reaches a gateway with some calls answered otherwise. */
const withGateway = (changes: Partial<CardGateway>): TestDeps => ({
  ...deps,
  gateway: { ...deps.gateway, ...changes },
});
const unanswered = () => Promise.resolve({ kind: 'unknown' as const, reason: 'reset' });

test('a gateway that times out after charging: 503 now, settled once, repeats get it', async () => {
  const shopper = await newShopper(deps, 'slow');
  const told = await submit(shopper, 'form', SLOW_CARD);
  expect(told).toMatchObject({
    error: {
      code: 'payment_unknown',
      message: 'Your payment is being checked. Please do not pay again.',
    },
  });
  expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'unknown' }]);
  // A repeat at once, and another form for the same account, charge nothing and say the same.
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  expect(wordOf(await submit(shopper, 'other-form'))).toBe('payment_unknown');
  expect(deps.gateway.charges.filter(({ state }) => state === 'succeeded')).toHaveLength(1);

  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
  const settled = await submit(shopper, 'form', SLOW_CARD);
  expect(wordOf(settled)).toBe('paid');
  expect(await submit(shopper, 'form', SLOW_CARD)).toEqual(settled);
  expect(wordOf(await submit(shopper, 'other-form'))).toBe('account_already_subscribed');
  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a repeat settles an unknown payment by itself when the janitor has not been round', async () => {
  const shopper = await newShopper(deps, 'impatient');
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  deps.clock.advance(5000);
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('paid');
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a charge that never reached the gateway is sent again under its own key', async () => {
  const shopper = await newShopper(deps, 'lost_request');
  const keys = deps.gateway.calls.length;
  const failing = withGateway({ charge: unanswered });
  expect(wordOf(await createNode(failing)(shopper, 'form'))).toBe('payment_unknown');
  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
  const [charge] = await chargesOf(deps, shopper);
  const sent = deps.gateway.calls.slice(keys).filter(({ call }) => call === 'charge');
  expect(sent).toEqual([{ call: 'charge', key: charge?.gateway_key }]);
});

test('after 23 hours a lost charge is only looked up: found it counts, absent it is over', async () => {
  const found = await newShopper(deps, 'found_late');
  expect(wordOf(await submit(found, 'form', SLOW_CARD))).toBe('payment_unknown');
  const absent = await newShopper(deps, 'absent_late');
  const silent = withGateway({ charge: unanswered });
  expect(wordOf(await createNode(silent)(absent, 'form'))).toBe('payment_unknown');
  deps.clock.advance(24 * HOUR_MS);
  const calls = deps.gateway.calls.length;
  await runJanitor(deps, MINUTE_MS);
  expect(new Set(deps.gateway.calls.slice(calls).map(({ call }) => call))).toEqual(
    new Set(['findCharge']),
  );
  expect(await booksOf(deps, found)).toEqual(PAID_ONCE);
  expect(await booksOf(deps, absent)).toEqual(NOTHING);
  expect(wordOf(await submit(absent, 'form'))).toBe('payment_unavailable');
  expect(wordOf(await submit(absent, 'form'))).toBe('paid');
  expect(await booksOf(deps, absent)).toEqual(PAID_ONCE);
});

test('a gateway that stays silent is asked ever more rarely, and the payment stays open', async () => {
  const shopper = await newShopper(deps, 'silence');
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  const askedAtMs: number[] = [];
  const silent = withGateway({
    findCharge: () => {
      askedAtMs.push(deps.clock.now());
      return unanswered();
    },
  });
  await runJanitor(silent, 4 * HOUR_MS, 10_000);
  expect(askedAtMs.length).toBeLessThan(40);
  const gaps = askedAtMs.slice(1).map((atMs, index) => atMs - (askedAtMs[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10 * MINUTE_MS + 10_000);
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  await runJanitor(deps, 11 * MINUTE_MS, 10_000);
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a request the gateway refuses as such charges nothing and frees the account', async () => {
  const shopper = await newShopper(deps, 'rejected');
  const refusing = withGateway({
    charge: () => Promise.resolve({ kind: 'rejected', reason: 'api_key_expired' }),
  });
  expect(wordOf(await createNode(refusing)(shopper, 'form'))).toBe('payment_unavailable');
  expect(await booksOf(deps, shopper)).toEqual(NOTHING);
  expect(wordOf(await submit(shopper, 'form'))).toBe('paid');
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a lost charge that the gateway doesn’t know and refuses is over after an hour, not after 23', async () => {
  const shopper = await newShopper(deps, 'refused_again');
  const silent = withGateway({ charge: unanswered });
  expect(wordOf(await createNode(silent)(shopper, 'form'))).toBe('payment_unknown');
  const refusing = withGateway({
    charge: () => Promise.resolve({ kind: 'rejected', reason: 'api_key_expired' }),
  });
  await runJanitor(refusing, 50 * MINUTE_MS, 5 * MINUTE_MS);
  expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'unknown' }]);
  await runJanitor(refusing, 25 * MINUTE_MS, 5 * MINUTE_MS);
  expect(await chargesOf(deps, shopper)).toMatchObject([
    { state: 'declined', decline_code: 'rejected' },
  ]);
  expect(wordOf(await submit(shopper, 'form'))).toBe('payment_unavailable');
  expect(wordOf(await submit(shopper, 'form'))).toBe('paid');
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a payment whose account was taken meanwhile goes back by itself, once', async () => {
  const shopper = await newShopper(deps, 'taken');
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  await loseAccount(deps, shopper);
  deps.clock.advance(5000);
  const told = await submit(shopper, 'form', SLOW_CARD);
  expect(told).toMatchObject({
    error: {
      message:
        'This account got a plan or was removed while you were paying. We’re returning your payment in full.',
    },
  });
  await runJanitor(deps, 5 * MINUTE_MS);
  expect(await booksOf(deps, shopper)).toEqual(RETURNED);
  expect(await chargesOf(deps, shopper)).toMatchObject([
    { state: 'succeeded', is_returned: true, next_check_at: null },
  ]);
  const repeat = await submit(shopper, 'form', SLOW_CARD);
  expect(repeat).toMatchObject({ error: { code: 'account_already_subscribed' } });
});

test('a refund whose answer is lost is found at the gateway and pays back once', async () => {
  const shopper = await newShopper(deps, 'refund_lost');
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  await loseAccount(deps, shopper);
  const losing = withGateway({
    refund: async (request) => {
      await deps.gateway.refund(request);
      return unanswered();
    },
  });
  deps.clock.advance(5000);
  await settleDueCharges(losing);
  const sent = (): number => deps.gateway.calls.filter(({ call }) => call === 'refund').length;
  const before = sent();
  await runJanitor(deps, 5 * MINUTE_MS);
  expect(sent()).toBe(before);
  expect(await booksOf(deps, shopper)).toEqual(RETURNED);
});

test('news that a given-up charge succeeded after all sends the money back', async () => {
  const shopper = await newShopper(deps, 'late_success');
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const stuck = withGateway({
    charge: async (request) => {
      reach();
      await answered;
      return deps.gateway.charge(request);
    },
  });
  const first = createNode(stuck)(shopper, 'form');
  await reached;
  deps.clock.advance(24 * HOUR_MS);
  await runJanitor(deps, 0);
  expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'declined' }]);
  answer();
  expect(wordOf(await first)).toBe('account_already_subscribed');
  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(deps, shopper)).toEqual(RETURNED);
});

test('an overtaken request’s "no" does not undo what its successor has sent', async () => {
  const shopper = await newShopper(deps, 'overtaken');
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const stuck = withGateway({
    charge: async () => {
      reach();
      await answered;
      return { kind: 'rejected', reason: 'api_key_expired' };
    },
  });
  const first = createNode(stuck)(shopper, 'form', SLOW_CARD);
  await reached;
  deps.clock.advance(MINUTE_MS);
  await runJanitor(deps, 0);
  expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'unknown' }]);
  answer();
  expect(wordOf(await first)).toBe('payment_unknown');
  await runJanitor(deps, 2 * MINUTE_MS);
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('the janitor runs as a job until it is stopped', async () => {
  const shopper = await newShopper(deps, 'job');
  expect(wordOf(await submit(shopper, 'form', SLOW_CARD))).toBe('payment_unknown');
  deps.clock.advance(5000);
  const stop = new AbortController();
  const { promise: idle, resolve } = Promise.withResolvers<void>();
  const clock = {
    now: () => deps.clock.now(),
    sleep: () => {
      resolve();
      stop.abort();
      return Promise.resolve();
    },
  };
  const running = createChargeJanitorJob({ ...deps, clock }).run(stop.signal);
  await idle;
  await running;
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a gateway that took another sum than it was asked to has not been paid', async () => {
  const shopper = await newShopper(deps, 'mismatch');
  const took = { kind: 'mismatch', gatewayChargeId: 'pi_other', reason: 'amount 1700, 1' } as const;
  const wrong = withGateway({
    charge: () => Promise.resolve(took),
    findCharge: () => Promise.resolve(took),
  });
  const logged = deps.logged.length;
  expect(wordOf(await createNode(wrong)(shopper, 'form'))).toBe('payment_unknown');
  await runJanitor(wrong, 2 * HOUR_MS, 10 * MINUTE_MS);
  expect(await booksOf(deps, shopper)).toMatchObject({ subscriptions: 0 });
  expect(deps.logged.slice(logged)).toContainEqual({
    severity: 'error',
    event: 'gateway charged something else',
    fields: { chargeId: expect.any(String), reason: 'amount 1700, 1' },
  });
});
