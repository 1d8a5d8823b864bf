import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import type { OwedMailRow } from '#server/mail/owed-mail.repository.ts';
import { createApp } from '#server/main/app.ts';
import { makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { reportLink } from '#test/people/report-link.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { ADDRESSES_LIMIT } from './report-address.service.ts';
import { runReports } from './report-mail.job.ts';

let deps: TestDeps;
let app: Hono;
let owner: Customer;

beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  await payPlan(deps, owner);
});
afterAll(() => deps.database.close());

const choose = async (by: Customer, clientId: string | null, addresses: string[]) =>
  (await by.client.call(CALLS.saveReportMail, choice(by, clientId, addresses))).body;
const choice = (by: Customer, clientId: string | null, addresses: string[]) => ({
  userId: by.user.id,
  clientId,
  addresses,
  memberIds: [],
});

/** Has an address press what the newest mail to it links to. */
async function confirm(email: string): Promise<void> {
  const { body } = await owner.client.call(CALLS.confirmReports, {
    token: await reportLink(deps, email),
  });
  expect(body.code).toBeUndefined();
}

/** The reports that become owed to addresses outside when the next ones are due. */
async function nextMonth(): Promise<{ rows: OwedMailRow[]; to: string[] }> {
  const { db } = deps.database;
  await db
    .updateTable('report_mail')
    .set({ due_at: new Date(deps.clock.now()) })
    .execute();
  const before = await db.selectFrom('owed_mail').select('id').execute();
  await runReports(deps);
  const all = await db.selectFrom('owed_mail').selectAll().orderBy('id').execute();
  const rows = all.filter(({ id }) => !before.some((old) => old.id === id));
  const to = rows.flatMap(({ payload }) => ('address' in payload ? [payload.address] : []));
  return { rows, to: to.toSorted() };
}

test('before the first payment nobody outside can be chosen', async () => {
  const eve = await registerCustomer(app, deps, 'eve.unpaid');
  const refused = await choose(eve, null, ['victim@example.test']);
  expect(refused).toMatchObject({ code: 'invalid_input' });
  expect(refused.fields?.['addresses']).toContain('Before your first payment');
  expect((await nextMonth()).to).toEqual([]);
  await payPlan(deps, eve);
  expect((await choose(eve, null, ['Victim@Example.test'])).data?.addresses).toEqual([
    'victim@example.test',
  ]);
  await confirm('victim@example.test');
  expect((await nextMonth()).to).toEqual(['victim@example.test']);
  await choose(eve, null, []);
});

test('an address is mailed nothing but a link until it has confirmed, and asked once in 48 hours', async () => {
  const email = 'asked@example.test';
  const linksTo = async () => {
    const owed = await deps.database.db.selectFrom('owed_mail').selectAll().execute();
    const asking = owed.filter(({ payload }) => payload.kind === 'report_confirmation');
    const mails = await Promise.all(asking.map((row) => composeMail(deps, row)));
    return mails.flatMap((mail) => (mail?.to === email ? [mail] : []));
  };
  const press = async (token: string) =>
    (await owner.client.call(CALLS.confirmReports, { token })).body.code;
  const userId = owner.user.id;
  const clientId = await makeClient(owner, 'URGENT your bank account');
  await owner.client.call(CALLS.saveReportBrand, { userId, clientId, name: 'Your Bank' });
  const first = await choose(owner, clientId, [email]);
  expect(first.data).toMatchObject({ addresses: [email], waiting: [email] });
  await choose(owner, null, [email]);
  const [mail, ...more] = await linksTo();
  expect(more).toEqual([]);
  // Nothing that somebody in the workspace made up.
  expect(JSON.stringify(mail)).not.toMatch(/URGENT|Bank/);
  expect(mail?.text).toContain(`${owner.user.email}, a customer of Ovation`);
  expect((await nextMonth()).to).toEqual([]);

  // The link ends, and saving sends another; the old one is worth nothing.
  const old = await reportLink(deps, email);
  const link = deps.database.db.updateTable('report_address').where('email', '=', email);
  await link.set({ expires_at: new Date(deps.clock.now()) }).execute();
  expect(await press(old)).toBe('invitation_over');
  await choose(owner, null, [email]);
  const token = await reportLink(deps, email);
  expect([await press(old), await press('A'.repeat(43))]).toEqual(
    Array.from({ length: 2 }, () => 'invitation_over'),
  );
  expect((await nextMonth()).to).toEqual([]);
  expect([await press(token), await press(token)]).toEqual([undefined, undefined]);
  // What asked is moot: it isn't sent any more.
  expect(await linksTo()).toEqual([]);
  // Once for the workspace, whatever the report.
  expect((await nextMonth()).to).toEqual([email, email]);
  const asked = await owner.client.call(CALLS.findReportMail, { userId, clientId });
  expect(asked.body.data).toMatchObject({ addresses: [email], waiting: [] });
  // Who is taken out and put in again is asked again.
  await choose(owner, null, []);
  await choose(owner, clientId, []);
  expect((await choose(owner, null, [email])).data?.waiting).toEqual([email]);
  expect(await press(token)).toBe('invitation_over');
  await choose(owner, null, []);
});

test('one address is added a few times a day, whoever adds it', async () => {
  const other = await registerCustomer(app, deps, 'other');
  await payPlan(deps, other);
  for (let nr = 0; nr < LIMITS.invitedAddress.uses; nr += 1) {
    const by = nr % 2 === 0 ? owner : other;
    expect((await choose(by, null, ['often@example.test'])).code).toBeUndefined();
    // It stays, and isn't counted again.
    expect((await choose(by, null, ['often@example.test'])).code).toBeUndefined();
    await choose(by, null, []);
  }
  expect(await choose(owner, null, ['often@example.test'])).toMatchObject({
    code: 'rate_limited',
    message: 'often@example.test was added too often. Please try again in 24 hours.',
  });
});

test('a workspace has so many addresses outside, over all its reports', async () => {
  const addresses = Array.from({ length: ADDRESSES_LIMIT }, (_, nr) => `a${nr}@example.test`);
  for (const [name, from] of [
    ['One', 0],
    ['Two', 20],
    ['Three', 40],
  ] as const) {
    const clientId = await makeClient(owner, name);
    const { code } = await choose(owner, clientId, addresses.slice(from, from + 20));
    expect(code).toBeUndefined();
  }
  const beyond = await choose(owner, null, ['one.more@example.test']);
  expect(beyond.fields?.['addresses']).toContain(`${ADDRESSES_LIMIT} other addresses at most`);
  // The same address on another report is one address.
  expect((await choose(owner, null, addresses.slice(0, 1))).code).toBeUndefined();
  await deps.database.db.deleteFrom('report_mail').execute();
});

test('who is removed takes their addresses along, and the activity has named them', async () => {
  const manager = await joinAs(deps, app, owner, 'the.manager', 'Manager');
  const clientId = await makeClient(owner, 'Bakery');
  await choose(owner, clientId, ['baker@example.test']);
  await choose(manager, null, ['private@example.test']);
  await confirm('baker@example.test');
  await confirm('private@example.test');
  const activity = await owner.client.call(CALLS.findActivity, { userId: owner.user.id });
  expect(activity.body.data?.entries.slice(0, 4).map(({ text }) => text)).toEqual([
    'Someone confirmed private@example.test for reports by email.',
    'Someone confirmed baker@example.test for reports by email.',
    expect.stringMatching(/ chose who gets the monthly report of all accounts\.$/),
    expect.stringMatching(/ added private@example\.test to those who get reports by email\.$/),
  ]);
  const { rows, to } = await nextMonth();
  expect(to).toEqual(['baker@example.test', 'private@example.test']);
  const gone = { userId: owner.user.id, memberId: manager.user.id };
  await owner.client.call(CALLS.removeMember, gone);
  // Not even what was owed by then.
  const written = await Promise.all(rows.map((row) => composeMail(deps, row)));
  expect(written.flatMap((mail) => mail?.to ?? [])).toEqual(['baker@example.test']);
  expect((await nextMonth()).to).toEqual(['baker@example.test']);
  const asked = { userId: owner.user.id, clientId: null };
  const { body } = await owner.client.call(CALLS.findReportMail, asked);
  expect(body.data?.addresses).toEqual([]);
});

test('a client in the archive is mailed nothing, and the months after it is back', async () => {
  const archive = async (isArchived: boolean) => {
    const { body } = await owner.client.call(CALLS.findClients, { userId: owner.user.id });
    const clientId = body.data?.find(({ name }) => name === 'Bakery')?.id ?? '';
    await owner.client.call(CALLS.archiveClient, { userId: owner.user.id, clientId, isArchived });
  };
  await archive(true);
  expect((await nextMonth()).to).toEqual([]);
  await archive(false);
  expect((await nextMonth()).to).toEqual(['baker@example.test']);
});
