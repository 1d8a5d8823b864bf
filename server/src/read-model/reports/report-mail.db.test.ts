import type { Hono } from 'hono';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { sendMail } from '#server/mail/queue.job.ts';
import { createApp } from '#server/main/app.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { pdfLines } from '#test/pdf-text.ts';
import { payPlan } from '#test/money/paying-customer.ts';
import { reportLink } from '#test/people/report-link.ts';
import { joinAs } from '#test/people/team.ts';
import { countUses } from '#test/people/counted-uses.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runReports } from './report-mail.job.ts';
import { LOGO_BYTES_MAX } from './report-mail.service.ts';

let deps: TestDeps;
let app: Hono;
let owner: Customer;
let viewer: Customer;
let editor: Customer;
let bakery: string;

beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
  owner = await registerCustomer(app, deps, 'house');
  await payPlan(deps, owner);
  viewer = await joinAs(deps, app, owner, 'the.viewer', 'Viewer');
  editor = await joinAs(deps, app, owner, 'the.editor', 'Editor');
  bakery = await makeClient(owner, 'Bakery');
  await connectFor(deps, owner, 'bread', bakery);
  await grant(owner, viewer, [{ clientId: bakery, role: 'Viewer' }]);
});
afterAll(() => deps.database.close());

const BAKER = 'baker@example.test';
const MONTH_MS = 32 * 86_400_000;

const choose = (
  by: Customer,
  clientId: string | null,
  addresses: string[],
  members: Customer[] = [],
) =>
  by.client.call(CALLS.saveReportMail, {
    userId: by.user.id,
    clientId,
    addresses,
    memberIds: members.map(({ user }) => user.id),
  });

const brand = (by: Customer, name: string, logo?: string | null) =>
  by.client.call(CALLS.saveReportBrand, { userId: by.user.id, clientId: null, name, logo });

/** The report mails that are owed and weren't sent, each by its id. */
async function owed(): Promise<Array<{ id: string; workspaceId: string; month: string }>> {
  const rows = await deps.database.db
    .selectFrom('owed_mail')
    .select(['id', 'workspace_id', 'payload'])
    .where('sent_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ id, workspace_id: workspaceId, payload }) =>
    payload.kind === 'client_report' ? [{ id, workspaceId, month: payload.month }] : [],
  );
}

test('only who names clients says who is mailed, and for clients that are there', async () => {
  const nobodys = '01890000-0000-7000-8000-000000000001';
  const answers = [
    await choose(editor, bakery, [BAKER]),
    await brand(editor, 'Mine'),
    await choose(owner, nobodys, [BAKER]),
    await owner.client.call(CALLS.saveReportBrand, {
      userId: owner.user.id,
      clientId: nobodys,
      name: 'Mine',
    }),
    await owner.client.call(CALLS.findReportMail, { userId: owner.user.id, clientId: nobodys }),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual([
    'not_allowed',
    'not_allowed',
    'not_found',
    'not_found',
    'not_found',
  ]);
  expect((await brand(owner, '')).httpStatus).toBe(200);
  await countUses(deps, LIMITS.reportMail, LIMITS.reportMail.uses);
  const refused = [await brand(owner, ''), await choose(owner, bakery, [])];
  expect(refused.map(({ body }) => body.code)).toEqual(['rate_limited', 'rate_limited']);
  deps.clock.advance(LIMITS.reportMail.perMs);
});

test('an agency’s logo is a picture of our own making; what is none, or too large, is refused', async () => {
  const picture = {
    create: { width: 1200, height: 300, channels: 4, background: '#7a1f2b' },
  } as const;
  const png = await sharp(picture).png().toBuffer();
  const bad = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    Buffer.from('not a picture'),
    png.subarray(0, png.length / 2),
    await sharp(picture).webp().toBuffer(),
    Buffer.concat([png, Buffer.alloc(LOGO_BYTES_MAX + 1 - png.length)]),
  ];
  for (const bytes of bad) {
    const { body } = await brand(owner, 'Acme', bytes.toString('base64'));
    expect(body.fields).toEqual({ logo: 'Please choose a PNG or JPEG of at most 45 KB.' });
  }
  const { body } = await brand(owner, 'Acme', png.toString('base64'));
  const kept = Buffer.from(body.data?.brand?.logo ?? '', 'base64');
  expect(await sharp(kept).metadata()).toMatchObject({
    format: 'png',
    width: 480,
    height: 120,
    hasAlpha: false,
  });
  // Without one the one there is stays.
  await brand(owner, 'Acme & Daughters');
  const asked = { userId: owner.user.id, clientId: bakery };
  const report = await owner.client.call(CALLS.downloadReport, asked);
  const pdf = Buffer.from(report.body.data?.pdf ?? '', 'base64');
  expect(pdfLines(pdf)).toContain('Acme & Daughters');
  expect(pdf.includes('/Width 480')).toBe(true);
});

test('a client’s report goes out once a month, to members and addresses, wherever the worker dies', async () => {
  const { body } = await choose(owner, bakery, [BAKER], [viewer]);
  await owner.client.call(CALLS.confirmReports, { token: await reportLink(deps, BAKER) });
  await choose(owner, null, [], [viewer]);
  const { month, at = '' } = body.data?.next ?? {};
  expect(Date.parse(at)).toBeGreaterThan(deps.clock.now());
  await runReports(deps);
  expect(await owed()).toEqual([]);
  deps.clock.advance(Date.parse(at) - deps.clock.now());
  // The process ends while the mails are written, at the first of them and at the second.
  for (const last of [0, 1]) {
    let made = 0;
    const uuid = (): string => {
      if (made === last) throw new Error('killed');
      made += 1;
      return deps.ids.uuid();
    };
    await runReports({ ...deps, ids: { uuid } });
    expect(await owed()).toEqual([]);
    // Nobody else has it until the lease is over.
    await runReports(deps);
    expect(await owed()).toEqual([]);
    deps.clock.advance(300_000);
  }
  await Promise.all([runReports(deps), runReports(deps)]);
  const mails = await owed();
  expect(mails.map((mail) => mail.month)).toEqual([month, month, month]);
  deps.clock.advance(300_000);
  await runReports(deps);
  // Whoever asks again for the same month gets it once all the same.
  await deps.database.db
    .updateTable('report_mail')
    .set({ month: month ?? '', due_at: new Date(deps.clock.now()) })
    .execute();
  await runReports(deps);
  expect(await owed()).toEqual(mails);
  for (const { id, workspaceId } of mails) await sendMail(deps, { id, data: { workspaceId } });
  const [sent, ...more] = deps.mailer.sentTo(BAKER);
  expect(more).toEqual([]);
  expect(sent?.attachment?.fileName).toBe(`report-bakery-${month}.pdf`);
  expect(pdfLines(sent?.attachment?.content ?? Buffer.alloc(0))).toContain('@bread');
  expect(sent?.text).toContain('/unsubscribe?token=');
  const toViewer = deps.mailer.sentTo(viewer.user.email).filter(({ attachment }) => attachment);
  expect(toViewer).toHaveLength(1);
  expect(toViewer[0]?.text).not.toContain('remove your address');
});

test('a member who no longer sees the client gets no report, and nobody one that was taken back', async () => {
  deps.clock.advance(MONTH_MS);
  await runReports(deps);
  // They see one client, and this is of all accounts; the client's own goes to them and to the baker.
  const due = (await owed()).slice(-3);
  const before = deps.mailer.sent.length;
  for (const { id, workspaceId } of due) {
    await sendMail(deps, { id, data: { workspaceId } });
  }
  const titles = deps.mailer.sent.slice(before).map(({ subject }) => subject.split(':')[0]);
  expect(titles).toEqual(['Bakery', 'Bakery']);
  await deps.database.db.deleteFrom('report_mail').execute();
  const left = await owed();
  deps.clock.advance(MONTH_MS);
  await runReports(deps);
  expect(await owed()).toEqual(left);
});
