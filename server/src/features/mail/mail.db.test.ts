import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { sendDueMails } from './mail.job.ts';
import { insertMail } from './outbox.repository.ts';

let deps: TestDeps;
const workspaceId = '00000000-0000-7000-8000-000000000001';
const userId = '00000000-0000-7000-8000-000000000002';

beforeAll(async () => {
  deps = await createTestDeps();
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    await tx.insertInto('workspace').values({ id: workspaceId, created_at: now }).execute();
    await tx
      .insertInto('app_user')
      .values({
        workspace_id: workspaceId,
        id: userId,
        name: 'Ada <b>',
        email: 'ada@example.test',
        phone: '5551234567',
        password_hash: 'x',
        package: 1,
        time_zone: 'UTC',
        default_account_id: null,
        created_at: now,
      })
      .execute();
  });
});
afterAll(() => deps.database.close());
beforeEach(() => deps.database.db.deleteFrom('outbox').execute());

const owe = (): Promise<void> =>
  deps.database.transaction((tx) =>
    insertMail(tx, {
      workspaceId,
      id: deps.ids.uuid(),
      payload: { kind: 'welcome', userId },
      now: new Date(deps.clock.now()),
    }),
  );

test('a mail owed is sent once, to its person, with the name as text and never as markup', async () => {
  const before = deps.mailer.sent.length;
  await owe();
  await sendDueMails(deps);
  await sendDueMails(deps);
  const sent = deps.mailer.sent.slice(before);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ to: 'ada@example.test', subject: 'Welcome to Ovation' });
  expect(sent[0]?.text).toContain('Welcome, Ada <b>');
  expect(sent[0]?.html).toContain('Welcome, Ada &lt;b&gt;');
});

test('a mail owed by a transaction that failed is not sent', async () => {
  const before = deps.mailer.sent.length;
  await deps.database
    .transaction(async (tx) => {
      await insertMail(tx, {
        workspaceId,
        id: deps.ids.uuid(),
        payload: { kind: 'welcome', userId },
        now: new Date(deps.clock.now()),
      });
      throw new Error('changed my mind');
    })
    .catch(() => undefined);
  await sendDueMails(deps);
  expect(deps.mailer.sent).toHaveLength(before);
});

test('while the mail server is down a mail waits, longer each time, and goes out when it is back', async () => {
  await owe();
  const before = deps.mailer.sent.length;
  deps.mailer.queue(
    { kind: 'unavailable', reason: 'down' },
    { kind: 'unavailable', reason: 'down' },
  );
  await sendDueMails(deps);
  deps.clock.advance(4999);
  await sendDueMails(deps);
  deps.clock.advance(1);
  await sendDueMails(deps);
  deps.clock.advance(9999);
  await sendDueMails(deps);
  expect(deps.mailer.sent).toHaveLength(before);
  deps.clock.advance(1);
  await sendDueMails(deps);
  expect(deps.mailer.sent).toHaveLength(before + 1);
});

test('an address refused for good is not tried again', async () => {
  await owe();
  const before = deps.mailer.sent.length;
  deps.mailer.queue({ kind: 'refused', reason: 'no such person' });
  await sendDueMails(deps);
  deps.clock.advance(86_400_000);
  await sendDueMails(deps);
  expect(deps.mailer.sent).toHaveLength(before);
});

test('two workers never send the same mail', async () => {
  await Promise.all(Array.from({ length: 30 }, owe));
  const before = deps.mailer.sent.length;
  await Promise.all([sendDueMails(deps), sendDueMails(deps)]);
  await sendDueMails(deps);
  const ids = deps.mailer.sent.slice(before).map(({ id }) => id);
  expect(ids).toHaveLength(30);
  expect(new Set(ids).size).toBe(30);
});
