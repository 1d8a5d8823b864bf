import type { Hono } from 'hono';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { rememberProfile } from '#server/network/allowance/remembered-profile.repository.ts';
import { insertAccount } from '#server/network/accounts/account.repository.ts';
import { storeAccountReadings } from '#server/network/accounts/reading.repository.ts';
import { CARD_FORM } from '../money/card-form.ts';
import { type Customer, registerCustomer } from '../people/customers.ts';
import type { TestDeps } from '../test-deps.ts';

/** What begins a plan where there is none; no other test charges so much. */
export const BEGIN_ZONE = 'Europe/Vienna';
export const BEGIN: AskedChange = { kind: 'plan', packageIndex: 4, timeZone: BEGIN_ZONE };
export const { priceVal: BEGIN_PRICE, priceCents: BEGIN_CENTS } = getPlan(4);

export interface Agency extends Customer {
  /** Accounts without plans. */
  names: string[];
}

/** A customer with accounts `<name>.a` and more, and a saved card unless `ccNum` is null. */
export async function newAgency(
  app: Hono,
  deps: TestDeps,
  name: string,
  count: number,
  ccNum: string | null = CARD_FORM.ccNum,
): Promise<Agency> {
  const owner = await registerCustomer(app, deps, name);
  const names = Array.from(
    { length: count },
    (_, nr) => `${name}.${'abcdefghijklmnop'.charAt(nr)}`,
  );
  await connectAll(deps, owner, names);
  if (ccNum !== null) await saveCard(owner, ccNum);
  return { ...owner, names };
}

/** Connects them as the call does, in one transaction: without its limits, its entries in the audit log and its answer. */
async function connectAll(
  { clock, database, ids, network }: TestDeps,
  { user }: Customer,
  names: readonly string[],
): Promise<void> {
  const workspaceId = user.membership?.workspaceId ?? '';
  const now = new Date(clock.now());
  await database.transaction(async (tx) => {
    for (const igUsername of names) {
      const account = network.addAccount(igUsername);
      const accountId = ids.uuid();
      await insertAccount(tx, { workspaceId, id: accountId, igUsername, now });
      await storeAccountReadings(tx, [{ workspaceId, accountId, account, readAt: now }]);
      await rememberProfile(tx, igUsername, account, now);
    }
  });
}

/** Saves a card that nothing is bought with. */
export async function saveCard({ client, user }: Customer, ccNum: string): Promise<void> {
  const input = { userId: user.id, ...CARD_FORM, ccNum };
  const { body } = await client.call(CALLS.replaceBillingInfo, input);
  if (body.data === undefined) throw new Error(`replaceBillingInfo answered ${body.code ?? ''}`);
}

/** How many first plans the gateway has charged. */
export const chargedPlans = ({ gateway }: TestDeps): number =>
  gateway.charges.filter(({ request }) => request.amountCents === BEGIN_CENTS).length;
