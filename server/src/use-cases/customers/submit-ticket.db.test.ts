import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { Died, dyingDeps, Lifetime } from '#test/processes/dying-process.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { submitTicket } from './support.service.ts';
import { paymentBeingChecked } from '#server/money/charges/payment-error.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const question = { name: 'Ada', email: 'ada@example.test' };

const ticketsAbout = async (message: string): Promise<number> => {
  const rows = await deps.database.db.selectFrom('owed_mail').select('payload').execute();
  return rows.filter(({ payload }) => 'message' in payload && payload.message === message).length;
};

test('a question sent twice, at once and again, is one ticket; another one is a conflict', async () => {
  const client = new ApiClient(app, { address: '203.0.113.11' });
  const send = (message: string) =>
    client.call(CALLS.addTicket, { ...question, message }, { 'idempotency-key': 'ticket-form-1' });
  const [first, duplicate] = await Promise.all([send('Once, please'), send('Once, please')]);
  expect(first.body).toMatchObject({
    status: 'success',
    data: { ticketId: expect.any(String) as string },
    message: 'Your message is on its way to support.',
  });
  expect(duplicate.body).toEqual(first.body);
  deps.clock.advance(2 * HOUR_MS);
  expect((await send('Once, please')).body).toEqual(first.body);
  expect(await ticketsAbout('Once, please')).toBe(1);
  const other = await send('And another thing');
  expect([other.httpStatus, other.body.code]).toEqual([409, 'idempotency_conflict']);
  expect(await ticketsAbout('And another thing')).toBe(0);
});

test('without a key a double click is one ticket, and the same question much later another', async () => {
  const client = new ApiClient(app, { address: '203.0.113.12' });
  const send = () => client.call(CALLS.addTicket, { ...question, message: 'Again?' });
  const [first, duplicate] = await Promise.all([send(), send()]);
  expect(duplicate.body).toEqual(first.body);
  deps.clock.advance(2 * HOUR_MS);
  expect((await send()).body.data?.ticketId).not.toBe(first.body.data?.ticketId);
  expect(await ticketsAbout('Again?')).toBe(2);
});

test('a process that dies while it takes a ticket leaves one ticket to the repeat', async () => {
  const form = { ...question, message: 'Are you there?' };
  const submit = { form, address: '203.0.113.13', idempotencyKey: 'ticket-form-2' };
  for (let dieAfter = 0; ; dieAfter += 1) {
    const dying = dyingDeps(deps, new Lifetime(dieAfter));
    const end: unknown = await submitTicket(
      dying,
      createAttempts(dying, paymentBeingChecked),
      submit,
    ).catch((error: unknown) => error);
    if (!(end instanceof Died)) break;
    deps.clock.advance(2 * 60_000);
  }
  expect(await ticketsAbout('Are you there?')).toBe(1);
});
