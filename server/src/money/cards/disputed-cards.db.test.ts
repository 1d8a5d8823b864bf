import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createNode, newShopper, type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { createCreditsNode } from '#test/money/credits-fixture.ts';
import { hearGateway, paymentsOf } from '#test/money/gateway-fixture.ts';
import {
  endAll,
  live,
  mailPayloadsOf,
  newSubscriber,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { findCard, viewCard } from './card.repository.ts';
import { deleteAccount } from '#server/use-cases/customers/delete-account.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
afterEach(async () => {
  await endAll(deps);
  await deps.database.db.updateTable('dispute').set({ card_hash: null }).execute();
});

const buyPack = async (shopper: Shopper, means: object = {}): Promise<string> => {
  deps.clock.advance(1000);
  return wordOf(await createCreditsNode(deps)(shopper, deps.ids.uuid(), means));
};

async function savedCardOf({ session }: Shopper): Promise<{ savedCard: string }> {
  const card = await findCard(deps.database.db, session.workspaceId);
  return { savedCard: card ? viewCard(card).ccNum : '' };
}

async function disputeFirstPayment(shopper: Shopper): Promise<void> {
  const [charge = ''] = await paymentsOf(deps, shopper);
  deps.gateway.openDispute(charge);
  await hearGateway(deps);
}

async function disputeLastPayment(shopper: Shopper): Promise<void> {
  deps.gateway.openDispute((await paymentsOf(deps, shopper)).at(-1) ?? '');
  await hearGateway(deps);
}

test('a saved card of before fingerprints buys nothing either once it is disputed', async () => {
  const shopper = await newSubscriber(deps, 'of_before');
  await deps.database.db.updateTable('card').set({ fingerprint: null }).execute();
  await disputeFirstPayment(shopper);
  expect(await buyPack(shopper, await savedCardOf(shopper))).toBe('card_disputed');
});

test('a card that its bank has issued anew is the same card: disputed, it buys nothing under either number', async () => {
  const shopper = await newSubscriber(deps, 'issued_anew');
  const card = await findCard(deps.database.db, shopper.session.workspaceId);
  deps.gateway.renewCard(card?.payment_method_id ?? '', { number: '4242424242420042' });
  const saved = await savedCardOf(shopper);
  expect(await buyPack(shopper, saved)).toBe('paid');
  await disputeLastPayment(shopper);
  expect(await buyPack(shopper, saved)).toBe('card_disputed');
});

test('the renewal of another plan says that its card is disputed, and not that its bank declined', async () => {
  const shopper = await newSubscriber(deps, 'renews');
  expect(await buyPack(shopper)).toBe('paid');
  const [, pack = ''] = await paymentsOf(deps, shopper);
  deps.gateway.openDispute(pack);
  await hearGateway(deps);
  const { next_billing_at: due } = await subscriptionOf(deps, shopper);
  deps.clock.advance(due.getTime() - deps.clock.now());
  await live(deps, 60_000, 60_000);
  expect((await subscriptionOf(deps, shopper)).state).toBe('Past due');
  expect((await mailPayloadsOf(deps, shopper)).at(-1)).toMatchObject({
    kind: 'payment_declined',
    isCardDisputed: true,
  });
});

test('who deletes their account and disputes comes back to a card that buys nothing', async () => {
  const shopper = await newSubscriber(deps, 'leaves');
  const passwords = { hash: () => Promise.resolve(''), verify: () => Promise.resolve(true) };
  await deleteAccount({ ...deps, passwords }, shopper.session, 'any');
  await disputeFirstPayment(shopper);
  const back = await newShopper(deps, 'comes_back');
  const told = await createNode(deps)(back, 'plan', { timeZone: 'UTC', ccYear: 2034 });
  expect(wordOf(told)).toBe('card_disputed');
  expect(await buyPack(back)).toBe('card_disputed');
});
