import { giveUpCharge } from '#server/money/settlement/collect-charge.service.ts';
import {
  enterCardElsewhere,
  finishSetUp,
  replaceBillingInfo,
} from '#server/money/payments/billing-info.service.ts';
import { paymentBeingChecked } from '#server/money/charges/payment-error.ts';
import { confirmRenewal } from '#server/money/renewals/confirm-renewal.service.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import { payerOf, type Shopper, tell, wordOf } from '../checkout-fixture.ts';
import type { SimWorld } from './sim-world.ts';

/** A third of the customers have a card whose bank asks: once, always, or always and then has no money. */
const ASKING = ['4000002500003155', '4000002760003184', '4000000000003220', '4000008260003178'];
const PLAIN = '4242424242424242';

export function pickCard(random: () => number): string {
  const dice = random();
  if (dice > 0.33) return PLAIN;
  return ASKING[Math.floor((dice / 0.33) * ASKING.length)] ?? PLAIN;
}

/**
 * Whom their bank asks says yes, no or nothing, gives up here, or says yes when it may be too late: until the
 * next round nobody polls.
 */
export async function answerBanks(world: SimWorld): Promise<void> {
  const { bank, deps, lateAnswers, count } = world;
  for (const id of lateAnswers.splice(0)) {
    count((await bank.confirm(id)) ? 'bank: late yes' : 'bank: yes too late');
  }
  const { db } = deps.database;
  const charges = await db
    .selectFrom('charge')
    .select(['workspace_id as workspaceId', 'id as chargeId', 'gateway_charge_id as gatewayId'])
    .where('state', '=', 'needs_action')
    .orderBy('id')
    .execute();
  for (const { gatewayId, ...key } of charges) {
    await answer(world, gatewayId, () => giveUpCharge(deps, key));
  }
  const setUps = await db
    .selectFrom('card_setup')
    .select(['workspace_id as workspaceId', 'id as setUpId', 'gateway_setup_id as gatewayId'])
    .where('state', '=', 'needs_action')
    .where('payment_method_id', 'is not', null)
    .orderBy('id')
    .execute();
  for (const { gatewayId, ...key } of setUps) {
    await answer(world, gatewayId, () => finishSetUp(deps, key, 'given_up'));
  }
}

/** Taken in turns, so that a short run sees each of them. */
const ANSWERS = ['yes', 'no', 'yes', 'given up', 'late', 'yes', 'nothing', 'yes', 'late'] as const;

async function answer(
  world: SimWorld,
  gatewayId: string | null,
  giveUp: () => Promise<unknown>,
): Promise<void> {
  const { bank, lateAnswers, random, count } = world;
  if (gatewayId === null) return;
  const turn = ANSWERS[world.asked % ANSWERS.length] ?? 'yes';
  world.asked += 1;
  switch (turn) {
    case 'yes':
      count((await bank.confirm(gatewayId)) ? 'bank: yes' : 'bank: was over');
      return;
    case 'no':
      await bank.refuse(gatewayId);
      count('bank: no');
      return;
    case 'given up':
      await giveUp();
      // The bank's page is still open in another tab.
      if (random() < 0.5)
        count((await bank.confirm(gatewayId)) ? 'bank: yes' : 'bank: yes too late');
      count('bank: given up');
      return;
    case 'late':
      lateAnswers.push(gatewayId);
      return;
    case 'nothing':
      count('bank: nothing');
  }
}

/** Half of those whose renewal wasn't paid come and pay it; the others wait for its tries, or let it expire. */
export async function confirmRenewals(world: SimWorld): Promise<void> {
  const { deps, random, count, shoppers } = world;
  const byWorkspace = new Map(shoppers.map((each) => [each.session.workspaceId, each]));
  const due = await deps.database.db
    .selectFrom('subscription')
    .select('workspace_id')
    .where('state', '=', 'Past due')
    .orderBy('id')
    .execute();
  for (const { workspace_id: workspaceId } of due) {
    const shopper = byWorkspace.get(workspaceId);
    if (shopper && random() < 0.5) count(`confirm renewal: ${await confirmDue(world, shopper)}`);
  }
}

/** Pays what is past due while the customer is there. */
function confirmDue({ deps }: SimWorld, { session, accountId }: Shopper): Promise<string> {
  const attempts = createAttempts(deps, paymentBeingChecked);
  const payer = { ...payerOf(deps, session), idempotencyKey: deps.ids.uuid() };
  return tell(() => confirmRenewal(deps, attempts, { ...payer, accountId })).then(wordOf);
}

/** Another card becomes the saved one: entered with us, or on the gateway's own page. */
export async function replaceCard(world: SimWorld, shopper: Shopper): Promise<string> {
  const { bank, deps, random } = world;
  const { session } = shopper;
  const ccNum = pickCard(random);
  if (random() < 0.3) {
    const { paymentId: setUpId } = await enterCardElsewhere(deps, payerOf(deps, session));
    const row = await deps.database.db
      .selectFrom('card_setup')
      .select('gateway_setup_id')
      .where('id', '=', setUpId)
      .executeTakeFirstOrThrow();
    const card = { number: ccNum, name: 'Ada Example', month: 12, year: 2034 };
    if (random() < 0.7) await bank.enterCard(row.gateway_setup_id ?? '', card);
    return 'elsewhere';
  }
  const attempts = createAttempts(deps, paymentBeingChecked);
  const { igUsername: _name, packageIndex: _plan, timeZone: _zone, ...card } = shopper.form;
  const form = { ...card, ccNum };
  const payer = { ...payerOf(deps, session), idempotencyKey: deps.ids.uuid() };
  return wordOf(await tell(() => replaceBillingInfo(deps, attempts, { ...payer, form })));
}
