import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { whileTimePasses } from '#test/while-time-passes.ts';
import { ApiError } from '../api-error.ts';
import {
  createSubmits,
  paymentBeingChecked,
  type SubmitOutcome,
  type SubmitRequest,
  type Submits,
} from './submit.service.ts';

let deps: TestDeps;
let submits: Submits;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const submit: SubmitRequest = {
  workspaceId: '00000000-0000-7000-8000-00000000000a',
  userId: '00000000-0000-7000-8000-00000000000b',
  call: '/pay',
  idempotencyKey: 'form-1',
  form: { amount: 9.99 },
};

beforeEach(async () => {
  submits = createSubmits(deps);
  await deps.database.db.deleteFrom('workspace').execute();
  await deps.database.db
    .insertInto('workspace')
    .values({ id: submit.workspaceId, created_at: new Date(deps.clock.now()) })
    .execute();
});

/** Work that counts its runs and answers with the number. */
function counting(): {
  work: (attemptId: string) => Promise<SubmitOutcome<number>>;
  attempts: string[];
} {
  const attempts: string[] = [];
  return {
    attempts,
    work: async (attemptId) => {
      attempts.push(attemptId);
      return { kind: 'done', data: attempts.length };
    },
  };
}

const codeOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    (answer) => answer,
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  );

test('the same key and body gets the same answer and the work runs once', async () => {
  const { work, attempts } = counting();
  expect(await submits.run(submit, work)).toEqual({ data: 1 });
  expect(await submits.run(submit, work)).toEqual({ data: 1 });
  expect(await createSubmits(deps).run(submit, work)).toEqual({ data: 1 });
  expect(attempts).toHaveLength(1);
});

test('the same key with another body is a conflict, also while the first still runs', async () => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = submits.run(submit, async () => {
    begin();
    await held;
    return { kind: 'done', data: 1 };
  });
  await begun;
  const other = { ...submit, form: { amount: 17 } };
  expect(await codeOf(submits.run(other, counting().work))).toBe('idempotency_conflict');
  resolve();
  await first;
  expect(await codeOf(submits.run(other, counting().work))).toBe('idempotency_conflict');
});

test('the kept hash knows nothing of a card but its last four digits', async () => {
  const hashOf = async (ccNum: string, cvv: string) => {
    await deps.database.db.deleteFrom('submit').execute();
    await submits.run({ ...submit, form: { amount: 9.99, ccNum, cvv } }, counting().work);
    const kept = deps.database.db.selectFrom('submit').select('body_hash');
    return (await kept.executeTakeFirstOrThrow()).body_hash.toString('hex');
  };
  const first = await hashOf('4242424242424242', '123');
  expect(await hashOf('5555555555554242', '987')).toBe(first);
  expect(await hashOf('4000000000000002', '123')).not.toBe(first);
});

test('keys of different calls and users do not meet', async () => {
  const { work, attempts } = counting();
  await submits.run(submit, work);
  await submits.run({ ...submit, call: '/pay/other' }, work);
  expect(attempts).toHaveLength(2);
  const stranger = { ...submit, userId: '00000000-0000-7000-8000-00000000000c' };
  expect(await codeOf(submits.run(stranger, work))).toBe('idempotency_conflict');
});

test('50 twins at once in this process share one run', async () => {
  const { work, attempts } = counting();
  const twins = Array.from({ length: 50 }, () => submits.run(submit, work));
  expect(await Promise.all(twins)).toEqual(Array.from({ length: 50 }, () => ({ data: 1 })));
  expect(attempts).toHaveLength(1);
});

test('a twin in another process waits for the answer', async () => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const first = submits.run(submit, async () => {
    begin();
    await held;
    return { kind: 'done', data: 1 };
  });
  await begun;
  const { work, attempts } = counting();
  const twin = createSubmits(deps).run(submit, work);
  await deps.clock.untilAsleep();
  resolve();
  expect(await first).toEqual({ data: 1 });
  expect(await whileTimePasses(deps, twin)).toEqual({ data: 1 });
  expect(attempts).toHaveLength(0);
});

test('a twin waits at most 30 seconds, in this process and in another', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  void submits.run(submit, () => {
    begin();
    return new Promise<never>(() => undefined);
  });
  await begun;
  const { work, attempts } = counting();
  const twins = [submits.run(submit, work), createSubmits(deps).run(submit, work)].map(codeOf);
  expect(await whileTimePasses(deps, Promise.all(twins))).toEqual([
    'payment_unknown',
    'payment_unknown',
  ]);
  // Had they waited for the lease to end, one would have run the work.
  expect(attempts).toHaveLength(0);
});

test('a submit whose process died is taken over after its lease, as the same attempt', async () => {
  const { promise: died, resolve } = Promise.withResolvers<string>();
  void createSubmits(deps).run(submit, (attemptId) => {
    resolve(attemptId);
    return new Promise<never>(() => undefined);
  });
  const attemptId = await died;
  deps.clock.advance(120_000);
  const { work, attempts } = counting();
  const repeats = [submits.run(submit, work), submits.run(submit, work)];
  expect(await Promise.all(repeats)).toEqual([{ data: 1 }, { data: 1 }]);
  expect(attempts).toEqual([attemptId]);
});

test('a refusal before anything was begun frees the key for a corrected form', async () => {
  const refusing = () => Promise.reject(new ApiError('card_invalid', 'no'));
  expect(await codeOf(submits.run(submit, refusing))).toBe('card_invalid');
  const { work } = counting();
  expect(await submits.run({ ...submit, form: { amount: 9.99, fixed: 1 } }, work)).toEqual({
    data: 1,
  });
});

test('a final refusal is the answer of every repeat', async () => {
  const error = new ApiError('card_declined', 'no', { fields: { ccNum: 'Declined' } });
  expect(await codeOf(submits.run(submit, async () => ({ kind: 'refused', error })))).toBe(
    'card_declined',
  );
  const repeat = submits.run(submit, counting().work);
  await expect(repeat).rejects.toMatchObject({
    code: 'card_declined',
    message: 'no',
    fields: { ccNum: 'Declined' },
  });
});

test('an unsettled or failed submit runs again as the same attempt', async () => {
  const seen: string[] = [];
  const unsettled = async (attemptId: string): Promise<SubmitOutcome<number>> => {
    seen.push(attemptId);
    return { kind: 'unsettled', error: paymentBeingChecked() };
  };
  expect(await codeOf(submits.run(submit, unsettled))).toBe('payment_unknown');
  const failing = (attemptId: string) => {
    seen.push(attemptId);
    return Promise.reject(new Error('database gone'));
  };
  await expect(submits.run(submit, failing)).rejects.toThrow('database gone');
  const { work, attempts } = counting();
  await submits.run(submit, work);
  expect(new Set([...seen, ...attempts]).size).toBe(1);
});

test('an overtaken submit that gives up late does not free the key under its successor', async () => {
  const { promise: late, reject: giveUp } = Promise.withResolvers<never>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const overtaken = createSubmits(deps).run(submit, () => {
    begin();
    return late;
  });
  await begun;
  deps.clock.advance(120_000);
  const { promise: held, resolve: finish } = Promise.withResolvers<void>();
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const successor = submits.run(submit, async () => {
    take();
    await held;
    return { kind: 'done', data: 'paid' };
  });
  await taken;
  giveUp(new ApiError('network_throttled', 'later'));
  expect(await codeOf(overtaken)).toBe('network_throttled');
  finish();
  await successor;
  expect(await submits.run(submit, counting().work)).toEqual({ data: 'paid' });
});

test('without a key the same body is one submit for 10 seconds, and a new one afterwards', async () => {
  const { work, attempts } = counting();
  const keyless = { ...submit, idempotencyKey: undefined };
  expect(await submits.run(keyless, work)).toEqual({ data: 1 });
  deps.clock.advance(9999);
  expect(await submits.run(keyless, work)).toEqual({ data: 1 });
  deps.clock.advance(1);
  expect(await submits.run(keyless, work)).toEqual({ data: 2 });
  expect(await submits.run({ ...keyless, form: {} }, work)).toEqual({ data: 3 });
  expect(new Set(attempts).size).toBe(3);
});

test('without a key an unsettled submit stays the same attempt after 10 seconds too', async () => {
  const keyless = { ...submit, idempotencyKey: undefined };
  const seen: string[] = [];
  const unsettled = async (attemptId: string): Promise<SubmitOutcome<number>> => {
    seen.push(attemptId);
    return { kind: 'unsettled', error: paymentBeingChecked() };
  };
  await codeOf(submits.run(keyless, unsettled));
  deps.clock.advance(3_600_000);
  await codeOf(submits.run(keyless, unsettled));
  expect(new Set(seen).size).toBe(1);
});

test('a key that is no key is refused', async () => {
  for (const idempotencyKey of ['', 'a b', 'ü', 'x'.repeat(201)]) {
    expect(await codeOf(submits.run({ ...submit, idempotencyKey }, counting().work))).toBe(
      'invalid_input',
    );
  }
});
