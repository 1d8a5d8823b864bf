import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { whileTimePasses } from '#test/while-time-passes.ts';
import { ApiError } from '../api-error.ts';
import {
  createAttempts,
  type AttemptOutcome,
  type AttemptRequest,
  type Attempts,
} from './attempt.service.ts';

const stillRunning = (): ApiError => new ApiError('payment_unknown', 'Still running.');

let deps: TestDeps;
let attempts: Attempts;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const attempt: AttemptRequest = {
  workspaceId: '00000000-0000-7000-8000-00000000000a',
  userId: '00000000-0000-7000-8000-00000000000b',
  call: '/pay',
  idempotencyKey: 'form-1',
  form: { amount: 9.99 },
};

beforeEach(async () => {
  attempts = createAttempts(deps, stillRunning);
  await deps.database.db.deleteFrom('workspace').execute();
  await deps.database.db
    .insertInto('workspace')
    .values({ id: attempt.workspaceId, created_at: new Date(deps.clock.now()) })
    .execute();
});

/** Work that counts its runs and answers with the number. */
function counting(): {
  work: (attemptId: string) => Promise<AttemptOutcome<number>>;
  attemptIds: string[];
} {
  const attemptIds: string[] = [];
  return {
    attemptIds,
    work: async (attemptId) => {
      attemptIds.push(attemptId);
      return { kind: 'done', data: attemptIds.length };
    },
  };
}

const codeOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    (answer) => answer,
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );

test('the same key and body gets the same answer and the work runs once', async () => {
  const { work, attemptIds } = counting();
  expect(await attempts.run(attempt, work)).toEqual({ data: 1 });
  expect(await attempts.run(attempt, work)).toEqual({ data: 1 });
  expect(await createAttempts(deps, stillRunning).run(attempt, work)).toEqual({ data: 1 });
  expect(attemptIds).toHaveLength(1);
});

test('the same key with another body is a conflict, also while the first still runs', async () => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = attempts.run(attempt, async () => {
    begin();
    await held;
    return { kind: 'done', data: 1 };
  });
  await begun;
  const other = { ...attempt, form: { amount: 17 } };
  expect(await codeOf(attempts.run(other, counting().work))).toBe('idempotency_conflict');
  resolve();
  await first;
  expect(await codeOf(attempts.run(other, counting().work))).toBe('idempotency_conflict');
});

test('the kept hash knows nothing of a card but its last four digits', async () => {
  const hashOf = async (ccNum: string, cvv: string) => {
    await deps.database.db.deleteFrom('attempt').execute();
    await attempts.run({ ...attempt, form: { amount: 9.99, ccNum, cvv } }, counting().work);
    const kept = deps.database.db.selectFrom('attempt').select('body_hash');
    return (await kept.executeTakeFirstOrThrow()).body_hash.toString('hex');
  };
  const first = await hashOf('4242424242424242', '123');
  expect(await hashOf('5555555555554242', '987')).toBe(first);
  expect(await hashOf('4000000000000002', '123')).not.toBe(first);
});

test('keys of different calls and users do not meet', async () => {
  const { work, attemptIds } = counting();
  await attempts.run(attempt, work);
  await attempts.run({ ...attempt, call: '/pay/other' }, work);
  expect(attemptIds).toHaveLength(2);
  const stranger = { ...attempt, userId: '00000000-0000-7000-8000-00000000000c' };
  expect(await codeOf(attempts.run(stranger, work))).toBe('idempotency_conflict');
});

test('50 duplicates at once in this process share one run', async () => {
  const { work, attemptIds } = counting();
  const duplicates = Array.from({ length: 50 }, () => attempts.run(attempt, work));
  expect(await Promise.all(duplicates)).toEqual(Array.from({ length: 50 }, () => ({ data: 1 })));
  expect(attemptIds).toHaveLength(1);
});

test('a duplicate in another process waits for the answer', async () => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = attempts.run(attempt, async () => {
    begin();
    await held;
    return { kind: 'done', data: 1 };
  });
  await begun;
  const { work, attemptIds } = counting();
  const duplicate = createAttempts(deps, stillRunning).run(attempt, work);
  await deps.clock.untilAsleep();
  resolve();
  expect(await first).toEqual({ data: 1 });
  expect(await whileTimePasses(deps, duplicate)).toEqual({ data: 1 });
  expect(attemptIds).toHaveLength(0);
});

test('a duplicate waits at most 30 seconds, in this process and in another', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  void attempts.run(attempt, () => {
    begin();
    return new Promise<never>(() => undefined);
  });
  await begun;
  const { work, attemptIds } = counting();
  const duplicates = [
    attempts.run(attempt, work),
    createAttempts(deps, stillRunning).run(attempt, work),
  ].map(codeOf);
  expect(await whileTimePasses(deps, Promise.all(duplicates))).toEqual([
    'payment_unknown',
    'payment_unknown',
  ]);
  // Had they waited for the lease to end, one would have run the work.
  expect(attemptIds).toHaveLength(0);
});

test('an attempt whose process died is resumed after its lease, as the same attempt', async () => {
  const { promise: died, resolve } = Promise.withResolvers<string>();
  void createAttempts(deps, stillRunning).run(attempt, (attemptId) => {
    resolve(attemptId);
    return new Promise<never>(() => undefined);
  });
  const attemptId = await died;
  deps.clock.advance(120_000);
  const { work, attemptIds } = counting();
  const repeats = [attempts.run(attempt, work), attempts.run(attempt, work)];
  expect(await Promise.all(repeats)).toEqual([{ data: 1 }, { data: 1 }]);
  expect(attemptIds).toEqual([attemptId]);
});

test('a refusal before anything was begun frees the key for a corrected form', async () => {
  const refusing = () => Promise.reject(new ApiError('card_invalid', 'no'));
  expect(await codeOf(attempts.run(attempt, refusing))).toBe('card_invalid');
  const { work } = counting();
  expect(await attempts.run({ ...attempt, form: { amount: 9.99, fixed: 1 } }, work)).toEqual({
    data: 1,
  });
});

test('a final refusal is the answer of every repeat', async () => {
  const error = new ApiError('card_declined', 'no', { fields: { ccNum: 'Declined' } });
  expect(await codeOf(attempts.run(attempt, async () => ({ kind: 'refused', error })))).toBe(
    'card_declined',
  );
  const repeat = attempts.run(attempt, counting().work);
  await expect(repeat).rejects.toMatchObject({
    code: 'card_declined',
    message: 'no',
    fields: { ccNum: 'Declined' },
  });
});

test('an unsettled or failed attempt runs again as the same attempt', async () => {
  const seen: string[] = [];
  const unsettled = async (attemptId: string): Promise<AttemptOutcome<number>> => {
    seen.push(attemptId);
    return { kind: 'unsettled', error: stillRunning() };
  };
  expect(await codeOf(attempts.run(attempt, unsettled))).toBe('payment_unknown');
  const failing = (attemptId: string) => {
    seen.push(attemptId);
    return Promise.reject(new Error('database gone'));
  };
  await expect(attempts.run(attempt, failing)).rejects.toThrow('database gone');
  const { work, attemptIds } = counting();
  await attempts.run(attempt, work);
  expect(new Set([...seen, ...attemptIds]).size).toBe(1);
});

test('an overtaken attempt that gives up late does not free the key under its successor', async () => {
  const { promise: late, reject: giveUp } = Promise.withResolvers<never>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const overtaken = createAttempts(deps, stillRunning).run(attempt, () => {
    begin();
    return late;
  });
  await begun;
  deps.clock.advance(120_000);
  const { promise: held, resolve: finish } = Promise.withResolvers<void>();
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const successor = attempts.run(attempt, async () => {
    take();
    await held;
    return { kind: 'done', data: 'paid' };
  });
  await taken;
  giveUp(new ApiError('network_throttled', 'later'));
  expect(await codeOf(overtaken)).toBe('network_throttled');
  finish();
  await successor;
  expect(await attempts.run(attempt, counting().work)).toEqual({ data: 'paid' });
});

test('without a key the same body is one attempt for 10 seconds, and a new one afterwards', async () => {
  const { work, attemptIds } = counting();
  const keyless = { ...attempt, idempotencyKey: undefined };
  expect(await attempts.run(keyless, work)).toEqual({ data: 1 });
  deps.clock.advance(9999);
  expect(await attempts.run(keyless, work)).toEqual({ data: 1 });
  deps.clock.advance(1);
  expect(await attempts.run(keyless, work)).toEqual({ data: 2 });
  expect(await attempts.run({ ...keyless, form: {} }, work)).toEqual({ data: 3 });
  expect(new Set(attemptIds).size).toBe(3);
});

test('without a key an unsettled attempt stays the same attempt after 10 seconds too', async () => {
  const keyless = { ...attempt, idempotencyKey: undefined };
  const seen: string[] = [];
  const unsettled = async (attemptId: string): Promise<AttemptOutcome<number>> => {
    seen.push(attemptId);
    return { kind: 'unsettled', error: stillRunning() };
  };
  await codeOf(attempts.run(keyless, unsettled));
  deps.clock.advance(3_600_000);
  await codeOf(attempts.run(keyless, unsettled));
  expect(new Set(seen).size).toBe(1);
});

test('a key that is no key is refused', async () => {
  for (const idempotencyKey of ['', 'a b', 'ü', 'x'.repeat(201)]) {
    expect(await codeOf(attempts.run({ ...attempt, idempotencyKey }, counting().work))).toBe(
      'invalid_input',
    );
  }
});
