import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import {
  ASKING_CARD,
  booksOf,
  chargesOf,
  NOTHING,
  PAID_ONCE,
  RETURNED,
  runJanitor,
  SLOW_CARD,
} from '#test/money/checkout-books.ts';
import { createNode, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { findOwnershipStatus } from '#server/use-cases/accounts/ownership.service.ts';

/** A checkout that waits at its bank costs nothing, so it keeps a network account from nobody. */
let deps: TestDeps;
let pay: ReturnType<typeof createNode>;
beforeAll(async () => {
  deps = await createTestDeps();
  pay = createNode(deps);
});
afterAll(() => deps.database.close());

/** Two who want the same account. */
async function rivals(name: string): Promise<[squatter: Shopper, owner: Shopper]> {
  return [await newShopper(deps, name), await newShopper(deps, name, { onNetwork: false })];
}

async function confirm(shopper: Shopper): Promise<boolean> {
  const [charge] = await chargesOf(deps, shopper);
  return deps.gateway.confirmAtBank(charge?.gateway_charge_id ?? '');
}

test('whoever only waits at their bank keeps nobody out, and a yes after another’s is returned', async () => {
  const [squatter, owner] = await rivals('squatted');
  expect(wordOf(await pay(squatter, 'form', ASKING_CARD))).toBe('payment_needs_action');
  const { ig_id: igId } = await deps.database.db
    .selectFrom('network_subscription')
    .select('ig_id')
    .where('workspace_id', '=', squatter.session.workspaceId)
    .executeTakeFirstOrThrow();
  expect(await findOwnershipStatus(deps, owner.session.workspaceId, igId)).toBe('free');
  expect(wordOf(await pay(owner, 'form'))).toBe('paid');
  expect(await booksOf(deps, owner)).toEqual(PAID_ONCE);
  expect(await findOwnershipStatus(deps, squatter.session.workspaceId, igId)).toBe('proof_needed');
  expect(await confirm(squatter)).toBe(true);
  await runJanitor(deps, 2 * MINUTE_MS);
  expect(await booksOf(deps, squatter)).toEqual(RETURNED);
  expect(await booksOf(deps, owner)).toEqual(PAID_ONCE);
});

test('of several that wait the first yes has the account, and giving up frees nothing of another’s', async () => {
  const [first, second] = await rivals('both_wait');
  const third = await newShopper(deps, 'both_wait', { onNetwork: false });
  for (const shopper of [first, second, third]) {
    expect(wordOf(await pay(shopper, 'form', ASKING_CARD))).toBe('payment_needs_action');
  }
  await confirm(second);
  expect(wordOf(await pay(second, 'form', ASKING_CARD))).toBe('paid');
  // An hour is over for who began first; the last one says yes before.
  await confirm(third);
  await runJanitor(deps, 70 * MINUTE_MS, 5 * MINUTE_MS);
  expect(await booksOf(deps, first)).toEqual(NOTHING);
  expect(await booksOf(deps, second)).toEqual(PAID_ONCE);
  expect(await booksOf(deps, third)).toEqual(RETURNED);
});

test('who began while another waited has the account, also once that one is gone', async () => {
  const [squatter, owner] = await rivals('gone_meanwhile');
  await pay(squatter, 'form', ASKING_CARD);
  deps.clock.advance(30 * MINUTE_MS);
  await pay(owner, 'form', ASKING_CARD);
  await runJanitor(deps, 35 * MINUTE_MS, 5 * MINUTE_MS);
  expect(await booksOf(deps, squatter)).toEqual(NOTHING);
  await confirm(owner);
  expect(wordOf(await pay(owner, 'form', ASKING_CARD))).toBe('paid');
  expect(await booksOf(deps, owner)).toEqual(PAID_ONCE);
});

test('a payment that is being made keeps the account', async () => {
  const [slow, other] = await rivals('being_paid');
  expect(wordOf(await pay(slow, 'form', SLOW_CARD))).toBe('payment_unknown');
  expect(wordOf(await pay(other, 'form'))).toBe('account_already_subscribed');
  expect(await booksOf(deps, other)).toEqual(NOTHING);
});
