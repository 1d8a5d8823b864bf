import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { insertAccount } from '#server/network/accounts/account.repository.ts';
import { createNode, filledForm, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { saveBudget } from './budgets.service.ts';

let deps: TestDeps;
/** Nodes of their own: each with its own connections and its own memory. */
let nodes: Array<ReturnType<typeof createNode>>;
const nodeOf = (n: number) => nodes[n] as ReturnType<typeof createNode>;
const closing: Array<() => Promise<void>> = [];
beforeAll(async () => {
  deps = await createTestDeps();
  nodes = [1, 2].map(() => {
    const database = openPostgres(deps.database.url ?? '', { onError: () => undefined });
    closing.push(() => database.close());
    return createNode({ ...deps, database });
  });
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await deps.database.close();
});

test('of two checkouts that fit the budget alone and not together one passes, whoever is first', async () => {
  for (const round of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const shopper = await newShopper(deps, `one_${round}`);
    const other = `two_${round}`;
    const { workspaceId } = shopper.session;
    deps.network.addAccount(other);
    const id = deps.ids.uuid();
    const now = new Date(deps.clock.now());
    await deps.database.transaction((tx) =>
      insertAccount(tx, { workspaceId, id, igUsername: other, now }),
    );
    // Two plans at $17.
    await saveBudget(deps, shopper.session, { limit: 33 });
    const { userId } = shopper.session;
    const second = {
      ...shopper,
      igUsername: other,
      accountId: id,
      form: filledForm({ userId, igUsername: other }),
    };
    const told = await Promise.all(
      [shopper, second].map((each, n) => nodeOf(n)(each, `form-${n}`)),
    );
    const words = told.map(wordOf);
    expect(words.toSorted()).toEqual(['budget_reached', 'paid']);
    const charges = await deps.database.db
      .selectFrom('charge')
      .select('amount_cents')
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(charges).toEqual([{ amount_cents: 1700 }]);
  }
});
