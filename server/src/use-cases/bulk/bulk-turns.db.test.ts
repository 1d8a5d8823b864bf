import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runBulk } from './bulk.job.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** A workspace with a running operation of so many changes; nobody is in it, so each ends with that word. */
async function begin(changes: number): Promise<string> {
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const [workspace_id, id] = [deps.ids.uuid() as WorkspaceId, deps.ids.uuid()];
  const operation = { workspace_id, id, created_at: now, started_at: now };
  await db.insertInto('workspace').values({ id: workspace_id, created_at: now }).execute();
  await db
    .insertInto('bulk_operation')
    .values({ ...operation, state: 'running', started_by: deps.ids.uuid() })
    .execute();
  const items = Array.from({ length: changes }, (_, position) => ({
    workspace_id,
    operation_id: id,
    position,
    ig_username: `account.${position}`,
    change: JSON.stringify({ kind: 'tags', add: ['VIP'], remove: [] }),
    outcome: 'waiting' as const,
    attempt_id: deps.ids.uuid(),
    due_at: now,
  }));
  await db.insertInto('bulk_item').values(items).execute();
  deps.clock.advance(1000);
  return id;
}

async function ended(operationId: string): Promise<number> {
  const { count } = await deps.database.db
    .selectFrom('bulk_item')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('operation_id', '=', operationId)
    .where('outcome', '=', 'failed')
    .executeTakeFirstOrThrow();
  return Number(count);
}

test('a few changes don’t wait behind the many of another workspace', async () => {
  const [many, few] = [await begin(40), await begin(2)];
  await runBulk(deps);
  expect([await ended(few), await ended(many)]).toEqual([2, 8]);
  while ((await runBulk(deps)) === 'again') continue;
  expect(await ended(many)).toBe(40);
});

test('of more workspaces than a round has changes each has its turn before any has another', async () => {
  const operations: string[] = [];
  for (let nr = 0; nr < 15; nr += 1) operations.push(await begin(2));
  const turns = {};
  const counts = async () => (await Promise.all(operations.map(ended))).toSorted((a, b) => a - b);
  await runBulk(deps, turns);
  await runBulk(deps, turns);
  // 20 changes of 15 workspaces: nobody has none.
  expect(await counts()).toEqual([...Array(10).fill(1), ...Array(5).fill(2)]);
  await runBulk(deps, turns);
  expect(await counts()).toEqual(Array(15).fill(2));
});
