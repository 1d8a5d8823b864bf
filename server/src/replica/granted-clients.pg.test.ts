import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { scopeOf } from '#shared/contract/scope.ts';
import { createApp } from '#server/main/app.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { loggedNow, seenNow } from '#test/people/granted-rows.ts';
import { plantPost } from '#test/delivery/order-fixture.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

/** `GRANTS=40` for more. */
const ROUNDS = Number(process.env['GRANTS'] ?? 10);

test('accounts that move and rights that change while posts come in leave nothing behind, and nothing out', async () => {
  const deps = await createTestDeps();
  try {
    const app = createApp(deps);
    const owner = await registerCustomer(app, deps, 'house');
    const clients = [await makeClient(owner, 'A'), await makeClient(owner, 'B')];
    const accounts = [
      await connectFor(deps, owner, 'first', clients[0] ?? null),
      await connectFor(deps, owner, 'second', clients[1] ?? null),
    ];
    const staff = [
      await joinAs(deps, app, owner, 'ann', 'Viewer'),
      await joinAs(deps, app, owner, 'bob', 'Viewer'),
    ];
    for (const member of staff) await grant(owner, member, []);
    const workspaceId = owner.user.membership?.workspaceId ?? '';
    const userId = owner.user.id;
    const posting = accounts.map(async (accountId, nth) => {
      const planted = {
        accountId,
        workspaceId,
        igUsername: '',
        igId: '',
        userId: '',
        subscriptionId: '',
      };
      for (let at = 0; at < 3 * ROUNDS; at += 1) {
        await plantPost(deps, planted, { id: `${nth}${1000 + at}` });
      }
    });
    const moving = accounts.map(async (_, nth) => {
      for (let at = 0; at < ROUNDS; at += 1) {
        const clientId = [...clients, null][(at + nth) % 3] ?? null;
        await owner.client.call(CALLS.setClient, {
          userId,
          igUsernames: [nth === 0 ? 'first' : 'second'],
          clientId,
        });
      }
    });
    const granting = staff.map(async (member, nth) => {
      for (let at = 0; at < ROUNDS; at += 1) {
        const some = clients.filter((_, which) => (at + nth + which) % 2 === 0);
        const grants = some.map((clientId) => ({ clientId, role: 'Viewer' as const }));
        await grant(owner, member, at % 7 === 6 ? null : grants);
      }
      await grant(
        owner,
        member,
        clients.map((clientId) => ({ clientId, role: 'Viewer' as const })),
      );
    });
    await Promise.all([...posting, ...moving, ...granting]);
    const { db } = deps.database;
    for (const { user } of staff) {
      const seen = await seenNow(db, user.id);
      expect(seen.length).toBeGreaterThan(3 * ROUNDS);
      expect(await loggedNow(db, scopeOf('w', user.id))).toEqual(seen);
    }
  } finally {
    await deps.database.close();
  }
});

/** Until somebody waits for a lock in this database. */
async function somebodyWaits({ database }: TestDeps): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db);
    if (rows.length > 0) return;
  }
}

test('a client granted while a post of theirs is being written brings that post too', async () => {
  const deps = await createTestDeps();
  try {
    const app = createApp(deps);
    const owner = await registerCustomer(app, deps, 'house');
    const clientId = await makeClient(owner, 'A');
    const accountId = await connectFor(deps, owner, 'first', clientId);
    const member = await joinAs(deps, app, owner, 'ann', 'Viewer');
    await grant(owner, member, []);
    const workspaceId = owner.user.membership?.workspaceId ?? '';
    const written = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const writing = deps.database.transaction(async (tx) => {
      const writer = { ...deps, database: { ...deps.database, db: tx } };
      const planted = { accountId, workspaceId, igUsername: '', igId: '', userId: '' };
      await plantPost(writer, { ...planted, subscriptionId: '' }, { id: '777' });
      // Written to the log for whoever sees it now, and not committed yet.
      await sql`select * from sync_flush()`.execute(tx);
      written.resolve();
      await asked.promise;
    });
    await written.promise;
    const granting = grant(owner, member, [{ clientId, role: 'Viewer' }]);
    await Promise.race([granting, somebodyWaits(deps)]);
    asked.resolve();
    await Promise.all([writing, granting]);
    const { db } = deps.database;
    expect(await seenNow(db, member.user.id)).toContain(`post ${accountId}/777`);
    expect(await loggedNow(db, scopeOf('w', member.user.id))).toEqual(
      await seenNow(db, member.user.id),
    );
  } finally {
    await deps.database.close();
  }
});
