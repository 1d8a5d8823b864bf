import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { composeMail } from '#server/mail/compose-mail.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

const question = { name: 'Ada', email: 'ada@example.test', message: 'Where are my <likes>?' };

// Shows fact 1.18.
test('a visitor’s question is owed to support as a mail, with the ticket’s number', async () => {
  const { httpStatus, body } = await new ApiClient(app).call(CALLS.addTicket, question);
  expect(httpStatus).toBe(200);
  const ticketId = body.data?.ticketId ?? '';
  const row = await deps.database.db
    .selectFrom('owed_mail')
    .select(['workspace_id', 'id', 'payload'])
    .where('id', '=', ticketId)
    .executeTakeFirstOrThrow();
  const mail = await composeMail(deps, row);
  expect(mail).toMatchObject({ to: 'support@example.test' });
  for (const words of [ticketId, question.email, question.message]) {
    expect(mail?.text).toContain(words);
  }
  expect(mail?.html).toContain('&lt;likes&gt;');
});

test('the same words sent again, as after a lost answer, are the same ticket; an hour later another', async () => {
  const send = async (message: string): Promise<string | undefined> => {
    const client = new ApiClient(app, { address: '203.0.113.77' });
    return (await client.call(CALLS.addTicket, { ...question, message })).body.data?.ticketId;
  };
  const first = await send('Once, please.');
  expect(await send('Once, please.')).toBe(first);
  expect(await send('Something else.')).not.toBe(first);
  deps.clock.advance(3_600_001);
  expect(await send('Once, please.')).not.toBe(first);
});

test('five an hour from one address, any number of addresses', async () => {
  const statuses = [];
  for (let index = 0; index < 6; index += 1) {
    const client = new ApiClient(app, { address: '203.0.113.9' });
    const asked = { ...question, message: `Question ${index}` };
    statuses.push((await client.call(CALLS.addTicket, asked)).httpStatus);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  const other = new ApiClient(app, { address: '203.0.113.10' });
  expect((await other.call(CALLS.addTicket, question)).httpStatus).toBe(200);
});

test('an empty message or a bad address is named as such', async () => {
  const bad = { name: 'Ada', email: 'ada', message: '  ' };
  const { httpStatus, body } = await new ApiClient(app).call(CALLS.addTicket, bad);
  expect(httpStatus).toBe(400);
  expect(body.fields).toEqual({
    email: 'Please enter a valid email address',
    message: 'Please enter a message',
  });
});
