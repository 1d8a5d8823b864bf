import { MINUTE_MS } from '#shared/domain/durations.ts';
import { readGatewayWhenDue } from '#server/money/disputes/read-gateway.service.ts';
import { checkOnce } from '#server/ops/invariants/check-all.ts';
import { checkCharges } from '#server/ops/invariants/charges.ts';
import { checkCreditSources } from '#server/ops/invariants/credit-sources.ts';
import { checkLedger } from '#server/ops/invariants/ledger.ts';
import { checkReturnedValue } from '#server/ops/invariants/returned-value.ts';
import { runJanitor } from './checkout-books.ts';
import type { Shopper } from '../checkout-fixture.ts';
import { newSubscriber } from './subscription-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** What the gateway calls the payments of a shopper, oldest first. */
export async function paymentsOf(
  deps: Pick<TestDeps, 'database'>,
  { session }: Pick<Shopper, 'session'>,
): Promise<string[]> {
  const rows = await deps.database.db
    .selectFrom('charge')
    .select('gateway_charge_id')
    .where('workspace_id', '=', session.workspaceId)
    .where('state', '=', 'succeeded')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ gateway_charge_id: id }) => id ?? []);
}

/** Lets a minute pass, and a node read what is new at the gateway. */
export async function hearGateway(deps: TestDeps): Promise<void> {
  deps.clock.advance(61_000);
  await readGatewayWhenDue(deps);
}

/** What the checker finds wrong with payments, what went back of them, and credits. */
export async function moneyProblems({ database: { db }, gateway }: TestDeps): Promise<string[]> {
  const found = [
    ...(await checkReturnedValue(db)),
    ...(await checkCreditSources(db)),
    ...(await checkLedger(db)),
    ...(await checkCharges(db, gateway, new Date(0))),
  ];
  return found.map(({ invariant, problem }) => `${invariant} ${problem}`);
}

/** What an hour of the janitor leaves behind of any crash: broken invariants of money, and charges still open. */
export async function leftAfterCrashes(deps: TestDeps): Promise<string[]> {
  await runJanitor(deps, 70 * MINUTE_MS, 5 * MINUTE_MS);
  const ofMoney = new Set<string>(['I1', 'I2', 'I5', 'I6', 'I10', 'I11']);
  const found = await checkOnce(deps, new Date(0));
  const open = await deps.database.db
    .selectFrom('charge')
    .select(['id', 'state'])
    .where('state', 'not in', ['succeeded', 'declined'])
    .execute();
  return [
    ...found
      .filter(({ invariant }) => ofMoney.has(invariant))
      .map(({ invariant, problem }) => `${invariant} ${problem}`),
    ...open.map(({ id, state }) => `charge ${id} is ${state}`),
  ];
}

/** A customer of plan 9 ($450.00), and what the gateway calls its payment. */
export async function newTopCustomer(
  deps: TestDeps,
  igUsername: string,
): Promise<{ shopper: Shopper; charge: string }> {
  const shopper = await newSubscriber(deps, igUsername, { packageIndex: 9 });
  const [charge = ''] = await paymentsOf(deps, shopper);
  return { shopper, charge };
}

/** Of the cards that paid and were disputed nothing is known any more. */
export async function forgetCards({ database: { db } }: Pick<TestDeps, 'database'>): Promise<void> {
  await db.updateTable('dispute').set({ card_hash: null }).execute();
  await db.updateTable('card').set({ fingerprint: null }).execute();
}
