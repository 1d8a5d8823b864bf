import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { PASSWORD, registerCustomer } from '#test/people/customers.ts';
import { runDeletionRaces } from '#test/deletion-races/run-deletion-races.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps } from '#test/test-deps.ts';
import {
  deleteMembership,
  findMembership,
  moveHome,
} from '#server/identity/members/membership.repository.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';

/** `DELETIONS=3` races each call as often; `npm run sim:deletion` plays more. */
const ROUNDS = Number(process.env['DELETIONS'] ?? 2);

test('a deletion raced with each call that writes leaves nothing of anybody behind', async () => {
  const deps = await createTestDeps();
  const { answers, problems, refusedOnce } = await runDeletionRaces(deps, {
    rounds: ROUNDS,
    seed: 20_261_122,
  });
  await deps.database.close();
  expect(problems).toEqual([]);
  // Both sides have won, and a payment under way has held a deletion up.
  const words = Object.keys(answers);
  expect(words.filter((word) => /(no_session|session_ended)$/.test(word)).length).toBeGreaterThan(
    3,
  );
  expect(words.filter((word) => word.endsWith('200')).length).toBeGreaterThan(3);
  expect(refusedOnce).toBeGreaterThan(0);
});

test('whoever is removed from their home while they delete their account is told, and stays', async () => {
  const deps = await createTestDeps();
  const app = createApp(deps);
  const ada = await registerCustomer(app, deps, 'ada');
  await joinAs(deps, app, ada, 'bob', 'Owner');
  const { db } = deps.database;
  const workspaceId = ada.user.membership?.workspaceId ?? '';
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return rows.length > 0;
  };
  const [locked, waited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const removal = deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    locked.resolve();
    await waited.promise;
    const member = await findMembership(tx, { workspaceId, userId: ada.user.id });
    if (!member) throw new Error('Nobody is there.');
    await deleteMembership(tx, member);
    const [home, memberId] = [deps.ids.uuid(), deps.ids.uuid()];
    await moveHome(tx, member, { workspaceId: home, memberId, now: new Date(deps.clock.now()) });
  });
  await locked.promise;
  // Begun out here: inside, it would count as part of the open transaction.
  const answer = ada.client.call(CALLS.deleteAccount, { userId: ada.user.id, password: PASSWORD });
  await expect.poll(isWaiting).toBe(true);
  waited.resolve();
  await removal;
  expect((await answer).body.code).toBe('session_ended');
  const people = await db.selectFrom('app_user').select('email').orderBy('email').execute();
  await deps.database.close();
  expect(people.map(({ email }) => email)).toEqual(['ada@example.test', 'bob@example.test']);
});
