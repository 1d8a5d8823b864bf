import type { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import type { Mail } from '#server/adapters/mail/mailer.ts';
import { createJobQueue, stopJobQueue } from '#server/kit/jobs/job-queue.ts';
import { createApp } from '#server/main/app.ts';
import { createQueueJob, forwardMails, mailWork, sendMail } from '#server/mail/queue.job.ts';
import { deleteOldMails, OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';
import { findUser } from '#server/identity/users/user.repository.ts';
import { type Customer, PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { payer } from '#test/money/paying-customer.ts';
import { joinAs } from '#test/people/team.ts';
import { newShopper } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { deleteAccount } from './delete-account.service.ts';

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
beforeEach(async () => {
  await deps.database.db.deleteFrom('owed_mail').execute();
});
afterAll(() => deps.database.close());

const remove = ({ client, user }: Customer, password = PASSWORD) =>
  client.call(CALLS.deleteAccount, { userId: user.id, password });

const owed = () => deps.database.db.selectFrom('owed_mail').selectAll().execute();

async function sendOwed(): Promise<void> {
  for (const { id, workspace_id: workspaceId } of await owed()) {
    await sendMail(deps, { id, data: { workspaceId } });
  }
}

async function mailTo(customer: Customer): Promise<Mail | undefined> {
  expect((await remove(customer)).httpStatus).toBe(200);
  await sendOwed();
  return deps.mailer.sentTo(customer.user.email).at(-1);
}

test('whoever deletes their account gets one last mail, and no row has their address', async () => {
  const ada = await registerCustomer(app, deps, 'ada', { email: 'ada-gone@example.test' });
  await deps.database.db.deleteFrom('owed_mail').execute();
  await remove(ada);
  const rows = await owed();
  expect(rows.map((row) => [row.workspace_id, row.payload.kind])).toEqual([
    [OPERATOR_WORKSPACE_ID, 'account_deleted'],
  ]);
  expect(JSON.stringify(rows)).not.toContain('ada-gone');
  await sendOwed();
  await sendOwed();
  const sent = deps.mailer.sentTo('ada-gone@example.test');
  expect(sent.map(({ subject }) => subject)).toEqual(['Your Ovation account was deleted']);
  expect(sent[0]?.text).toContain('No refund is open.');
  expect(sent[0]?.text).not.toContain('workspaces');
  expect(await owed()).toEqual([]);
});

test('a deletion that is refused owes no mail', async () => {
  const bo = await registerCustomer(app, deps, 'bo');
  await deps.database.db.deleteFrom('owed_mail').execute();
  expect((await remove(bo, 'wrong password')).httpStatus).toBe(401);
  expect(await owed()).toEqual([]);
});

test('a deletion whose mail can’t be owed deletes nothing', async () => {
  const { session } = await newShopper(deps, 'hal');
  const passwords = { hash: async () => 'x', verify: async () => true };
  const random = { ...deps.random, bytes: () => expect.fail('nothing can be sealed') };
  const deletion = deleteAccount({ ...deps, passwords, random }, session, 'any');
  await expect(deletion).rejects.toThrow('nothing can be sealed');
  expect(await findUser(deps.database.db, session)).toBeDefined();
});

test('the mail says what still goes back', async () => {
  const cem = await payer(app, deps, 'cem');
  const asked = { userId: cem.user.id, igUsername: 'cem' };
  expect((await cem.client.call(CALLS.moneyBack, asked)).httpStatus).toBe(200);
  const requested = await mailTo(cem);
  expect(requested?.text).toContain('You’ve asked for $17.00 back. It will still be paid.');
  const dee = await payer(app, deps, 'dee');
  await sql`insert into refund (workspace_id, id, charge_id, reason, gateway_key, amount_cents, created_at,
      next_attempt_at)
    select workspace_id, id, id, 'returned', 'key', 1234, created_at, created_at from charge
    where workspace_id = ${dee.workspaceId}`.execute(deps.database.db);
  const owing = await mailTo(dee);
  expect(owing?.text).toContain('$12.34 still goes back to the card you paid with.');
});

test('whoever was in a workspace of others is told that it goes on', async () => {
  const eve = await registerCustomer(app, deps, 'eve');
  const member = await joinAs(deps, app, eve, 'eve.member', 'Manager');
  const mail = await mailTo(member);
  expect(mail?.text).toContain('The workspaces you shared continue without you.');
});

/** A worker process, until it has sent so many mails since it was started. */
async function work(count: number): Promise<void> {
  const [stop, before] = [new AbortController(), deps.mailer.sent.length];
  const running = createQueueJob(deps, []).run(stop.signal);
  try {
    await expect.poll(() => deps.mailer.sent.length - before).toBe(count);
  } finally {
    stop.abort();
    await running;
  }
}

test('a process that ends between deletion and mail sends it once when it is started again', async () => {
  const fay = await registerCustomer(app, deps, 'fay');
  await deps.database.db.deleteFrom('owed_mail').execute();
  await remove(fay);
  // It has handed the mail over, and is gone before it has sent it.
  const boss = createJobQueue(deps);
  await boss.start();
  await boss.createQueue(mailWork(deps).name, mailWork(deps).options);
  // Known before it is needed in a transaction, as by a worker's start.
  await boss.insert('mail', []);
  await forwardMails(deps, boss);
  await stopJobQueue(boss);
  expect(deps.mailer.sentTo(fay.user.email)).toEqual([]);
  await work(1);
  // The next one sends the next mail, and this one is gone.
  const next = await registerCustomer(app, deps, 'fay.next');
  await work(1);
  expect(deps.mailer.sentTo(next.user.email)).toHaveLength(1);
  expect(deps.mailer.sentTo(fay.user.email)).toHaveLength(1);
  expect((await owed()).map(({ payload }) => payload.kind)).toEqual(['welcome']);
});

test.each(['refused', 'given up'] as const)(
  'an address whose mail is %s is forgotten',
  async (how) => {
    const gil = await registerCustomer(app, deps, `gil.${how.length}`);
    await deps.database.db.deleteFrom('owed_mail').execute();
    await remove(gil);
    if (how === 'refused') deps.mailer.queue({ kind: 'refused', reason: 'no such person' });
    else deps.mailer.queue({ kind: 'unavailable', reason: 'down' });
    await deps.database.db.updateTable('owed_mail').set({ next_attempt_at: null }).execute();
    await sendOwed();
    expect(await owed()).toHaveLength(how === 'refused' ? 0 : 1);
    deps.clock.advance(1000);
    await deleteOldMails(deps.database.db, new Date(deps.clock.now()), 'account_deleted');
    expect(await owed()).toEqual([]);
  },
);
