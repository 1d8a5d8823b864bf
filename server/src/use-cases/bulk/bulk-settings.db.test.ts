import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import { saveSettings } from '#server/use-cases/accounts/delivery-settings.service.ts';
import { viewDeliverySettings } from '#server/delivery/settings/delivery-settings.repository.ts';
import { plantLargeWorkspace } from '#server/main/start/plant-workspace.ts';
import { newSubscriber } from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';
import { startBulk, undoBulk, viewBulk, viewUnmade } from './bulk.service.ts';
import { planBulk } from './plan-bulk.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** Somebody with three accounts, each with a plan. */
async function agency(name: string) {
  const { session } = await newSubscriber(deps, name);
  const size = { accounts: 2, posts: 0, minutesApart: 1, postsPerOrder: 1 };
  await plantLargeWorkspace(deps.database, session.workspaceId, size, deps.clock.now());
  return { session, accounts: await accountsOf(session) };
}

const accountsOf = ({ workspaceId }: Session) =>
  deps.database.db
    .selectFrom('account')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('ig_username')
    .execute();

async function plan(session: Session, change: AskedChange) {
  const operationId = deps.ids.uuid();
  const names = (await accountsOf(session)).map(({ ig_username: name }) => name);
  const changes = names.map((igUsername) => ({ igUsername, change }));
  const page = await planBulk(deps, session, { operationId, from: 0, changes });
  return { ...page, operationId, today: page.today / 100 };
}

const runAll = async (): Promise<void> => {
  while ((await runBulk(deps)) === 'again') continue;
};

test('only the settings that are named change, not over another’s change, and go back', async () => {
  const { session, accounts } = await agency('ada');
  const settingsOf = async () => (await accountsOf(session)).map(viewDeliverySettings);
  const before = await settingsOf();
  const settings = { speed: '2 Hours', range: { min: 50, max: 90 } } as const;
  const change: AskedChange = { kind: 'delivery', settings };
  const shown = await plan(session, change);
  expect(shown).toMatchObject({ planned: 3, today: 0, month: 0 });
  const last = accounts[2];
  if (!last?.ig_id) throw new Error('The third account has no id');
  const others = { automaticLikes: false, speed: '1 Hour', range: null } as const;
  await saveSettings(deps, { ...session, igId: last.ig_id, settings: others });
  await startBulk(deps, session, shown);
  await runAll();
  expect((await viewBulk(deps, session))[0]).toMatchObject({ done: 2, failed: 1, undoable: 2 });
  expect((await viewUnmade(deps, session, shown))[0]?.reason).toContain(
    'changed after you checked these changes',
  );
  const [first, second] = before;
  expect(await settingsOf()).toEqual([
    { ...first, ...settings },
    { ...second, ...settings },
    others,
  ]);
  const outcomes = (await plan(session, change)).items.map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['same', 'same', 'planned']);
  await undoBulk(deps, session, shown.operationId);
  await runAll();
  expect(await settingsOf()).toEqual([first, second, others]);
});

test('an operation is told in one mail, and changes of tags and settings in none', async () => {
  const { session } = await agency('bea');
  const { db } = deps.database;
  const owed = () => db.selectFrom('owed_mail').selectAll().orderBy('created_at').execute();
  const before = new Set((await owed()).map(({ id }) => id));
  const until = new Date(deps.clock.now() + 5 * 86_400_000).toISOString();
  const moves: AskedChange[] = [
    { kind: 'plan', packageIndex: 9 },
    { kind: 'plan', packageIndex: 1 },
    { kind: 'keepPlan' },
    { kind: 'pause', until },
    { kind: 'resume' },
    { kind: 'cancel' },
    { kind: 'tags', add: ['VIP'], remove: [] },
    { kind: 'delivery', settings: { speed: '2 Hours' } },
  ];
  for (const change of moves) {
    await startBulk(deps, session, await plan(session, change));
    await runAll();
    expect((await viewBulk(deps, session))[0]).toMatchObject({ done: 3, failed: 0 });
    deps.clock.advance(1000);
  }
  const rows = (await owed()).filter(({ id }) => !before.has(id));
  const mails = await Promise.all(rows.map((row) => composeMail(deps, row)));
  const said = mails.flatMap((mail) => (mail ? [mail.text] : []));
  expect(said).toHaveLength(6);
  expect(said[0]).toMatch(/made 3 changes\.\n\n\$[\d,.]+ was charged in all\./);
  expect(said[5]).toMatch(/made 3 changes\.\n\nNothing was charged\.\n\n.* less a month\./);
});
