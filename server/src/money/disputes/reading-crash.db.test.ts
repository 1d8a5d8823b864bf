import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { type Shopper, wordOf } from '#test/checkout-fixture.ts';
import { changesOf, createCreditsNode } from '#test/money/credits-fixture.ts';
import { DIES_EVERY, dyingDeps, Lifetime } from '#test/processes/dying-process.ts';
import { forgetCards, hearGateway, paymentsOf } from '#test/money/gateway-fixture.ts';
import {
  endAll,
  mailsOf,
  newSubscriber,
  subscriptionOf,
} from '#test/money/subscription-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { checkCreditSources } from '#server/ops/invariants/credit-sources.ts';
import { checkReturnedValue } from '#server/ops/invariants/returned-value.ts';
import { readGatewayWhenDue } from './read-gateway.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

interface Scene {
  shopper: Shopper;
  disputes: string[];
}

/** A plan and two packs: the bank disputes the plan and a pack, a refund in the dashboard gives some of the other pack back. */
async function withNews(n: number): Promise<Scene> {
  await endAll(deps);
  await forgetCards(deps);
  const shopper = await newSubscriber(deps, `heard_${n}`);
  for (const pack of ['first', 'second']) {
    deps.clock.advance(1000);
    expect(wordOf(await createCreditsNode(deps)(shopper, `${pack}_${n}`))).toBe('paid');
  }
  const [plan = '', first = '', second = ''] = await paymentsOf(deps, shopper);
  const disputes = [deps.gateway.openDispute(plan), deps.gateway.openDispute(first)];
  deps.gateway.refundInDashboard(second, 300);
  return { shopper, disputes };
}

/** A node reads the gateway and dies after so many steps; another one reads when the lease has ended. */
async function readTwice(lifetime: Lifetime): Promise<void> {
  deps.clock.advance(6 * MINUTE_MS);
  await readGatewayWhenDue(dyingDeps(deps, lifetime)).catch(() => undefined);
  deps.clock.advance(5 * MINUTE_MS);
  await hearGateway(deps);
}

async function expectBooked(
  { shopper }: Scene,
  { changes, decided, plan }: { changes: string[]; decided: string[]; plan: string },
) {
  const { workspaceId } = shopper.session;
  expect((await changesOf(deps, workspaceId)).slice(2)).toEqual(changes);
  expect((await mailsOf(deps, shopper)).slice(3).toSorted()).toEqual(
    [...decided, 'payment_disputed', 'payment_disputed', 'refund'].toSorted(),
  );
  expect((await subscriptionOf(deps, shopper)).state).toBe(plan);
  const { db } = deps.database;
  expect([...(await checkReturnedValue(db)), ...(await checkCreditSources(db))]).toEqual([]);
}

test('a reading that dies after any step: the next one applies each dispute and refund once', async () => {
  let died = 0;
  for (let isDead = true; isDead; died += DIES_EVERY) {
    const scene = await withNews(died);
    const opening = new Lifetime(died);
    await readTwice(opening);
    const taken = 'dispute -2500 = 2500';
    await expectBooked(scene, { changes: [taken], decided: [], plan: 'Canceled' });
    for (const id of scene.disputes) deps.gateway.changeDispute(id, 'won');
    const ending = new Lifetime(died);
    await readTwice(ending);
    const changes = [taken, 'dispute +2500 = 5000'];
    const decided = ['dispute_decided', 'dispute_decided'];
    await expectBooked(scene, { changes, decided, plan: 'Active' });
    isDead = opening.isDead() || ending.isDead();
  }
  expect(died).toBeGreaterThan(6);
});
