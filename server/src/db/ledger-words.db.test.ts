import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { plantCustomer, plantOrder, plantPost } from '#test/order-fixture.ts';
import { correct, grantBonus, returnShortfall } from '../features/credits/ledger.service.ts';
import { listBalanceChanges } from '../features/credits/ledger.repository.ts';
import { viewLedgerRow } from '../features/credits/ledger-view.ts';
import { up } from './migrations/0014-ledger-words.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** A ledger of all kinds of words, as it was written before the words lay beside it. */
async function writtenBefore(igUsername: string, hasLeft: boolean): Promise<string> {
  const customer = await plantCustomer(deps, { igId: `1${igUsername}`, igUsername });
  const { workspaceId } = customer;
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  if (hasLeft) await db.deleteFrom('app_user').where('workspace_id', '=', workspaceId).execute();
  await plantPost(deps, customer, { id: '7' });
  const orderId = await plantOrder(deps, customer, { post_id: '7', slot: 1 });
  const description = 'With love to Ada';
  await deps.database.transaction(async (tx) => {
    await grantBonus(tx, deps, { workspaceId, credits: 500, now });
    const order = { workspaceId, orderId, igUsername, shortcode: 'C7', likes: 5, credits: 3 };
    await returnShortfall(tx, deps, { ...order, now });
    await correct(tx, deps, { workspaceId, reference: 'x', credits: 1, description, now });
  });
  return workspaceId;
}

const changes = async (workspaceId: string) => {
  const rows = await listBalanceChanges(deps.database.db, workspaceId, { limit: 10 });
  return rows.map((row) => [row.description, viewLedgerRow(row).description]);
};

test('the words of an older ledger move beside it, and those of who has left are forgotten', async () => {
  const { db } = deps.database;
  const [here, gone] = [await writtenBefore('ada', false), await writtenBefore('left', true)];
  await sql`alter table ledger_transaction disable trigger append_only`.execute(db);
  await sql`update ledger_transaction t set description = w.words from ledger_words w
    where w.workspace_id = t.workspace_id and w.transaction_id = t.id`.execute(db);
  await sql`alter table ledger_transaction enable trigger append_only`.execute(db);
  await sql`drop table ledger_words`.execute(db);
  await up(db);
  const bare = '5 undelivered plan likes for a post returned as 3 credits of the same value';
  const named =
    '5 undelivered plan likes for post C7 of @ada returned as 3 credits of the same value';
  expect(await changes(here)).toEqual([
    ['Correction', 'With love to Ada'],
    [bare, named],
    ['Sign-up bonus', 'Sign-up bonus'],
  ]);
  expect(await changes(gone)).toEqual([
    ['Correction', 'Correction'],
    [bare, bare],
    ['Sign-up bonus', 'Sign-up bonus'],
  ]);
  const changed = db.updateTable('ledger_transaction').set({ description: 'x' }).execute();
  await expect(changed).rejects.toThrow('append-only');
});
