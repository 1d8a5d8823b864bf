import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { insertAccount } from '#server/network/accounts/account.repository.ts';
import { ASKING_CARD, chargesOf } from '#test/money/checkout-books.ts';
import { createNode, newShopper, wordOf } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

let deps: TestDeps;
const closing: Array<() => Promise<void>> = [];
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  await deps.database.close();
});

test('payments for many accounts at once on two nodes: no more wait for a bank than might be paid with another card', async () => {
  const nodes = [1, 2].map(() => {
    const database = openPostgres(deps.database.url ?? '', { onError: () => undefined });
    closing.push(() => database.close());
    return createNode({ ...deps, database });
  });
  const shopper = await newShopper(deps, 'crowd');
  const { workspaceId } = shopper.session;
  const names = Array.from({ length: 9 }, (_, n) => `crowd_${n}`);
  for (const igUsername of names) {
    deps.network.addAccount(igUsername);
    const account = { workspaceId, id: deps.ids.uuid(), igUsername };
    const now = new Date(deps.clock.now());
    await deps.database.transaction((tx) => insertAccount(tx, { ...account, now }));
  }
  const told = await Promise.all(
    nodes.flatMap((node, nth) =>
      names
        .filter((_, n) => n % nodes.length === nth)
        .map((igUsername) => node(shopper, igUsername, { ...ASKING_CARD, igUsername })),
    ),
  );
  const words = told.map(wordOf);
  expect(words.filter((word) => word === 'payment_needs_action')).toHaveLength(
    LIMITS.returned.uses,
  );
  expect(words.filter((word) => word === 'payment_unavailable')).toHaveLength(
    names.length - LIMITS.returned.uses,
  );
  expect(await chargesOf(deps, shopper)).toHaveLength(LIMITS.returned.uses);
});
