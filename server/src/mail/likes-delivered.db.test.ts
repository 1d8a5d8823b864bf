import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import type { TestDeps } from '#test/test-deps.ts';
import { setGrants } from '#server/identity/members/client-grant.repository.ts';
import { savePreference } from '#server/identity/users/user-preference.repository.ts';
import { sendMail } from './queue.job.ts';
import { takeUnforwarded } from './owed-mail.repository.ts';

let bench: DeliveryBench;
let deps: TestDeps;
let workspaceId: string;
beforeAll(async () => {
  bench = await openDeliveryBench();
  ({ deps } = bench);
  ({ workspaceId } = bench.customer);
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  await bench.clear();
  await deps.database.db.deleteFrom('owed_mail').execute();
  await want(true);
});

/** Says whether the customer wants to be mailed. */
async function want(isWanted: boolean): Promise<void> {
  const { db } = deps.database;
  const query = db.selectFrom('app_user').select('id').where('workspace_id', '=', workspaceId);
  const { id: userId } = await query.executeTakeFirstOrThrow();
  await savePreference(db, { workspaceId, userId }, { likes_done_mail: isWanted });
}

/** An order that is delivered in full now; resolves to the id of its post. */
async function deliver(): Promise<string> {
  const id = await bench.placedOrder();
  deps.clock.advance(MINUTE_MS);
  deps.provider.complete(id);
  await bench.poll();
  return (await bench.order(id)).post_id;
}

/** The mails that are due now, sent. */
async function sendDue(): Promise<Array<{ subject: string; text: string }>> {
  const before = deps.mailer.sent.length;
  const now = new Date(deps.clock.now());
  const due = await deps.database.transaction((tx) => takeUnforwarded(tx, { now, limit: 100 }));
  for (const { id } of due) await sendMail(deps, { id, data: { workspaceId } });
  return deps.mailer.sent.slice(before);
}

test('nobody is mailed about likes that are done who did not ask for it', async () => {
  await want(false);
  await deliver();
  deps.clock.advance(11 * MINUTE_MS);
  expect(await sendDue()).toEqual([]);
});

test('a delivered order is told in one mail, with its figures and its receipt', async () => {
  const postId = await deliver();
  expect(await sendDue()).toEqual([]);
  deps.clock.advance(10 * MINUTE_MS);
  const [mail, ...others] = await sendDue();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Likes delivered for @ada');
  for (const words of [
    'Your post on @ada got 20 likes.',
    'All 20 you ordered arrived.',
    'It took 60 seconds from the order to the last like.',
    `/dashboard?post=${postId}`,
  ]) {
    expect(mail?.text).toContain(words);
  }
  deps.clock.advance(10 * MINUTE_MS);
  expect(await sendDue()).toEqual([]);
});

test('orders that end within ten minutes are told together, a later one anew', async () => {
  await deliver();
  deps.clock.advance(5 * MINUTE_MS);
  await deliver();
  deps.clock.advance(5 * MINUTE_MS);
  const both = await sendDue();
  expect(both.map(({ text }) => text)).toEqual([
    expect.stringContaining('2 posts on @ada got 40 likes.') as unknown as string,
  ]);
  await deliver();
  deps.clock.advance(10 * MINUTE_MS);
  const later = await sendDue();
  expect(later.map(({ text }) => text)).toEqual([
    expect.stringContaining('Your post on @ada got 20 likes.') as unknown as string,
  ]);
});

test('whoever turns it off is not mailed about what was waiting either', async () => {
  await deliver();
  await want(false);
  deps.clock.advance(10 * MINUTE_MS);
  expect(await sendDue()).toEqual([]);
});

test('whoever works for one client is mailed about its accounts, as long as they do', async () => {
  const { db } = deps.database;
  const clientId = deps.ids.uuid();
  const created_at = new Date(deps.clock.now());
  await db
    .insertInto('client')
    .values({ workspace_id: workspaceId, id: clientId, name: 'A', archived_at: null, created_at })
    .execute();
  const { user_id: userId } = await db
    .updateTable('membership')
    .set({ role: 'Viewer', all_clients: false })
    .where('workspace_id', '=', workspaceId)
    .returning('user_id')
    .executeTakeFirstOrThrow();
  onTestFinished(async () => {
    await db.updateTable('membership').set({ role: 'Owner', all_clients: true }).execute();
  });
  const grants = [{ clientId, role: 'Viewer' as const }];
  const person = { workspace_id: workspaceId, user_id: userId };
  await db.updateTable('account').set({ client_id: clientId }).execute();
  const grant = (of: typeof grants) => deps.database.transaction((tx) => setGrants(tx, person, of));
  await grant(grants);
  await deliver();
  deps.clock.advance(10 * MINUTE_MS);
  expect(await sendDue()).toHaveLength(1);
  await deliver();
  await grant([]);
  deps.clock.advance(10 * MINUTE_MS);
  expect(await sendDue()).toEqual([]);
});

test('an order that ended early is told by its own mail only', async () => {
  const id = await bench.placedOrder();
  deps.clock.advance(MINUTE_MS);
  deps.provider.advance(id, { status: 'Partial', delivered: 13 });
  await bench.poll();
  deps.clock.advance(10 * MINUTE_MS);
  const mails = await sendDue();
  expect(mails.map(({ subject }) => subject)).toEqual(['13 of 20 likes delivered for @ada']);
});
