import { afterAll, beforeAll, expect, test } from 'vitest';
import { canSpendCredits } from '#shared/domain/money/credit-packages.ts';
import { grantBonus } from '#server/money/credits/ledger.service.ts';
import { newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { createCreditsNode, giveCredits, orderOnNewPost } from '#test/money/credits-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { projectUser, viewUser } from './users.service.ts';
import { projectWallet } from './wallet.service.ts';

let deps: TestDeps;
let nextPost = 1;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** What a call tells, what rows tell, and whether an order of one half of the credits is taken. */
async function told(shopper: Shopper) {
  const { session } = shopper;
  const { workspaceId, userId } = session;
  const view = await viewUser(deps, session);
  const [[, user] = []] = await projectUser(deps, { scope: `u:${userId}`, workspaceId });
  const [[, wallet] = []] = await projectWallet(deps, { workspaceId });
  const rows = {
    canSpendCredits: canSpendCredits(wallet?.lockedBonus ?? Number.NaN),
    inSubscription: user?.inSubscription,
  };
  expect(view).toMatchObject(rows);
  nextPost += 1;
  const order = { postId: `${nextPost}`, likes: Math.max(20, view.credits / 2) };
  const ordered = await orderOnNewPost(deps, shopper, order);
  return { ...rows, isTaken: 'orderId' in ordered };
}

async function shopperWith(name: string, of: { gift?: number; bonus?: number; isPaid?: boolean }) {
  const shopper = await newShopper(deps, name);
  const { workspaceId } = shopper.session;
  const now = new Date(deps.clock.now());
  if (of.gift) await giveCredits(deps, workspaceId, of.gift);
  if (of.bonus) {
    const grant = { workspaceId, credits: of.bonus, now };
    await deps.database.transaction((tx) => grantBonus(tx, deps, grant));
  }
  if (of.isPaid) await createCreditsNode(deps)(shopper, name);
  return shopper;
}

test('calls and rows say alike who may spend credits and who has a plan or bought credits', async () => {
  const nothing = await shopperWith('has.nothing', {});
  expect(await told(nothing)).toEqual({
    canSpendCredits: true,
    inSubscription: false,
    isTaken: false,
  });
  const given = await shopperWith('was.given', { gift: 80 });
  expect(await told(given)).toEqual({
    canSpendCredits: true,
    inSubscription: false,
    isTaken: true,
  });
  const waiting = await shopperWith('waits.bonus', { bonus: 500 });
  expect(await told(waiting)).toEqual({
    canSpendCredits: false,
    inSubscription: false,
    isTaken: false,
  });
  const paid = await shopperWith('has.paid', { bonus: 500, isPaid: true });
  expect(await told(paid)).toEqual({
    canSpendCredits: true,
    inSubscription: true,
    isTaken: true,
  });
});
