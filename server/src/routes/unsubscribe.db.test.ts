import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { sealSecret } from '#server/kit/sealed-secret.ts';
import type { Mail } from '#server/adapters/mail/mailer.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { type Subscribed, unsubscribeUrl } from '#server/mail/unsubscribe-link.ts';
import { createApp } from '#server/main/app.ts';
import { ApiClient } from '#test/calls/api-client.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { reportLink } from '#test/people/report-link.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runReports } from '#server/read-model/reports/report-mail.job.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';

const BAKER = 'baker@example.test';
let deps: TestDeps;
let app: Hono;
let owner: Customer;
let viewer: Customer;
let workspaceId: WorkspaceId;

beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  await payPlan(deps, owner);
  viewer = await joinAs(deps, app, owner, 'house.viewer', 'Viewer');
  ({ workspace_id: workspaceId } = await deps.database.db
    .selectFrom('account')
    .select('workspace_id')
    .where('ig_username', '=', 'house')
    .executeTakeFirstOrThrow());
});
afterAll(() => deps.database.close());

const choose = (addresses: string[], members: Customer[]) =>
  owner.client.call(CALLS.saveReportMail, {
    userId: owner.user.id,
    clientId: null,
    addresses,
    memberIds: members.map(({ user }) => user.id),
  });

async function readers(): Promise<{ addresses: string[]; members: string[] }> {
  const asked = { userId: owner.user.id, clientId: null };
  const { data } = (await owner.client.call(CALLS.findReportMail, asked)).body;
  const chosen = data?.members.filter(({ isChosen }) => isChosen) ?? [];
  return { addresses: data?.addresses ?? [], members: chosen.map(({ email }) => email).toSorted() };
}

/** The reports of a month, as they are mailed. */
async function mails(): Promise<Mail[]> {
  const { db } = deps.database;
  await db.deleteFrom('owed_mail').execute();
  await db.deleteFrom('sent_report').execute();
  const due_at = new Date(deps.clock.now());
  await db.updateTable('report_mail').set({ due_at }).execute();
  await runReports(deps);
  const rows = await db.selectFrom('owed_mail').selectAll().orderBy('id').execute();
  return (await Promise.all(rows.map((row) => composeMail(deps, row)))).flatMap(
    (mail) => mail ?? [],
  );
}

/** As a mail program does with what stands in a mail’s headers: no cookie, no origin. */
function oneClick(mail: Mail | undefined, body = mail?.headers?.['List-Unsubscribe-Post'] ?? '') {
  const url = new URL(mail?.headers?.['List-Unsubscribe'].slice(1, -1) ?? '');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return app.request(url.pathname + url.search, { method: 'POST', headers, body });
}

const actions = async (): Promise<string[]> => {
  const rows = await deps.database.db
    .selectFrom('audit_event')
    .select(['action', 'actor'])
    .where('workspace_id', '=', workspaceId)
    .where('action', 'in', [
      'report_mail_stopped',
      'alert_mail_stopped',
      'report_address_confirmed',
    ])
    .orderBy('seq')
    .execute();
  return rows.map(({ action, actor }) => `${action} ${actor === 'visitor' ? actor : 'member'}`);
};

test('one click in a mail program takes its reader out of the reports, and nobody else', async () => {
  await choose([BAKER], [owner, viewer]);
  await owner.client.call(CALLS.confirmReports, { token: await reportLink(deps, BAKER) });
  const sent = await mails();
  const to = (email: string): Mail | undefined => sent.find((mail) => mail.to === email);
  for (const mail of sent) {
    const url = mail.headers?.['List-Unsubscribe'].slice(1, -1) ?? 'none';
    expect(mail.text).toContain(`Unsubscribe: ${url}`);
    expect(mail.html).toContain(`href="${url}"`);
  }
  expect(sent.map((mail) => mail.to)).toHaveLength(3);
  // A program that only opens links, or sends something else, stops nothing.
  expect((await oneClick(to(BAKER), '')).status).toBe(400);
  expect(await readers()).toMatchObject({ addresses: [BAKER] });
  expect((await oneClick(to(BAKER))).status).toBe(200);
  expect(await readers()).toEqual({
    addresses: [],
    members: [owner.user.email, viewer.user.email].toSorted(),
  });
  const multipart =
    'x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\nx';
  expect((await oneClick(to(viewer.user.email), multipart)).status).toBe(200);
  expect((await readers()).members).toEqual([owner.user.email]);
  // Once more changes nothing, and what nobody reads isn't mailed.
  expect((await oneClick(to(viewer.user.email))).status).toBe(200);
  expect((await oneClick(to(owner.user.email))).status).toBe(200);
  expect(await mails()).toEqual([]);
  expect(await actions()).toEqual([
    'report_address_confirmed visitor',
    'report_mail_stopped visitor',
    'report_mail_stopped member',
    'report_mail_stopped member',
  ]);
  // Who unsubscribed is asked again before anything is mailed.
  await choose([BAKER], []);
  expect(await mails()).toEqual([]);
});

test('the link at the foot of the daily alerts stops them and nothing else, without a session', async () => {
  const { user_id: userId } = await deps.database.db
    .selectFrom('membership')
    .select('user_id')
    .where('id', '=', viewer.user.id)
    .executeTakeFirstOrThrow();
  const choice = { workspace_id: workspaceId, user_id: userId, mail_hour: 8 };
  const mail_at = new Date(deps.clock.now());
  await deps.database.db
    .insertInto('alert_choice')
    .values({ ...choice, mail_at })
    .execute();
  const url = new URL(unsubscribeUrl(deps, { kind: 'alert_digest', workspaceId, userId }));
  const token = url.searchParams.get('token') ?? '';
  const { body } = await new ApiClient(app).call(CALLS.unsubscribe, { token });
  expect(body).toMatchObject({ status: 'success', data: { stopped: 'alert_digest' } });
  const kept = await deps.database.db
    .selectFrom('alert_choice')
    .select(['mail_hour', 'mail_at'])
    .where('user_id', '=', userId)
    .execute();
  expect(kept).toEqual([{ mail_hour: null, mail_at: null }]);
  expect((await actions()).at(-1)).toBe('alert_mail_stopped member');
});

test('a link that isn’t one of ours, or is sealed for something else, stops nothing', async () => {
  await choose([], [owner]);
  const subscribed: Subscribed = { kind: 'client_report', workspaceId, userId: owner.user.id };
  const { appSecret } = deps.settings;
  const sealed = (purpose: string, secret = appSecret) =>
    sealSecret({ appSecret: secret, random: deps.random }, purpose, JSON.stringify(subscribed));
  const good = new URL(unsubscribeUrl(deps, subscribed)).searchParams.get('token') ?? '';
  const broken = `${good.slice(0, 40)}${good[40] === 'A' ? 'B' : 'A'}${good.slice(41)}`;
  for (const token of [sealed('report-confirmation'), sealed('unsubscribe', 'other'), broken]) {
    const { body } = await new ApiClient(app).call(CALLS.unsubscribe, { token });
    expect(body.code).toBe('not_found');
    const answer = await app.request(`/unsubscribe?token=${token}`, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
    });
    expect(answer.status).toBe(404);
  }
  expect((await readers()).members).toEqual([owner.user.email]);
  // The workspace that it names is gone: nothing is left to stop.
  const gone = { ...subscribed, workspaceId: owner.user.id as WorkspaceId };
  const token = new URL(unsubscribeUrl(deps, gone)).searchParams.get('token') ?? '';
  const { body } = await new ApiClient(app).call(CALLS.unsubscribe, { token });
  expect(body.status).toBe('success');
});
