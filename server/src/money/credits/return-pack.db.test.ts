import { afterAll, beforeAll, expect, test } from 'vitest';
import { newShopper, type Shopper } from '#test/checkout-fixture.ts';
import {
  changesOf,
  createCreditsNode,
  giveCredits,
  orderOnNewPost,
} from '#test/money/credits-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { runCommand } from '#server/ops/operator/command-line.ts';
import { sendDueRefunds } from '../refunds/send-refunds.service.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';
import { checkCreditSources } from '#server/ops/invariants/credit-sources.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { readCreditStatus } from './ledger.repository.ts';
import { grantBonus } from './ledger.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

/** A customer who bought 2,500 credits for $10. */
async function withPack(name: string, bonus = 0): Promise<{ shopper: Shopper; chargeId: string }> {
  const shopper = await newShopper(deps, name);
  const { workspaceId } = shopper.session;
  if (bonus > 0) {
    const now = new Date(deps.clock.now());
    const grant = { workspaceId, credits: bonus, now };
    await deps.database.transaction((tx) => grantBonus(tx, deps, grant));
  }
  return { shopper, chargeId: await buyPack(shopper, 'first') };
}

async function buyPack(shopper: Shopper, key: string): Promise<string> {
  const told = await createCreditsNode(deps)(shopper, key);
  if (told.kind === 'error') throw told.error;
  const { id } = await deps.database.db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

async function spend(shopper: Shopper, likes: number): Promise<void> {
  const ordered = await orderOnNewPost(deps, shopper, { postId: `${likes}`, likes });
  if ('code' in ordered) throw new Error(ordered.message);
}

const operate = async (chargeId: string) => {
  const { isDone, lines } = await runCommand(deps, ['return', chargeId]);
  return `${isDone ? 'done' : 'not done'}: ${lines.join('\n')}`;
};
const SPENT = 'not done: Some of its credits are spent or in use, so nothing was changed.';

async function violations(): Promise<unknown[]> {
  const { db } = deps.database;
  return [
    ...(await checkLedger(db)),
    ...(await checkCreditSources(db)),
    ...(await checkCharges(db, deps.gateway, new Date(0))),
  ];
}

test('a pack is given back: its credits go as a refund entry, its money to the card, once', async () => {
  const { shopper, chargeId } = await withPack('regrets');
  const { workspaceId, userId } = shopper.session;
  expect(await operate(chargeId)).toBe(
    'done: $10.00 is on its way back. 2500 credits were taken back.',
  );
  expect(await changesOf(deps, workspaceId)).toEqual(['pack +2500 = 2500', 'refund -2500 = 0']);
  expect(await operate(chargeId)).toBe(
    'not done: There’s no such payment for credits, or it was already returned.',
  );
  await sendDueRefunds(deps);
  expect(deps.gateway.refunds.map(({ request }) => request.amountCents)).toEqual([1000]);
  expect(await violations()).toEqual([]);
  const audit = await deps.database.db
    .selectFrom('audit_event')
    .select(['actor', 'action', 'subject'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('seq')
    .execute();
  expect(audit).toEqual([
    { actor: userId, action: 'credits_bought', subject: chargeId },
    { actor: 'operator', action: 'pack_returned', subject: chargeId },
  ]);
});

test('a pack of which credits are spent or held is kept, money and credits', async () => {
  const { shopper, chargeId } = await withPack('spender');
  await spend(shopper, 20);
  expect(await operate(chargeId)).toBe(SPENT);
  expect(await changesOf(deps, shopper.session.workspaceId)).toEqual([
    'pack +2500 = 2500',
    'hold -20 = 2480',
  ]);
  await giveCredits(deps, shopper.session.workspaceId, 20);
  expect(await operate(chargeId)).toContain('done: $10.00');
  expect(await violations()).toEqual([]);
});

test('with the only payment gone the bonus is locked again, so it has to be whole', async () => {
  const { shopper, chargeId } = await withPack('bonus_spender', 500);
  const status = () => readCreditStatus(deps.database.db, shopper.session.workspaceId);
  await spend(shopper, 30);
  expect(await operate(chargeId)).toBe(SPENT);
  // Another payment makes the bonus the customer's: then 30 of it may be gone.
  const second = await buyPack(shopper, 'second');
  expect(await operate(chargeId)).toContain('done: $10.00');
  expect(await status()).toMatchObject({ balance: 2970, hasPaid: true });
  expect(await operate(second)).toBe(SPENT);
  expect(await violations()).toEqual([]);
});

test('the payment for a plan is no pack', async () => {
  const { shopper } = await withPack('planned');
  await deps.database.db
    .updateTable('invoice')
    .set({ checkout: JSON.stringify({ kind: 'renewal' }) })
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  const { id } = await deps.database.db
    .selectFrom('charge')
    .select('id')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .executeTakeFirstOrThrow();
  expect(await operate(id)).toContain('not done: There’s no such payment');
  expect(await operate('rubbish')).toContain('npm run operator');
});

test('a pack asked back by two operators at once goes back once', async () => {
  const { shopper, chargeId } = await withPack('two_operators');
  await giveCredits(deps, shopper.session.workspaceId, 2500);
  const told = await Promise.all([operate(chargeId), operate(chargeId)]);
  expect(told.filter((line) => line.startsWith('done'))).toHaveLength(1);
  expect(await readCreditStatus(deps.database.db, shopper.session.workspaceId)).toMatchObject({
    balance: 2500,
  });
});
