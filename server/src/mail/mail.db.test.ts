import type { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createNode, newShopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { createJobQueue, stopJobQueue } from '#server/kit/jobs/job-queue.ts';
import { forwardMails, mailWork, sendMail } from './queue.job.ts';
import { insertMail, insertTicketMail } from './owed-mail.repository.ts';

let deps: TestDeps;
let boss: PgBoss;
const workspaceId = '00000000-0000-7000-8000-000000000001';
const userId = '00000000-0000-7000-8000-000000000002';

beforeAll(async () => {
  deps = await createTestDeps();
  boss = createJobQueue(deps);
  await boss.start();
  await boss.createQueue(mailWork(deps).name, mailWork(deps).options);
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
afterAll(async () => {
  await stopJobQueue(boss);
  await deps.database.close();
});
beforeEach(async () => {
  await deps.database.db.deleteFrom('owed_mail').execute();
  await boss.deleteAllJobs('mail');
});

async function owe(): Promise<string> {
  const id = deps.ids.uuid();
  await deps.database.transaction((tx) =>
    insertMail(tx, {
      workspaceId,
      id,
      payload: { kind: 'welcome', userId },
      now: new Date(deps.clock.now()),
    }),
  );
  return id;
}

const jobIds = async (): Promise<string[]> =>
  (await boss.findJobs('mail')).map(({ id }) => id).toSorted();
const job = (id: string) => ({ id, data: { workspaceId } });

test('a mail owed becomes one job under its own id, however often it is forwarded', async () => {
  const id = await owe();
  await Promise.all([forwardMails(deps, boss), forwardMails(deps, boss)]);
  await forwardMails(deps, boss);
  expect(await jobIds()).toEqual([id]);
});

test('a mail owed by a transaction that failed never becomes a job', async () => {
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
  await forwardMails(deps, boss);
  expect(await jobIds()).toEqual([]);
});

test('the job says where the mail is, and nothing of what it says', async () => {
  await owe();
  await forwardMails(deps, boss);
  expect((await boss.findJobs('mail')).map(({ data }) => data)).toEqual([{ workspaceId }]);
});

test('a mail is sent once to its person; the first one has no word that was typed at sign-up', async () => {
  const id = await owe();
  const before = deps.mailer.sent.length;
  expect(await sendMail(deps, job(id))).toBe('done');
  expect(await sendMail(deps, job(id))).toBe('done');
  const sent = deps.mailer.sent.slice(before);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ id, to: 'ada@example.test', subject: 'Welcome to Ovation' });
  expect(JSON.stringify(sent[0])).not.toMatch(/Ada/);
});

test('while the mail server is down a mail stays owed', async () => {
  const id = await owe();
  const before = deps.mailer.sent.length;
  deps.mailer.queue({ kind: 'unavailable', reason: 'down' });
  expect(await sendMail(deps, job(id))).toBe('again');
  expect(deps.mailer.sent).toHaveLength(before);
  expect(await sendMail(deps, job(id))).toBe('done');
  expect(deps.mailer.sent).toHaveLength(before + 1);
});

test('an address refused for good is not tried again', async () => {
  const id = await owe();
  deps.mailer.queue({ kind: 'refused', reason: 'no such person' });
  expect(await sendMail(deps, job(id))).toBe('done');
});

test('a mail whose subject is gone is let go', async () => {
  const id = deps.ids.uuid();
  const now = new Date(deps.clock.now());
  const payload = { kind: 'receipt', chargeId: deps.ids.uuid() } as const;
  await deps.database.transaction((tx) => insertMail(tx, { workspaceId, id, payload, now }));
  const before = deps.mailer.calls.length;
  expect(await sendMail(deps, job(id))).toBe('done');
  expect(deps.mailer.calls).toHaveLength(before);
});

test('a ticket goes to support, whoever wrote it', async () => {
  const ticket = { name: 'Bo', email: 'bo@example.test', message: 'Why?\n\nReally.' };
  const ticketId = deps.ids.uuid();
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) => insertTicketMail(tx, { ...ticket, ticketId, now }));
  await forwardMails(deps, boss);
  const [queued] = await boss.findJobs<{ workspaceId: string }>('mail');
  if (!queued) throw new Error('no job');
  await sendMail(deps, queued);
  expect(deps.mailer.sentTo('support@example.test').at(-1)?.text).toContain('bo@example.test');
});

test('a paid checkout owes one receipt, which shows three digits of the card', async () => {
  const shopper = await newShopper(deps, 'receipt.of.ada');
  const told = await createNode(deps)(shopper, 'receipt');
  if (told.kind !== 'paid') throw told.error;
  const { workspaceId: of } = shopper.session;
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .selectAll()
    .where('workspace_id', '=', of)
    .execute();
  expect(rows.map(({ payload }) => payload.kind)).toEqual(['receipt']);
  await sendMail(deps, { id: rows[0]?.id ?? '', data: { workspaceId: of } });
  const { text = '' } = deps.mailer.sentTo(`${shopper.session.userId}@example.test`)[0] ?? {};
  expect(text).toContain('You paid $17.00');
  expect(text).toContain('card ending in 242.');
  expect(text).not.toContain('4242');
});
